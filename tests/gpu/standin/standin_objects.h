/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_STANDIN_OBJECTS_H
#define CUMSUM_TESTS_STANDIN_OBJECTS_H

/* The objects of the stand-in, in the calling convention that it is compiled for. */

#include "d3d12_abi.h"
#include "standin_control.h"

/* Every object begins with this. */
typedef struct standin_object {
    const void *methods;
    ULONG references;
    struct standin_object *next; /* of all that are alive */
} standin_object;

typedef struct standin_resource {
    standin_object object;
    D3D12_HEAP_TYPE heap;
    D3D12_RESOURCE_STATES state;
    UINT64 bytes;
    unsigned char *memory;
    struct standin_resource *next; /* of all that are alive */
} standin_resource;

typedef struct standin_fence {
    standin_object object;
    UINT64 completed;
} standin_fence;

typedef struct standin_list {
    standin_object object;
    bool open;
    bool has_root;
    standin_dispatch next; /* what a dispatch would find bound now */
} standin_list;

/* What a hand-made blob holds. */
typedef struct standin_blob {
    standin_object object;
    uint32_t data[4];
} standin_blob;

extern standin_control standin;

/* Makes an object of `size` bytes with one reference. */
void *standin_make(size_t size, const void *methods);

/* IUnknown's methods, for all kinds of objects alike. */
ULONG STDMETHODCALLTYPE standin_add_ref(standin_object *self);
ULONG STDMETHODCALLTYPE standin_release(standin_object *self);

/* The HRESULT of a call: the failure that was asked for, or S_OK. */
HRESULT standin_result(const char *call);

/* Keeps the first thing that is wrong. */
void standin_complain(const char *text);
void standin_expect_iid(REFIID given, REFIID expected, const char *text);

HRESULT standin_make_device(REFIID iid, void **made);
HRESULT standin_make_resource(D3D12_HEAP_TYPE heap, UINT64 bytes, D3D12_RESOURCE_STATES state,
                              void **resource);
HRESULT standin_make_list(void **list);
HRESULT standin_make_blob(void **blob);
HRESULT standin_make_debug(void **debug);
HRESULT standin_make_messages(void **messages);

/* The live resource that an address lies in, or NULL. */
standin_resource *standin_resource_at(const void *place);
void standin_forget_resource(standin_resource *resource);

#define STANDIN_UNKNOWN(type)                                                                      \
    .AddRef = (ULONG(STDMETHODCALLTYPE *)(type *))standin_add_ref,                                 \
    .Release = (ULONG(STDMETHODCALLTYPE *)(type *))standin_release

#endif
