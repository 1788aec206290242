/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_STANDIN_CONTROL_H
#define CUMSUM_TESTS_STANDIN_CONTROL_H

/*
 * The interface between the tests and a stand-in for Direct3D 12 of WSL. Buffers are host memory,
 * copies are executed, dispatches are recorded and do nothing. The stand-in checks resource states,
 * counts live objects, and fails calls on demand. Plain types only: the tests are compiled without
 * d3d12.h.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    STANDIN_CONSTANTS = 32,
    STANDIN_SLOTS = 3,
    STANDIN_DISPATCHES = 64
};

typedef struct standin_dispatch {
    uint32_t constants[STANDIN_CONSTANTS];
    const unsigned char *bound[STANDIN_SLOTS]; /* u0 to u2: the address that is bound */
    uint32_t groups[3];
    const void *pipeline;
} standin_dispatch;

typedef struct standin_control {
    /* Set by the test. */
    const char *failing_call; /* the method or function that returns failing_result */
    uint32_t failing_from;    /* the number in `calls` of the first that fails; 0: none */
    bool failing_once;        /* those behind it do not */
    int32_t failing_result;   /* an HRESULT */
    int32_t removed_reason;   /* of GetDeviceRemovedReason; 0: S_OK */
    bool fence_stays;         /* the fence is never signalled */
    bool fence_removed;       /* its value is UINT64_MAX */
    const char *message;      /* of the debug layer, once, after the next ExecuteCommandLists */
    bool no_debug_layer;
    uint32_t adapters;     /* in the list */
    bool old_runtime;      /* knows no shader model */
    uint32_t lowest_level; /* D3D_FEATURE_LEVEL: the only level of devices */
    const void *answers;   /* the next dispatch writes them to the start of u0; NULL: nothing */
    size_t answer_bytes;
    bool strays; /* the next dispatch changes this byte of the buffer that is u1 */
    uint64_t stray_byte;
    /* Recorded by the stand-in. */
    int live_objects;
    uint32_t calls; /* of those that can fail */
    uint64_t largest_buffer;
    const void *adapter; /* of the last CreateDevice */
    uint32_t level;
    bool debug_layer;
    const char *complaint; /* the first wrong state, binding or argument; NULL: none */
    standin_dispatch dispatches[STANDIN_DISPATCHES];
    uint32_t dispatch_count;
    uint32_t barriers; /* UAV barriers */
    uint32_t executions;
} standin_control;

/* Objects for tests of what takes the caller's. */
typedef struct standin_maker {
    void *(*device)(void);                                               /* an ID3D12Device */
    void *(*buffer)(uint64_t bytes, uint32_t dimension, uint32_t flags); /* an ID3D12Resource in
                                                      the state UNORDERED_ACCESS */
    const unsigned char *(*memory)(const void *buffer);
    void *(*list)(uint32_t type); /* an open ID3D12GraphicsCommandList */
    void (*release)(void *object);
} standin_maker;

/* Exported by the library. */
typedef standin_control *(*standin_control_function)(void);
standin_control *standin_get_control(void);
const standin_maker *standin_get_maker(void);

#endif
