/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_STATE_MAP_H
#define CUMSUM_TOOLS_STATE_MAP_H

/* Names of cases, each with a state. All zero is an empty map. */

#include "name_set.h"
#include "sweep_state.h"

typedef struct state_map {
    name_set names;
    sweep_state *states; /* one for each of the names */
    size_t room;
} state_map;

/* False where the name is there already: its state is left as it is. */
bool state_map_add(state_map *map, const char *name, sweep_state state);

/* False where the name is not there. */
bool state_map_find(const state_map *map, const char *name, sweep_state *state);

void state_map_free(state_map *map);

#endif
