/* What a machine does to a program that no signal does, to be preloaded (LD_PRELOAD) by tests.

   POWERCUT_BOOK=FILE   keeps book of what is written and what is flushed, by file:
                            W device:inode offset length
                            T device:inode length
                            B device:inode thread       a flush begins: what is written from here on is not part of it
                            S device:inode thread       it is over
                        A test that kills the program takes back afterwards what was not flushed: that is a power cut.
   BOOT_ID=FILE         stands for /proc/sys/kernel/random/boot_id: another content is another life of the machine.
   CLOCK_SHIFT=FILE     the file holds seconds that are added to the time of day, and may change while the program runs: that is a
                        clock being set. Monotonic clocks stay as they are. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int book = -1;
static const char *shift_file, *boot_file;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("POWERCUT_BOOK");
    if (path) book = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    shift_file = getenv("CLOCK_SHIFT");
    boot_file = getenv("BOOT_ID");
}

static void note(char kind, int file, long long offset, long long length) {
    if (book < 0 || file == book) return;
    int saved = errno;
    struct stat info;
    if (fstat(file, &info) == 0 && S_ISREG(info.st_mode)) {
        char line[128];
        int count = snprintf(
            line, sizeof line, "%c %llu:%llu %lld %lld\n", kind, (unsigned long long)info.st_dev,
            (unsigned long long)info.st_ino, offset, length);
        (void)!REAL(write)(book, line, (size_t)count);
    }
    errno = saved;
}

/* Behind a write without a position. */
static void note_appended(int file, ssize_t count) {
    if (count > 0 && book >= 0) note('W', file, (long long)lseek(file, 0, SEEK_CUR) - count, count);
}

/* A new file may have the number of one that is gone. */
static int note_opened(int file, int flags) {
    if (file < 0 || book < 0 || !(flags & (O_CREAT | O_TRUNC))) return file;
    int saved = errno;
    struct stat info;
    if (fstat(file, &info) == 0 && info.st_size == 0) note('T', file, 0, 0);
    errno = saved;
    return file;
}

static const char *place(const char *path) {
    return boot_file && path && strcmp(path, "/proc/sys/kernel/random/boot_id") == 0 ? boot_file : path;
}

static mode_t mode_of(int flags, va_list arguments) { return flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, mode_t) : 0; }

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        va_list arguments; \
        va_start(arguments, flags); \
        mode_t mode = mode_of(flags, arguments); \
        va_end(arguments); \
        return note_opened(REAL(name)(place(path), flags, mode), flags); \
    }

OPEN(open)
OPEN(open64)

#define OPENAT(name) \
    int name(int folder, const char *path, int flags, ...) { \
        va_list arguments; \
        va_start(arguments, flags); \
        mode_t mode = mode_of(flags, arguments); \
        va_end(arguments); \
        return note_opened(REAL(name)(folder, place(path), flags, mode), flags); \
    }

OPENAT(openat)
OPENAT(openat64)

ssize_t write(int file, const void *bytes, size_t count) {
    ssize_t done = REAL(write)(file, bytes, count);
    note_appended(file, done);
    return done;
}

ssize_t writev(int file, const struct iovec *parts, int count) {
    ssize_t done = REAL(writev)(file, parts, count);
    note_appended(file, done);
    return done;
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    ssize_t done = REAL(pwrite)(file, bytes, count, offset);
    if (done > 0) note('W', file, offset, done);
    return done;
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    ssize_t done = REAL(pwrite64)(file, bytes, count, offset);
    if (done > 0) note('W', file, offset, done);
    return done;
}

int ftruncate(int file, off_t length) {
    int result = REAL(ftruncate)(file, length);
    if (result == 0) note('T', file, length, 0);
    return result;
}

int ftruncate64(int file, off64_t length) {
    int result = REAL(ftruncate64)(file, length);
    if (result == 0) note('T', file, length, 0);
    return result;
}

static int note_cut(const char *path, int result) {
    if (result != 0 || book < 0) return result;
    int file = REAL(open)(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        note('T', file, (long long)lseek(file, 0, SEEK_END), 0);
        close(file);
    }
    return result;
}

int truncate(const char *path, off_t length) { return note_cut(path, REAL(truncate)(path, length)); }

int truncate64(const char *path, off64_t length) { return note_cut(path, REAL(truncate64)(path, length)); }

#define FLUSH(name) \
    int name(int file) { \
        note('B', file, gettid(), 0); \
        int result = REAL(name)(file); \
        if (result == 0) note('S', file, gettid(), 0); \
        return result; \
    }

FLUSH(fsync)
FLUSH(fdatasync)

static long long shift(void) {
    if (!shift_file) return 0;
    int saved = errno;
    long long seconds = 0;
    int file = open(shift_file, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        char text[32] = {0};
        if (read(file, text, sizeof text - 1) > 0) seconds = atoll(text);
        close(file);
    }
    errno = saved;
    return seconds;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = REAL(clock_gettime)(clock, time);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += shift();
    return result;
}

int gettimeofday(struct timeval *time, void *zone) {
    int result = REAL(gettimeofday)(time, zone);
    if (result == 0) time->tv_sec += shift();
    return result;
}

time_t time(time_t *place) {
    time_t now = REAL(time)(NULL) + shift();
    if (place) *place = now;
    return now;
}
