/* Stands before the service (LD_PRELOAD) and does to it what a machine may do: the wall clock is
 * set, and writes and syncs of the ledger fail. The test says what in a file that both map.
 *
 * Only what is asked for is changed: other clocks and other files are the system's. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct orders {
    int64_t clock_offset;   /* milliseconds that the wall clock is ahead of the machine's */
    int64_t first;          /* the number of the first call that fails; 0: none */
    int64_t last;           /* the number of the last one */
    int64_t error;          /* errno of these; 0: they say that it is done and do nothing; -1: the process
                             * is killed before */
    _Atomic int64_t calls;  /* writes and syncs of the ledger until now */
};

static struct orders *orders;
static const char *ledger;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("TORTURE_ORDERS");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    void *shared = file < 0 ? MAP_FAILED
        : mmap(NULL, sizeof *orders, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shared != MAP_FAILED) orders = shared;
    if (file >= 0) close(file);
    ledger = getenv("TORTURE_LEDGER");
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && orders && clock == CLOCK_REALTIME) {
        int64_t nanoseconds = time->tv_nsec + orders->clock_offset % 1000 * 1000000;
        time->tv_sec += orders->clock_offset / 1000;
        if (nanoseconds < 0) time->tv_sec--, nanoseconds += 1000000000;
        if (nanoseconds >= 1000000000) time->tv_sec++, nanoseconds -= 1000000000;
        time->tv_nsec = nanoseconds;
    }
    return result;
}

enum verdict { GOES_ON, FAILS, LIES };

/* What becomes of this call on this file; counts it if it is one of the ledger's. */
static enum verdict judge(int file) {
    char link[32], path[4096];
    if (!orders || !ledger) return GOES_ON;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return GOES_ON;
    path[length] = 0;
    /* The file, its log and the list of erasures; its index in shared memory is no part of what is on
     * the disk. */
    if (strncmp(path, ledger, strlen(ledger)) != 0) return GOES_ON;
    const char *rest = path + strlen(ledger);
    if (*rest != 0 && strcmp(rest, "-wal") != 0 && strcmp(rest, "-journal") != 0
        && strncmp(rest, ".erasures", 9) != 0)
        return GOES_ON;
    int64_t number = atomic_fetch_add(&orders->calls, 1) + 1;
    if (orders->first == 0 || number < orders->first || number > orders->last) return GOES_ON;
    if (orders->error == 0) return LIES;
    if (orders->error < 0) raise(SIGKILL);
    errno = (int)orders->error;
    return FAILS;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* Does the call, or what becomes of it; DONE is what it returns when it is done. */
#define JUDGED(file, DONE, call)               \
    switch (judge(file)) {                     \
    case FAILS: return -1;                     \
    case LIES: return DONE;                    \
    default: return call;                      \
    }

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t place) {
    JUDGED(file, (ssize_t)count, NEXT(pwrite64)(file, bytes, count, place))
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t place) {
    JUDGED(file, (ssize_t)count, NEXT(pwrite)(file, bytes, count, place))
}

ssize_t write(int file, const void *bytes, size_t count) {
    JUDGED(file, (ssize_t)count, NEXT(write)(file, bytes, count))
}

int ftruncate64(int file, off64_t length) {
    JUDGED(file, 0, NEXT(ftruncate64)(file, length))
}

int ftruncate(int file, off_t length) {
    JUDGED(file, 0, NEXT(ftruncate)(file, length))
}

int fsync(int file) { JUDGED(file, 0, NEXT(fsync)(file)) }

int fdatasync(int file) { JUDGED(file, 0, NEXT(fdatasync)(file)) }
