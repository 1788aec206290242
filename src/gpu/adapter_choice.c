/* SPDX-License-Identifier: MIT */
#include "adapter_choice.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool begins_with(const char *text, const char *part) {
    for (; *part; text++, part++)
        if (tolower((unsigned char)*text) != tolower((unsigned char)*part))
            return false;
    return true;
}

static bool contains(const char *text, const char *part) {
    for (; *text; text++)
        if (begins_with(text, part))
            return true;
    return false;
}

/* "#1": two adapters may have one name. */
static bool has_number(const char *part, size_t index) {
    char number[24];
    snprintf(number, sizeof number, "#%zu", index);
    return strcmp(part, number) == 0;
}

gpu_status cumsum_gpu_choose_adapter(const gpu_adapter *list, size_t count, const char *part,
                                     size_t *index, gpu_failure *why) {
    for (size_t i = 0; i < count; i++) {
        if (!part || has_number(part, i) || contains(list[i].name, part)) {
            *index = i;
            return GPU_OK;
        }
    }
    *why = (gpu_failure){.status = GPU_UNAVAILABLE};
    size_t used = (size_t)snprintf(why->message, sizeof why->message,
                                   "no adapter's name contains '%.64s'; there are", part);
    for (size_t i = 0; i < count && used < sizeof why->message; i++) {
        used += (size_t)snprintf(why->message + used, sizeof why->message - used, "%s '%s'",
                                 i ? "," : "", list[i].name);
    }
    return GPU_UNAVAILABLE;
}
