#pragma once
#include <stddef.h>
#include <stdint.h>

/// libFuzzer's own loop: calls `target` with one input after the other and ends the process.
int LLVMFuzzerRunDriver(
    int *argc, char ***argv, int (*target)(const uint8_t *data, size_t size));
