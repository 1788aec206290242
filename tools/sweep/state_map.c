/* SPDX-License-Identifier: MIT */
#include "state_map.h"

#include <stdlib.h>

#include "memory.h"

bool state_map_add(state_map *map, const char *name, sweep_state state) {
    if (!name_set_add(&map->names, name))
        return false;
    if (map->names.count > map->room) {
        map->room = map->room ? 2 * map->room : 64;
        map->states = tool_realloc(map->states, map->room, sizeof *map->states);
    }
    map->states[map->names.count - 1] = state;
    return true;
}

bool state_map_find(const state_map *map, const char *name, sweep_state *state) {
    size_t index = name_set_find(&map->names, name);
    if (index == SIZE_MAX)
        return false;
    *state = map->states[index];
    return true;
}

void state_map_free(state_map *map) {
    name_set_free(&map->names);
    free(map->states);
    *map = (state_map){0};
}
