#ifndef C_LINUX_H
#define C_LINUX_H

// What Swift's Glibc module leaves out.
#include <stddef.h>
#include <sys/epoll.h>

void *memmem(const void *haystack, size_t haystack_length, const void *needle, size_t needle_length);

#endif
