/* SPDX-License-Identifier: MIT */
/*
 * Finds an adapter by a part of its name or by its number. All platforms share it, so that
 * --adapter means the same on each. Case folding is ASCII only: adapter names are in English.
 */
#include "adapter_choice.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool begins_with(const char *text, const char *prefix) {
    for (; *prefix; text++, prefix++)
        if (tolower((unsigned char)*text) != tolower((unsigned char)*prefix))
            return false;
    return true;
}

static bool contains(const char *text, const char *pattern) {
    for (; *text; text++)
        if (begins_with(text, pattern))
            return true;
    return false;
}

/* Numbers select among adapters that have the same name. */
static bool is_number(const char *pattern, size_t index) {
    char number[24];
    snprintf(number, sizeof number, "#%zu", index);
    return strcmp(pattern, number) == 0;
}

gpu_status cumsum_gpu_choose_adapter(const gpu_adapter *list, size_t count, const char *pattern,
                                     size_t *index, gpu_failure *why) {
    for (size_t i = 0; i < count; i++) {
        if (!pattern || is_number(pattern, i) || contains(list[i].name, pattern)) {
            *index = i;
            return GPU_OK;
        }
    }
    *why = (gpu_failure){.status = GPU_UNAVAILABLE};
    size_t used = (size_t)snprintf(why->message, sizeof why->message,
                                   "no adapter's name contains '%.64s'; there are", pattern);
    for (size_t i = 0; i < count && used < sizeof why->message; i++) {
        used += (size_t)snprintf(why->message + used, sizeof why->message - used, "%s '%s'",
                                 i ? "," : "", list[i].name);
    }
    return GPU_UNAVAILABLE;
}
