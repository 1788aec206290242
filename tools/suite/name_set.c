/* SPDX-License-Identifier: MIT */
/* The names in an array, and json-c's hash table from each to its index. */
#include "name_set.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

uint64_t name_hash(const char *name) {
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001B3);
    return hash;
}

bool name_set_add(name_set *set, const char *name) {
    if (name_set_has(set, name))
        return false;
    if (!set->indices)
        set->indices = lh_kchar_table_new(256, NULL);
    set->names = tool_grow(set->names, set->count, sizeof *set->names);
    set->names[set->count] = tool_strdup(name);
    /* The table holds pointers: an index is put in as one, and never followed. */
    void *index = (void *)(uintptr_t)set->count; // NOLINT(performance-no-int-to-ptr)
    if (!set->indices || lh_table_insert(set->indices, set->names[set->count], index) != 0)
        tool_memory_is_out();
    set->count++;
    return true;
}

bool name_set_has(const name_set *set, const char *name) {
    return name_set_find(set, name) != SIZE_MAX;
}

size_t name_set_find(const name_set *set, const char *name) {
    void *index;
    return set->indices && lh_table_lookup_ex(set->indices, name, &index) ? (uintptr_t)index
                                                                          : SIZE_MAX;
}

void name_set_free(name_set *set) {
    for (size_t i = 0; i < set->count; i++)
        free(set->names[i]);
    free(set->names);
    if (set->indices)
        lh_table_free(set->indices);
    *set = (name_set){0};
}
