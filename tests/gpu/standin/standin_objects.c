/* SPDX-License-Identifier: MIT */
/* Live objects, reference counts, failures on demand, complaints. */
#include "standin_objects.h"

#include <stdlib.h>
#include <string.h>

standin_control standin = {.adapters = 2};

__attribute__((visibility("default"))) standin_control *standin_get_control(void) {
    return &standin;
}

static standin_object *alive;

static void forget(const standin_object *object) {
    for (standin_object **o = &alive; *o; o = &(*o)->next) {
        if (*o == object) {
            *o = object->next;
            return;
        }
    }
}

void *standin_make(size_t size, const void *methods) {
    standin_object *made = calloc(1, size);
    if (!made)
        abort();
    *made = (standin_object){methods, 1, alive};
    alive = made;
    standin.live_objects++;
    return made;
}

ULONG STDMETHODCALLTYPE standin_add_ref(standin_object *self) {
    return ++self->references;
}

ULONG STDMETHODCALLTYPE standin_release(standin_object *self) {
    ULONG left = --self->references;
    if (!left) {
        standin.live_objects--;
        forget(self);
        standin_forget_resource((standin_resource *)self);
        free(self);
    }
    return left;
}

HRESULT standin_result(const char *call) {
    const bool named = standin.failing_call && strcmp(standin.failing_call, call) == 0;
    const uint32_t number = ++standin.calls;
    const bool counted = standin.failing_once
                             ? number == standin.failing_from
                             : standin.failing_from && number >= standin.failing_from;
    return named || counted ? standin.failing_result : S_OK;
}

void standin_complain(const char *text) {
    if (!standin.complaint)
        standin.complaint = text;
}

void standin_expect_iid(REFIID given, REFIID expected, const char *text) {
    if (memcmp(given, expected, sizeof *given) != 0)
        standin_complain(text);
}

static void *make_device(void) {
    void *device;
    return standin_make_device(&IID_ID3D12Device, &device) < 0 ? NULL : device;
}

static void *make_buffer(uint64_t bytes, uint32_t dimension, uint32_t flags) {
    void *made;
    if (standin_make_resource(D3D12_HEAP_TYPE_DEFAULT, bytes, D3D12_RESOURCE_STATE_UNORDERED_ACCESS,
                              &made) < 0)
        return NULL;
    ((standin_resource *)made)->dimension = (D3D12_RESOURCE_DIMENSION)dimension;
    ((standin_resource *)made)->flags = (D3D12_RESOURCE_FLAGS)flags;
    return made;
}

static const unsigned char *memory_of(const void *buffer) {
    return ((const standin_resource *)buffer)->memory;
}

static void *make_list(uint32_t type) {
    void *made;
    if (standin_make_list(&made) < 0)
        return NULL;
    ((standin_list *)made)->type = (D3D12_COMMAND_LIST_TYPE)type;
    return made;
}

static void release_object(void *object) {
    standin_release(object);
}

static const standin_maker maker = {make_device, make_buffer, memory_of, make_list, release_object};

__attribute__((visibility("default"))) const standin_maker *standin_get_maker(void) {
    return &maker;
}
