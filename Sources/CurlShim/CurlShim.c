#include "CurlShim.h"

#include <dlfcn.h>

/// `CURLMsg`.
struct message { int kind; void *easy; union { void *unused; int result; } data; };

/// What is called of libcurl, variadic where libcurl is.
static struct {
    int (*global_init)(long);
    void *(*easy_init)(void);
    void (*easy_cleanup)(void *);
    int (*easy_setopt)(void *, int, ...);
    int (*easy_getinfo)(void *, int, ...);
    void *(*slist_append)(void *, const char *);
    void (*slist_free_all)(void *);
    void *(*multi_init)(void);
    int (*multi_cleanup)(void *);
    int (*multi_add_handle)(void *, void *);
    int (*multi_remove_handle)(void *, void *);
    int (*multi_perform)(void *, int *);
    struct message *(*multi_info_read)(void *, int *);
    int (*multi_poll)(void *, void *, unsigned, int, int *);
    int (*multi_wakeup)(void *);
} curl;

// Numbers of libcurl's interface, which do not change.
enum { CURL_GLOBAL_DEFAULT = 3, CURLMSG_DONE = 1, CURLINFO_RESPONSE_CODE = 0x200002 };
enum { CURLOPT_WRITEDATA = 10001, CURLOPT_HEADERDATA = 10029 };
enum { CURLOPT_WRITEFUNCTION = 20011, CURLOPT_HEADERFUNCTION = 20079 };

#define FIND(name) ((curl.name = (__typeof__(curl.name))dlsym(library, "curl_" #name)) != NULL)

bool shim_open(void) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return false;
    return FIND(global_init) && FIND(easy_init) && FIND(easy_cleanup) && FIND(easy_setopt)
        && FIND(easy_getinfo) && FIND(slist_append) && FIND(slist_free_all) && FIND(multi_init)
        && FIND(multi_cleanup) && FIND(multi_add_handle) && FIND(multi_remove_handle)
        && FIND(multi_perform) && FIND(multi_info_read) && FIND(multi_poll) && FIND(multi_wakeup)
        && curl.global_init(CURL_GLOBAL_DEFAULT) == 0;
}

void *shim_easy_init(void) { return curl.easy_init(); }
void shim_easy_cleanup(void *easy) { curl.easy_cleanup(easy); }
bool shim_set_number(void *easy, int option, long value) {
    return curl.easy_setopt(easy, option, value) == 0;
}
bool shim_set_bytes(void *easy, int option, const void *bytes) {
    return curl.easy_setopt(easy, option, bytes) == 0;
}
bool shim_set_receivers(void *easy, CurlReceiver head, CurlReceiver body, void *context) {
    return curl.easy_setopt(easy, CURLOPT_HEADERFUNCTION, head) == 0
        && curl.easy_setopt(easy, CURLOPT_HEADERDATA, context) == 0
        && curl.easy_setopt(easy, CURLOPT_WRITEFUNCTION, body) == 0
        && curl.easy_setopt(easy, CURLOPT_WRITEDATA, context) == 0;
}
void *shim_slist_append(void *list, const char *text) { return curl.slist_append(list, text); }
void shim_slist_free_all(void *list) { curl.slist_free_all(list); }

void *shim_multi_init(void) { return curl.multi_init(); }
void shim_multi_cleanup(void *multi) { curl.multi_cleanup(multi); }
bool shim_multi_add(void *multi, void *easy) { return curl.multi_add_handle(multi, easy) == 0; }
void shim_multi_remove(void *multi, void *easy) { curl.multi_remove_handle(multi, easy); }
void *shim_multi_perform(void *multi, int *result, long *status) {
    int count = 0;
    curl.multi_perform(multi, &count);
    for (struct message *next; (next = curl.multi_info_read(multi, &count)) != NULL;) {
        if (next->kind != CURLMSG_DONE) continue;
        *result = next->data.result;
        if (curl.easy_getinfo(next->easy, CURLINFO_RESPONSE_CODE, status) != 0) *status = 0;
        return next->easy;
    }
    return NULL;
}
void shim_multi_poll(void *multi, int milliseconds) {
    curl.multi_poll(multi, NULL, 0, milliseconds, NULL);
}
void shim_multi_wakeup(void *multi) { curl.multi_wakeup(multi); }
