#pragma once
#include <zlib.h>

/* deflateInit2 and inflateInit2 are macros; window bits 15 + 16 mean "gzip". */
static inline int ob_deflate_init_gzip(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
static inline int ob_inflate_init_auto(z_stream *stream) { return inflateInit2(stream, 15 + 32); }
