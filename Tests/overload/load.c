/* A client that costs little, so that it is the service that is measured.
 *
 *   load ask SOCKET CONNECTIONS DEPTH RATE WARM SECONDS REQUESTS ANSWERS
 *       Sends the requests of a file (each: its length in four bytes, then itself) in turn, RATE
 *       a second, or as fast as they are answered if that is 0, at most DEPTH at once on a
 *       connection; what is due while none has room is given up. A connection that is closed
 *       is opened again after a second, as Retry-After says. The first WARM seconds are not measured. ANSWERS gets a byte for each request: 1 where it was answered 200.
 *       Prints as JSON: what was answered, and how long the answers of 200 took.
 *   load hold SOCKET CONNECTIONS PERIOD SECONDS
 *       Connects, prints a line, says a byte on each connection every PERIOD milliseconds (0: nothing), reads
 *       nothing. Prints how many there were, and how many were closed by the service. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { MAXIMUM_DEPTH = 256, INPUT = 1 << 16, BUCKETS = 4096 };

struct connection {
    int file;                          /* -1: to be opened again */
    int64_t not_before;                /* when */
    int first, count;                  /* the ring of what is under way */
    int64_t started[MAXIMUM_DEPTH];
    uint32_t asked[MAXIMUM_DEPTH];
    const char *rest;                  /* of a request that is sent in part */
    size_t rest_length;
    char input[INPUT];
    size_t filled, skip;               /* bytes read; bytes of a long body still to come */
};

static struct sockaddr_un address = {.sun_family = AF_UNIX};
static char **requests;
static uint32_t *lengths, request_count;
static char *answered;
static int64_t statuses[600], no_retry, dropped, broken, sent, good;
static int64_t buckets[BUCKETS], slowest;
static int poller;
static int64_t measured_from;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void fail(const char *what) { perror(what); exit(2); }

/* Sixteenths of each power of two. */
static int bucket(int64_t value) {
    if (value < 16) return (int)value;
    int power = 63 - __builtin_clzll((uint64_t)value);
    int place = (power - 3) * 16 + (int)(value >> (power - 4) & 15);
    return place < BUCKETS ? place : BUCKETS - 1;
}

static int64_t percentile(double part) {
    int64_t wanted = (int64_t)(good * part), seen = 0;
    for (int place = 0; place < BUCKETS; place++) {
        seen += buckets[place];
        if (seen <= wanted) continue;
        if (place < 16) return place;
        return (int64_t)(16 + place % 16) << (place / 16 - 1);
    }
    return slowest;
}

static void read_requests(const char *path) {
    struct stat status;
    int file = open(path, O_RDONLY);
    if (file < 0 || fstat(file, &status) != 0) fail(path);
    char *bytes = mmap(NULL, status.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
    if (bytes == MAP_FAILED) fail("mmap");
    for (int64_t place = 0; place < status.st_size;) {
        if (request_count % 4096 == 0) {
            requests = realloc(requests, (request_count + 4096) * sizeof *requests);
            lengths = realloc(lengths, (request_count + 4096) * sizeof *lengths);
        }
        memcpy(&lengths[request_count], bytes + place, 4);
        requests[request_count] = bytes + place + 4;
        place += 4 + lengths[request_count++];
    }
    answered = calloc(request_count, 1);
}

static void watch(struct connection *one, int operation) {
    struct epoll_event event = {.data.ptr = one};
    event.events = EPOLLIN | (one->rest_length ? EPOLLOUT : 0);
    epoll_ctl(poller, operation, one->file, &event);
}

static void reset(struct connection *one) {
    if (one->file >= 0) close(one->file);
    broken += one->count;
    one->file = -1;
    one->not_before = now() + 1000000000;
    one->count = one->first = 0;
    one->rest_length = one->filled = one->skip = 0;
}

static int connected(struct connection *one) {
    if (one->file >= 0) return 1;
    if (now() < one->not_before) return 0;
    one->file = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (one->file < 0) fail("socket");
    if (connect(one->file, (struct sockaddr *)&address, sizeof address) != 0) {
        close(one->file);
        one->file = -1;
        one->not_before = now() + 1000000;
        return 0;
    }
    watch(one, EPOLL_CTL_ADD);
    return 1;
}

static void send_rest(struct connection *one) {
    int waited = one->rest_length > 0;
    ssize_t done = send(one->file, one->rest, one->rest_length, MSG_NOSIGNAL);
    if (done < 0 && errno != EAGAIN) return reset(one);
    if (done > 0) one->rest += done, one->rest_length -= done;
    if (waited || one->rest_length) watch(one, EPOLL_CTL_MOD);
}

static void ask(struct connection *one, int64_t start) {
    static uint32_t next;
    int place = (one->first + one->count++) % MAXIMUM_DEPTH;
    one->started[place] = start;
    one->asked[place] = next;
    one->rest = requests[next];
    one->rest_length = lengths[next];
    next = (next + 1) % request_count;
    sent++;
    ssize_t done = send(one->file, one->rest, one->rest_length, MSG_NOSIGNAL);
    if (done < 0 && errno != EAGAIN) return reset(one);
    if (done > 0) one->rest += done, one->rest_length -= done;
    if (one->rest_length) watch(one, EPOLL_CTL_MOD);
}

static void count(struct connection *one, int status, int has_retry, int64_t time) {
    statuses[status >= 0 && status < 600 ? status : 0]++;
    no_retry += (status == 429 || status == 503) && !has_retry;
    if (one->count == 0) return;
    if (status == 200) answered[one->asked[one->first]] = 1;
    if (status == 200 && one->started[one->first] >= measured_from) {
        int64_t took = time - one->started[one->first];
        buckets[bucket(took)]++;
        if (took > slowest) slowest = took;
        good++;
    }
    one->first = (one->first + 1) % MAXIMUM_DEPTH;
    one->count--;
}

/* Takes one answer from the front; returns its length, 0 if it is not whole. */
static size_t take(struct connection *one, char *bytes, size_t length, int64_t time) {
    char *end = memmem(bytes, length, "\r\n\r\n", 4);
    if (!end) return 0;
    size_t body = 0, head = end + 4 - bytes;
    int has_retry = 0, ends = 0;
    for (char *line = memchr(bytes, '\n', head); line && line + 1 < end;
         line = memchr(line, '\n', end - line)) {
        line++;
        if (strncasecmp(line, "content-length:", 15) == 0) body = strtoul(line + 15, NULL, 10);
        if (strncasecmp(line, "retry-after:", 12) == 0) has_retry = 1;
        if (strncasecmp(line, "connection: close", 17) == 0) ends = 1;
    }
    if (length < head + body && head + body <= INPUT) return 0;
    count(one, atoi(bytes + 9), has_retry, time);
    if (ends) {
        reset(one);
        return 0;
    }
    if (length >= head + body) return head + body;
    one->skip = head + body - length;
    return length;
}

static void receive(struct connection *one) {
    ssize_t got = recv(one->file, one->input + one->filled, INPUT - one->filled, 0);
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) return reset(one);
    int64_t time = now();
    one->filled += got;
    size_t place = one->skip < one->filled ? one->skip : one->filled, taken;
    one->skip -= place;
    while (place < one->filled
           && (taken = take(one, one->input + place, one->filled - place, time)))
        place += taken;
    if (one->file < 0) return;
    memmove(one->input, one->input + place, one->filled - place);
    one->filled -= place;
}

static void handle(const struct timespec *patience) {
    struct epoll_event events[256];
    int found = epoll_pwait2(poller, events, 256, patience, NULL);
    for (int place = 0; place < found; place++) {
        struct connection *one = events[place].data.ptr;
        if (one->file >= 0 && events[place].events & EPOLLOUT) send_rest(one);
        if (one->file >= 0 && events[place].events & ~EPOLLOUT) receive(one);
    }
}

static int ask_all(char **arguments) {
    int total = atoi(arguments[0]), depth = atoi(arguments[1]);
    double rate = atof(arguments[2]), warm = atof(arguments[3]);
    double seconds = warm + atof(arguments[4]);
    read_requests(arguments[5]);
    poller = epoll_create1(EPOLL_CLOEXEC);
    struct connection *all = calloc(total, sizeof *all);
    for (int place = 0; place < total; place++) all[place].file = -1;
    int64_t begun = now(), ends = begun + (int64_t)(seconds * 1e9), due = 0;
    measured_from = begun + (int64_t)(warm * 1e9);
    int turn = 0;
    for (int64_t time = begun; time < ends; time = now()) {
        int64_t wanted = rate > 0 ? (int64_t)((time - begun) / 1e9 * rate) : INT64_MAX;
        int full = 0;
        while (due < wanted && !full) {
            struct connection *one = NULL;
            for (int tries = 0; tries < total && !one; tries++, turn = (turn + 1) % total) {
                struct connection *candidate = &all[turn];
                if (candidate->count < depth && candidate->rest_length == 0
                    && connected(candidate)) one = candidate;
            }
            if (one) {
                ask(one, now());
                due++;
            } else if (rate <= 0) {
                full = 1;
            } else {
                dropped += wanted - due;
                due = wanted;
            }
        }
        int64_t pause = 1000000;
        if (rate > 0 && !full) pause = begun + (int64_t)((due + 1) / rate * 1e9) - now();
        if (pause < 0) pause = 0;
        if (pause > 1000000) pause = 1000000;
        handle(&(struct timespec){.tv_nsec = pause});
    }
    /* What is under way is waited for, but not for ever. */
    for (int64_t last = now() + 3000000000; now() < last;) {
        int left = 0;
        for (int place = 0; place < total; place++) left += all[place].count;
        if (left == 0) break;
        handle(&(struct timespec){.tv_nsec = 10000000});
    }
    int64_t open = 0;
    for (int place = 0; place < total; place++) open += all[place].count;
    int file = open64(arguments[6], O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || write(file, answered, request_count) != (ssize_t)request_count) fail("write");
    printf("{\"sent\":%ld,\"good\":%ld,\"dropped\":%ld,\"broken\":%ld,\"unanswered\":%ld,"
           "\"no_retry\":%ld,\"p50\":%.1f,\"p99\":%.1f,\"p999\":%.1f,\"slowest\":%.1f,"
           "\"statuses\":{", sent, good, dropped, broken, open, no_retry,
           percentile(0.5) / 1e3, percentile(0.99) / 1e3, percentile(0.999) / 1e3, slowest / 1e3);
    const char *comma = "";
    for (int status = 0; status < 600; status++) {
        if (!statuses[status]) continue;
        printf("%s\"%d\":%ld", comma, status, statuses[status]);
        comma = ",";
    }
    printf("}}\n");
    return 0;
}

static int hold(char **arguments) {
    int total = atoi(arguments[0]), period = atoi(arguments[1]), closed = 0, made = 0;
    double seconds = atof(arguments[2]);
    static const char request[] = "GET /v1/accounts/buyer-1/entitlements HTTP/1.1\r\nHost: x\r\n";
    int *files = calloc(total, sizeof *files);
    int64_t ends = now() + 20000000000, next;
    for (int place = 0; place < total; place++) {
        files[place] = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (files[place] < 0) fail("socket");
        while (connect(files[place], (struct sockaddr *)&address, sizeof address) != 0) {
            if (errno != EAGAIN || now() > ends) fail("connect");
            usleep(1000);
        }
        made++;
    }
    printf("here\n");
    fflush(stdout);
    next = now();
    ends = next + (int64_t)(seconds * 1e9);
    for (size_t turn = 0; now() < ends; turn++) {
        next += (period ? period : 100) * 1000000LL;
        for (int place = 0; period && place < made; place++)
            send(files[place], &request[turn % (sizeof request - 1)], 1, MSG_NOSIGNAL);
        while (now() < next && now() < ends) usleep(1000);
    }
    for (int place = 0; place < made; place++) {
        char byte;
        ssize_t got;
        while ((got = recv(files[place], &byte, 1, MSG_DONTWAIT)) > 0) {}
        closed += got == 0 || errno != EAGAIN;
    }
    printf("{\"made\":%d,\"closed\":%d}\n", made, closed);
    return 0;
}

int main(int count, char **arguments) {
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    if (count > 2) strncpy(address.sun_path, arguments[2], sizeof address.sun_path - 1);
    if (count == 10 && strcmp(arguments[1], "ask") == 0) return ask_all(arguments + 3);
    if (count == 6 && strcmp(arguments[1], "hold") == 0) return hold(arguments + 3);
    fprintf(stderr, "usage: load ask|hold SOCKET ...\n");
    return 64;
}
