/* SPDX-License-Identifier: MIT */
/* A command list that executes each command while it is recorded, and checks resource states. */
#include <string.h>

#include "standin_objects.h"

#define GROUPS D3D12_CS_DISPATCH_MAX_THREAD_GROUPS_PER_DIMENSION

static standin_list *list_of(ID3D12GraphicsCommandList *self) {
    standin_list *list = (standin_list *)self;
    if (!list->open)
        standin_complain("a command in a closed list");
    return list;
}

static HRESULT STDMETHODCALLTYPE close_list(ID3D12GraphicsCommandList *self) {
    list_of(self)->open = false;
    return standin_result("Close");
}

static HRESULT STDMETHODCALLTYPE reset(ID3D12GraphicsCommandList *self,
                                       ID3D12CommandAllocator *allocator,
                                       ID3D12PipelineState *pipeline) {
    standin_list *list = (standin_list *)self;
    if (list->open || !allocator || pipeline)
        standin_complain("Reset of an open list");
    list->open = true;
    list->has_root = false;
    list->wrote = false;
    memset(&list->next, 0, sizeof list->next);
    return standin_result("Reset");
}

static void transition(const D3D12_RESOURCE_TRANSITION_BARRIER *t) {
    standin_resource *resource = (standin_resource *)t->pResource;
    if (resource->heap != D3D12_HEAP_TYPE_DEFAULT || resource->state != t->StateBefore ||
        t->StateBefore == t->StateAfter ||
        t->Subresource != D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES)
        standin_complain("a transition that does not start where the resource is");
    resource->state = t->StateAfter;
}

static void STDMETHODCALLTYPE barrier(ID3D12GraphicsCommandList *self, UINT count,
                                      const D3D12_RESOURCE_BARRIER *barriers) {
    for (UINT i = 0; i < count; i++)
        if (barriers[i].Type == D3D12_RESOURCE_BARRIER_TYPE_TRANSITION)
            transition(&barriers[i].Transition);
        else {
            standin.barriers++;
            list_of(self)->wrote = false;
        }
}

static void STDMETHODCALLTYPE copy(ID3D12GraphicsCommandList *self, ID3D12Resource *to,
                                   UINT64 to_offset, ID3D12Resource *from, UINT64 from_offset,
                                   UINT64 bytes) {
    standin_resource *target = (standin_resource *)to;
    standin_resource *source = (standin_resource *)from;
    (void)list_of(self);
    if (target->state != D3D12_RESOURCE_STATE_COPY_DEST)
        standin_complain("a copy to a resource in another state");
    if (source->state != D3D12_RESOURCE_STATE_COPY_SOURCE &&
        source->state != D3D12_RESOURCE_STATE_GENERIC_READ)
        standin_complain("a copy from a resource in another state");
    if ((to_offset | from_offset | bytes) % 4)
        standin_complain("a copy of other than whole words");
    if (to_offset + bytes > target->bytes || from_offset + bytes > source->bytes) {
        standin_complain("a copy beyond a resource");
        return;
    }
    memcpy(target->memory + to_offset, source->memory + from_offset, bytes);
}

static void STDMETHODCALLTYPE set_heaps(ID3D12GraphicsCommandList *self, UINT count,
                                        ID3D12DescriptorHeap *const *heaps) {
    (void)list_of(self);
    if (count != 1 || !heaps[0])
        standin_complain("other than one descriptor heap");
}

static void STDMETHODCALLTYPE set_root(ID3D12GraphicsCommandList *self, ID3D12RootSignature *root) {
    list_of(self)->has_root = root != NULL;
}

static void STDMETHODCALLTYPE set_pipeline(ID3D12GraphicsCommandList *self,
                                           ID3D12PipelineState *pipeline) {
    list_of(self)->next.pipeline = pipeline;
}

static void STDMETHODCALLTYPE set_constants(ID3D12GraphicsCommandList *self, UINT parameter,
                                            UINT count, const void *data, UINT offset) {
    standin_list *list = list_of(self);
    if (parameter != 0 || offset + count > STANDIN_CONSTANTS) {
        standin_complain("constants that the root signature does not have");
        return;
    }
    memcpy(list->next.constants + offset, data, count * sizeof(uint32_t));
}

static void STDMETHODCALLTYPE set_uav(ID3D12GraphicsCommandList *self, UINT parameter,
                                      D3D12_GPU_VIRTUAL_ADDRESS address) {
    const unsigned char *place;
    memcpy(&place, &address, sizeof place);
    const standin_resource *resource = standin_resource_at(place);
    if (parameter < 1 || parameter > STANDIN_SLOTS || !resource || address % 4) {
        standin_complain("a binding that the root signature does not have, or of no resource");
        return;
    }
    if (resource->state != D3D12_RESOURCE_STATE_UNORDERED_ACCESS)
        standin_complain("a binding of a resource in another state");
    list_of(self)->next.bound[parameter - 1] = place;
}

/* What a shader would have done: answers, or a byte beside the output that changes. */
static void write_once(const standin_dispatch *d) {
    if (standin.answers)
        memcpy(standin_resource_at(d->bound[0])->memory, standin.answers, standin.answer_bytes);
    if (standin.strays)
        standin_resource_at(d->bound[1])->memory[standin.stray_byte] ^= 0xFF;
    standin.answers = NULL;
    standin.strays = false;
}

static void STDMETHODCALLTYPE dispatch(ID3D12GraphicsCommandList *self, UINT x, UINT y, UINT z) {
    standin_list *list = list_of(self);
    if (!list->has_root || !list->next.pipeline)
        standin_complain("a dispatch without a root signature or a pipeline");
    if (!x || !y || !z || x > GROUPS || y > GROUPS || z > GROUPS)
        standin_complain("a grid without groups, or with too many");
    write_once(&list->next);
    if (list->wrote)
        standin_complain("a dispatch without a barrier behind the one before");
    list->wrote = true;
    standin_dispatch done = list->next;
    done.groups[0] = x;
    done.groups[1] = y;
    done.groups[2] = z;
    standin.dispatches[standin.dispatch_count++ % STANDIN_DISPATCHES] = done;
}

static void STDMETHODCALLTYPE end_query(ID3D12GraphicsCommandList *self, ID3D12QueryHeap *heap,
                                        D3D12_QUERY_TYPE type, UINT index) {
    (void)list_of(self);
    if (!heap || type != D3D12_QUERY_TYPE_TIMESTAMP || index > 1)
        standin_complain("a query that the heap does not have");
}

/* Timestamps: the first is 1000, the second 1234. */
static void STDMETHODCALLTYPE resolve(ID3D12GraphicsCommandList *self, ID3D12QueryHeap *heap,
                                      D3D12_QUERY_TYPE type, UINT start, UINT count,
                                      ID3D12Resource *to, UINT64 offset) {
    static const UINT64 ticks[] = {1000, 1234};
    standin_resource *target = (standin_resource *)to;
    (void)list_of(self);
    if (!heap || type != D3D12_QUERY_TYPE_TIMESTAMP || start + count > 2 ||
        offset + count * sizeof *ticks > target->bytes ||
        target->state != D3D12_RESOURCE_STATE_COPY_DEST) {
        standin_complain("queries resolved to where they do not fit");
        return;
    }
    memcpy(target->memory + offset, ticks + start, count * sizeof *ticks);
}

static D3D12_COMMAND_LIST_TYPE STDMETHODCALLTYPE get_type(ID3D12GraphicsCommandList *self) {
    return list_of(self)->type;
}

static const ID3D12GraphicsCommandListVtbl methods = {STANDIN_UNKNOWN(ID3D12GraphicsCommandList),
                                                      .GetType = get_type,
                                                      .Close = close_list,
                                                      .Reset = reset,
                                                      .ResourceBarrier = barrier,
                                                      .CopyBufferRegion = copy,
                                                      .SetDescriptorHeaps = set_heaps,
                                                      .SetComputeRootSignature = set_root,
                                                      .SetPipelineState = set_pipeline,
                                                      .SetComputeRoot32BitConstants = set_constants,
                                                      .SetComputeRootUnorderedAccessView = set_uav,
                                                      .Dispatch = dispatch,
                                                      .EndQuery = end_query,
                                                      .ResolveQueryData = resolve};

HRESULT standin_make_list(void **list) {
    standin_list *made = standin_make(sizeof *made, &methods);
    made->open = true;
    made->type = D3D12_COMMAND_LIST_TYPE_COMPUTE;
    *list = made;
    return S_OK;
}
