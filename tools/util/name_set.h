/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_NAME_SET_H
#define CUMSUM_TOOLS_NAME_SET_H

/* Names, each once, in the order in which they came. All zero is an empty set. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct name_set {
    char **names;
    size_t count;
    size_t *slots; /* hash table: the index of a name plus 1, or 0; NULL while there are few */
    size_t slot_count;
} name_set;

/* Adds a copy of the name. False if the set has it already. */
bool name_set_add(name_set *set, const char *name);

bool name_set_has(const name_set *set, const char *name);

/* The index of a name in `names`; SIZE_MAX where the set does not have it. */
size_t name_set_find(const name_set *set, const char *name);

void name_set_free(name_set *set);

/* 64-bit FNV-1a (Fowler, Noll, Vo). Shards and file names depend on it, so it must not change. */
uint64_t name_hash(const char *name);

#endif
