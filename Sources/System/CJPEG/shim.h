#pragma once
#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

// libjpeg reports errors by a function that must not return; Swift cannot call setjmp, so the whole call lives here.
typedef struct {
    struct jpeg_error_mgr manager;
    jmp_buf escape;
} ob_jpeg_errors;

static inline void ob_jpeg_fail(j_common_ptr info) { longjmp(((ob_jpeg_errors *)info->err)->escape, 1); }
static inline void ob_jpeg_quiet(j_common_ptr info) { (void)info; }

/// Compresses rows of 32-bit pixels (blue, green, red, unused). On success `*output` is malloc'ed and 1 is returned.
static inline int ob_jpeg_compress(
    const unsigned char *pixels, int width, int height, int stride, int quality, unsigned char **output, unsigned long *size) {
    struct jpeg_compress_struct info;
    ob_jpeg_errors errors;
    *output = NULL;
    *size = 0;
    info.err = jpeg_std_error(&errors.manager);
    errors.manager.error_exit = ob_jpeg_fail;
    errors.manager.output_message = ob_jpeg_quiet;
    if (setjmp(errors.escape)) {
        jpeg_destroy_compress(&info);
        free(*output);
        *output = NULL;
        return 0;
    }
    jpeg_create_compress(&info);
    jpeg_mem_dest(&info, output, size);
    info.image_width = (JDIMENSION)width;
    info.image_height = (JDIMENSION)height;
    info.input_components = 4;
    info.in_color_space = JCS_EXT_BGRX;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, quality, TRUE);
    jpeg_start_compress(&info, TRUE);
    while (info.next_scanline < info.image_height) {
        JSAMPROW row = (JSAMPROW)(pixels + (size_t)info.next_scanline * (size_t)stride);
        jpeg_write_scanlines(&info, &row, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    return 1;
}
