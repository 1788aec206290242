/* SPDX-License-Identifier: MIT */
/* A hash table with open addressing and linear probing. */
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

/* The slot that holds the name, or the empty one where it belongs. */
static size_t *find_slot(const name_set *set, const char *name) {
    size_t i = (size_t)name_hash(name) & (set->slot_count - 1);
    while (set->slots[i] && strcmp(set->names[set->slots[i] - 1], name) != 0)
        i = (i + 1) & (set->slot_count - 1);
    return &set->slots[i];
}

/* Half of the slots, a power of two, stay empty. */
static void grow(name_set *set) {
    set->slot_count = set->slot_count ? 2 * set->slot_count : 256;
    free(set->slots);
    set->slots = tool_calloc(set->slot_count, sizeof *set->slots);
    set->names = tool_realloc(set->names, set->slot_count / 2, sizeof *set->names);
    for (size_t i = 0; i < set->count; i++)
        *find_slot(set, set->names[i]) = i + 1;
}

bool name_set_add(name_set *set, const char *name) {
    if (set->count == set->slot_count / 2)
        grow(set);
    size_t *slot = find_slot(set, name);
    if (*slot)
        return false;
    set->names[set->count++] = tool_strdup(name);
    *slot = set->count;
    return true;
}

bool name_set_has(const name_set *set, const char *name) {
    return name_set_find(set, name) != SIZE_MAX;
}

/* An empty slot holds 0, which is one below the first index. */
size_t name_set_find(const name_set *set, const char *name) {
    return set->slot_count ? *find_slot(set, name) - 1 : SIZE_MAX;
}

void name_set_free(name_set *set) {
    for (size_t i = 0; i < set->count; i++)
        free(set->names[i]);
    free(set->names);
    free(set->slots);
    *set = (name_set){0};
}
