/* SPDX-License-Identifier: MIT */
#include "model.h"

#include <stdlib.h>
#include <string.h>

#include "memory_limit.h"

void model_free(model *m) {
    if (!m)
        return;
    for (size_t i = 0; i < m->resource_count; i++) {
        free(m->resources[i].name);
        memory_release(m->resources[i].bytes);
    }
    for (size_t i = 0; i < m->dispatchable_count; i++) {
        free(m->dispatchables[i].name);
        model_free_operator(&m->dispatchables[i].op);
    }
    for (size_t i = 0; i < m->command_count; i++) {
        free(m->commands[i].target_path);
        free(m->commands[i].dimensions);
    }
    free(m->resources);
    free(m->dispatchables);
    free(m->commands);
    free(m->path);
    free(m);
}

model_resource *model_find_resource(const model *m, const char *name) {
    for (size_t i = 0; i < m->resource_count; i++)
        if (strcmp(m->resources[i].name, name) == 0)
            return &m->resources[i];
    return NULL;
}
