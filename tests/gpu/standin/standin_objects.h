/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_STANDIN_OBJECTS_H
#define CUMSUM_TESTS_STANDIN_OBJECTS_H

/* The objects of the stand-in, in the calling convention that it is compiled for, and what its
 * files share. */

#include "d3d12_abi.h"
#include "standin_control.h"

/* Every object begins with this. */
typedef struct standin_object {
    const void *methods;
    ULONG references;
    struct standin_object *next; /* in the list of live objects */
} standin_object;

typedef struct standin_resource {
    standin_object object;
    D3D12_HEAP_TYPE heap;
    D3D12_RESOURCE_STATES state;
    UINT64 bytes;
    D3D12_RESOURCE_DIMENSION dimension;
    D3D12_RESOURCE_FLAGS flags;
    unsigned char *memory;
    struct standin_resource *next; /* in the list of live resources */
} standin_resource;

typedef struct standin_fence {
    standin_object object;
    UINT64 completed;
} standin_fence;

typedef struct standin_list {
    standin_object object;
    bool open;
    bool has_root;
    bool wrote; /* a dispatch, since the last UAV barrier */
    D3D12_COMMAND_LIST_TYPE type;
    standin_dispatch next; /* the bindings of the next dispatch */
} standin_list;

extern standin_control standin;

/* Makes an object of `size` bytes with one reference. */
void *standin_make(size_t size, const void *methods);

/* IUnknown's methods, for all kinds of objects alike. */
ULONG STDMETHODCALLTYPE standin_add_ref(standin_object *self);
ULONG STDMETHODCALLTYPE standin_release(standin_object *self);

/* The HRESULT of a call: the failure that the test asked for, or S_OK. */
HRESULT standin_result(const char *call);

/* Keeps the first complaint. */
void standin_complain(const char *text);
void standin_expect_iid(REFIID given, REFIID expected, const char *text);

HRESULT standin_make_device(REFIID iid, void **made);
HRESULT standin_make_resource(D3D12_HEAP_TYPE heap, UINT64 bytes, D3D12_RESOURCE_STATES state,
                              void **resource);
HRESULT standin_make_list(void **list);
HRESULT standin_make_debug(void **debug);
HRESULT standin_make_messages(void **messages);

/* The live resource that contains an address, or NULL. */
standin_resource *standin_resource_at(const void *place);
/* Direct3D brings buffers into the state COMMON when a list was executed, whatever the driver
 * believes. */
bool standin_buffers_are_common(void);
void standin_forget_resource(standin_resource *resource);

#define STANDIN_EXPORT __attribute__((visibility("default")))

/* The initializers of IUnknown's methods in a table of methods. */
#define STANDIN_UNKNOWN(type)                                                                      \
    .AddRef = (ULONG(STDMETHODCALLTYPE *)(type *))standin_add_ref,                                 \
    .Release = (ULONG(STDMETHODCALLTYPE *)(type *))standin_release

#endif
