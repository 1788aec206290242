/* SPDX-License-Identifier: MIT */
/* Buffers in host memory. The list of live resources maps an address that is bound to its buffer.
 */
#include <stdlib.h>

#include "standin_objects.h"

static standin_resource *first;

static standin_resource *resource_of(ID3D12Resource *self) {
    return (standin_resource *)self;
}

static HRESULT STDMETHODCALLTYPE map(ID3D12Resource *self, UINT subresource,
                                     const D3D12_RANGE *range, void **data) {
    (void)range;
    if (subresource || resource_of(self)->heap == D3D12_HEAP_TYPE_DEFAULT)
        standin_complain("Map of what cannot be mapped");
    *data = resource_of(self)->memory;
    return standin_result("Map");
}

static void STDMETHODCALLTYPE unmap(ID3D12Resource *self, UINT subresource,
                                    const D3D12_RANGE *range) {
    (void)self;
    (void)subresource;
    (void)range;
}

static D3D12_GPU_VIRTUAL_ADDRESS STDMETHODCALLTYPE address(ID3D12Resource *self) {
    return (D3D12_GPU_VIRTUAL_ADDRESS)(uintptr_t)resource_of(self)->memory;
}

static D3D12_RESOURCE_DESC STDMETHODCALLTYPE get_desc(ID3D12Resource *self) {
    const standin_resource *r = resource_of(self);
    return (D3D12_RESOURCE_DESC){.Dimension = r->dimension, .Width = r->bytes, .Flags = r->flags};
}

static const ID3D12ResourceVtbl methods = {STANDIN_UNKNOWN(ID3D12Resource), .Map = map,
                                           .Unmap = unmap, .GetDesc = get_desc,
                                           .GetGPUVirtualAddress = address};

HRESULT standin_make_resource(D3D12_HEAP_TYPE heap, UINT64 bytes, D3D12_RESOURCE_STATES state,
                              void **resource) {
    HRESULT hr = standin_result("CreateCommittedResource");
    if (hr < 0) {
        *resource = NULL;
        return hr;
    }
    standin_resource *made = standin_make(sizeof *made, &methods);
    if (heap == D3D12_HEAP_TYPE_DEFAULT && bytes > standin.largest_buffer)
        standin.largest_buffer = bytes;
    made->heap = heap;
    made->state = state;
    made->bytes = bytes;
    made->memory = aligned_alloc(256, (bytes + 255) / 256 * 256);
    made->next = first;
    first = made;
    *resource = made;
    return S_OK;
}

standin_resource *standin_resource_at(const void *place) {
    const unsigned char *byte = place;
    for (standin_resource *r = first; r; r = r->next)
        if (byte >= r->memory && byte < r->memory + r->bytes)
            return r;
    return NULL;
}

bool standin_buffers_are_common(void) {
    for (standin_resource *r = first; r; r = r->next)
        if (r->heap == D3D12_HEAP_TYPE_DEFAULT && r->state != D3D12_RESOURCE_STATE_COMMON)
            return false;
    return true;
}

void standin_forget_resource(standin_resource *resource) {
    for (standin_resource **r = &first; *r; r = &(*r)->next) {
        if (*r == resource) {
            *r = resource->next;
            free(resource->memory);
            return;
        }
    }
}
