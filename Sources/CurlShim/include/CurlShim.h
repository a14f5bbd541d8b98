#ifndef CURL_SHIM_H
#define CURL_SHIM_H

#include <stdbool.h>
#include <stddef.h>

/// Takes bytes of a head or of a body; to take fewer than there are ends the transfer.
typedef size_t (*CurlReceiver)(char *bytes, size_t size, size_t count, void *context);

/// Finds the system's libcurl (7.68 or later), to be called once. False where there is none.
bool shim_open(void);

// The functions of libcurl. Those that are variadic, which Swift cannot call, are here once for each
// type of value. None may be called before the library is found.

void *shim_easy_init(void);
void shim_easy_cleanup(void *easy);
bool shim_set_number(void *easy, int option, long value);
bool shim_set_bytes(void *easy, int option, const void *bytes);
bool shim_set_receivers(void *easy, CurlReceiver head, CurlReceiver body, void *context);
void *shim_slist_append(void *list, const char *text);
void shim_slist_free_all(void *list);
void *shim_multi_init(void);
void shim_multi_cleanup(void *multi);
bool shim_multi_add(void *multi, void *easy);
void shim_multi_remove(void *multi, void *easy);
/// Does what can be done at once. Returns a transfer that has ended, how (`CURLcode`) and with which
/// status of HTTP, or NULL.
void *shim_multi_perform(void *multi, int *result, long *status);
void shim_multi_poll(void *multi, int milliseconds);
/// The one function that other threads may call.
void shim_multi_wakeup(void *multi);

#endif
