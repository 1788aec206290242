/* SPDX-License-Identifier: MIT */
/*
 * The order of adapters, and how one is found by a part of its name or by its number. All platforms
 * share it, so that --backend d3d12:NAME means the same on each. Case folding is ASCII only:
 * adapter names are in English.
 */
#include "adapter_list.h"

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

void cumsum_adapters_order(adapter_list *list) {
    const adapter_list from = *list;
    size_t count = 0;
    for (int software = 0; software < 2; software++) {
        for (size_t i = 0; i < from.count; i++)
            if (from.at[i].adapter.software == (software != 0))
                list->at[count++] = from.at[i];
    }
}

void cumsum_adapters_copy(const adapter_list *list, cumsum_d3d12_adapter *to, size_t room,
                          size_t *count) {
    *count = list->count;
    for (size_t i = 0; i < list->count && i < room; i++)
        to[i] = list->at[i].adapter;
}

gpu_status cumsum_adapters_choose(const adapter_list *list, const char *pattern,
                                  const listed_adapter **chosen, gpu_failure *why) {
    for (size_t i = 0; i < list->count; i++) {
        if (!pattern || is_number(pattern, i) || contains(list->at[i].adapter.name, pattern)) {
            *chosen = &list->at[i];
            return GPU_OK;
        }
    }
    *why = (gpu_failure){.status = GPU_UNAVAILABLE};
    size_t used = (size_t)snprintf(why->message, sizeof why->message,
                                   "no adapter's name contains '%.64s'; there are", pattern);
    for (size_t i = 0; i < list->count && used < sizeof why->message; i++) {
        used += (size_t)snprintf(why->message + used, sizeof why->message - used, "%s '%s'",
                                 i ? "," : "", list->at[i].adapter.name);
    }
    return GPU_UNAVAILABLE;
}

void cumsum_adapter_version(cumsum_d3d12_adapter *adapter, uint64_t version) {
    if (version) {
        snprintf(adapter->driver, sizeof adapter->driver, "%u.%u.%u.%u", (unsigned)(version >> 48),
                 (unsigned)(version >> 32 & 0xFFFF), (unsigned)(version >> 16 & 0xFFFF),
                 (unsigned)(version & 0xFFFF));
    }
}
