/* SPDX-License-Identifier: MIT */
/* The names in an array, and where they are many a hash table with open addressing. */
#include "name_set.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* So many names are found as fast one after the other. */
#define FEW 8

uint64_t name_hash(const char *name) {
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001B3);
    return hash;
}

/* The slot that has the name, or where it belongs. Names that differ in their last letter differ in
 * the low half of the hash little, so both halves count. */
static size_t slot_of_name(const name_set *set, const char *name) {
    const uint64_t hash = name_hash(name);
    size_t slot = (hash ^ hash >> 32) % set->slot_count;
    while (set->slots[slot] && strcmp(set->names[set->slots[slot] - 1], name) != 0)
        slot = (slot + 1) % set->slot_count;
    return slot;
}

/* A table that is a quarter full. */
static void make_slots(name_set *set) {
    free(set->slots);
    set->slot_count = 4 * set->count;
    set->slots = tool_calloc(set->slot_count, sizeof *set->slots);
    for (size_t i = 0; i < set->count; i++)
        set->slots[slot_of_name(set, set->names[i])] = i + 1;
}

bool name_set_add(name_set *set, const char *name) {
    if (name_set_has(set, name))
        return false;
    set->names = tool_grow(set->names, set->count, sizeof *set->names);
    set->names[set->count++] = tool_strdup(name);
    if (set->count > FEW && 2 * set->count > set->slot_count)
        make_slots(set);
    else if (set->slots)
        set->slots[slot_of_name(set, name)] = set->count;
    return true;
}

bool name_set_has(const name_set *set, const char *name) {
    return name_set_find(set, name) != SIZE_MAX;
}

size_t name_set_find(const name_set *set, const char *name) {
    if (set->slots) {
        const size_t place = set->slots[slot_of_name(set, name)];
        return place ? place - 1 : SIZE_MAX;
    }
    for (size_t i = 0; i < set->count; i++)
        if (strcmp(set->names[i], name) == 0)
            return i;
    return SIZE_MAX;
}

void name_set_free(name_set *set) {
    for (size_t i = 0; i < set->count; i++)
        free(set->names[i]);
    free(set->names);
    free(set->slots);
    *set = (name_set){0};
}
