/* SPDX-License-Identifier: MIT */
/*
 * The device and the objects that it makes. Each creation checks the interface's identifier against
 * the library of GUIDs.
 */
#include <string.h>

#include "standin_objects.h"

#define GIVE(call, expected, text)                                                                 \
    HRESULT hr = standin_result(call);                                                             \
    standin_expect_iid(iid, &(expected), text);                                                    \
    *made = NULL;                                                                                  \
    if (hr < 0)                                                                                    \
    return hr

/* Queue, fence. */

static void STDMETHODCALLTYPE execute_lists(ID3D12CommandQueue *self, UINT count,
                                            ID3D12CommandList *const *lists) {
    (void)self;
    if (count != 1 || ((standin_list *)lists[0])->open)
        standin_complain("an open list is executed");
    if (!standin_buffers_are_common())
        standin_complain("a list that leaves a buffer in another state than COMMON");
    standin.executions++;
}

static HRESULT STDMETHODCALLTYPE signal_fence(ID3D12CommandQueue *self, ID3D12Fence *fence,
                                              UINT64 value) {
    (void)self;
    if (!standin.fence_stays)
        ((standin_fence *)fence)->completed = value;
    return standin_result("Signal");
}

static HRESULT STDMETHODCALLTYPE frequency(ID3D12CommandQueue *self, UINT64 *ticks) {
    (void)self;
    *ticks = 5000000;
    return S_OK;
}

static UINT64 STDMETHODCALLTYPE completed(ID3D12Fence *self) {
    return standin.fence_removed ? UINT64_MAX : ((standin_fence *)self)->completed;
}

static const ID3D12CommandQueueVtbl queue_methods = {
    STANDIN_UNKNOWN(ID3D12CommandQueue), .ExecuteCommandLists = execute_lists,
    .Signal = signal_fence, .GetTimestampFrequency = frequency};
static const ID3D12FenceVtbl fence_methods = {STANDIN_UNKNOWN(ID3D12Fence),
                                              .GetCompletedValue = completed};

/* Objects without methods that matter. */

static HRESULT STDMETHODCALLTYPE reset_allocator(ID3D12CommandAllocator *self) {
    (void)self;
    return standin_result("ResetAllocator");
}

static const ID3D12CommandAllocatorVtbl allocator_methods = {
    STANDIN_UNKNOWN(ID3D12CommandAllocator), .Reset = reset_allocator};
static const ID3D12RootSignatureVtbl root_methods = {STANDIN_UNKNOWN(ID3D12RootSignature)};
static const ID3D12PipelineStateVtbl pipeline_methods = {STANDIN_UNKNOWN(ID3D12PipelineState)};
static const ID3D12QueryHeapVtbl heap_methods = {STANDIN_UNKNOWN(ID3D12QueryHeap)};

/* A descriptor heap, of which only the handles are used. */

static D3D12_CPU_DESCRIPTOR_HANDLE STDMETHODCALLTYPE heap_on_cpu(ID3D12DescriptorHeap *self) {
    return (D3D12_CPU_DESCRIPTOR_HANDLE){(SIZE_T)self};
}

static D3D12_GPU_DESCRIPTOR_HANDLE STDMETHODCALLTYPE heap_on_gpu(ID3D12DescriptorHeap *self) {
    return (D3D12_GPU_DESCRIPTOR_HANDLE){(UINT64)self};
}

static const ID3D12DescriptorHeapVtbl descriptor_methods = {
    STANDIN_UNKNOWN(ID3D12DescriptorHeap), .GetCPUDescriptorHandleForHeapStart = heap_on_cpu,
    .GetGPUDescriptorHandleForHeapStart = heap_on_gpu};

/* The device. */

static HRESULT STDMETHODCALLTYPE query(ID3D12Device *self, REFIID iid, void **made) {
    (void)self;
    *made = NULL;
    if (memcmp(iid, &IID_ID3D12InfoQueue, sizeof *iid) == 0 && standin.debug_layer)
        return standin_make_messages(made);
    return E_NOINTERFACE;
}

static HRESULT STDMETHODCALLTYPE create_queue(ID3D12Device *self,
                                              const D3D12_COMMAND_QUEUE_DESC *desc, REFIID iid,
                                              void **made) {
    (void)self;
    GIVE("CreateCommandQueue", IID_ID3D12CommandQueue, "the IID of a queue");
    if (desc->Type != D3D12_COMMAND_LIST_TYPE_COMPUTE)
        standin_complain("a queue that is not for computing");
    *made = standin_make(sizeof(standin_object), &queue_methods);
    return S_OK;
}

static HRESULT STDMETHODCALLTYPE create_allocator(ID3D12Device *self, D3D12_COMMAND_LIST_TYPE type,
                                                  REFIID iid, void **made) {
    (void)self;
    (void)type;
    GIVE("CreateCommandAllocator", IID_ID3D12CommandAllocator, "the IID of an allocator");
    *made = standin_make(sizeof(standin_object), &allocator_methods);
    return S_OK;
}

static HRESULT STDMETHODCALLTYPE create_list(ID3D12Device *self, UINT mask,
                                             D3D12_COMMAND_LIST_TYPE type,
                                             ID3D12CommandAllocator *allocator,
                                             ID3D12PipelineState *state, REFIID iid, void **made) {
    (void)self;
    GIVE("CreateCommandList", IID_ID3D12GraphicsCommandList, "the IID of a list");
    if (mask || type != D3D12_COMMAND_LIST_TYPE_COMPUTE || !allocator || state)
        standin_complain("arguments of CreateCommandList");
    return standin_make_list(made);
}

static HRESULT STDMETHODCALLTYPE create_fence(ID3D12Device *self, UINT64 value,
                                              D3D12_FENCE_FLAGS flags, REFIID iid, void **made) {
    (void)self;
    (void)flags;
    GIVE("CreateFence", IID_ID3D12Fence, "the IID of a fence");
    standin_fence *fence = standin_make(sizeof *fence, &fence_methods);
    fence->completed = value;
    *made = fence;
    return S_OK;
}

static HRESULT STDMETHODCALLTYPE create_heap(ID3D12Device *self, const D3D12_QUERY_HEAP_DESC *desc,
                                             REFIID iid, void **made) {
    (void)self;
    GIVE("CreateQueryHeap", IID_ID3D12QueryHeap, "the IID of a query heap");
    if (desc->Type != D3D12_QUERY_HEAP_TYPE_TIMESTAMP || desc->Count != 2)
        standin_complain("arguments of CreateQueryHeap");
    *made = standin_make(sizeof(standin_object), &heap_methods);
    return S_OK;
}

static HRESULT STDMETHODCALLTYPE create_descriptors(ID3D12Device *self,
                                                    const D3D12_DESCRIPTOR_HEAP_DESC *desc,
                                                    REFIID iid, void **made) {
    (void)self;
    GIVE("CreateDescriptorHeap", IID_ID3D12DescriptorHeap, "the IID of a descriptor heap");
    if (desc->Type != D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV || !desc->NumDescriptors ||
        desc->Flags != D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE)
        standin_complain("arguments of CreateDescriptorHeap");
    *made = standin_make(sizeof(standin_object), &descriptor_methods);
    return S_OK;
}

static HRESULT STDMETHODCALLTYPE create_root(ID3D12Device *self, UINT mask, const void *blob,
                                             SIZE_T bytes, REFIID iid, void **made) {
    (void)self;
    GIVE("CreateRootSignature", IID_ID3D12RootSignature, "the IID of a root signature");
    if (mask || !blob || !bytes)
        standin_complain("arguments of CreateRootSignature");
    *made = standin_make(sizeof(standin_object), &root_methods);
    return S_OK;
}

static HRESULT STDMETHODCALLTYPE create_pipeline(ID3D12Device *self,
                                                 const D3D12_COMPUTE_PIPELINE_STATE_DESC *desc,
                                                 REFIID iid, void **made) {
    (void)self;
    GIVE("CreateComputePipelineState", IID_ID3D12PipelineState, "the IID of a pipeline");
    if (!desc->pRootSignature || !desc->CS.pShaderBytecode || !desc->CS.BytecodeLength ||
        memcmp(desc->CS.pShaderBytecode, "DXBC", 4) != 0)
        standin_complain("arguments of CreateComputePipelineState");
    *made = standin_make(sizeof(standin_object), &pipeline_methods);
    return S_OK;
}

static HRESULT STDMETHODCALLTYPE
create_resource(ID3D12Device *self, const D3D12_HEAP_PROPERTIES *heap, D3D12_HEAP_FLAGS flags,
                const D3D12_RESOURCE_DESC *desc, D3D12_RESOURCE_STATES state,
                const D3D12_CLEAR_VALUE *clear, REFIID iid, void **made) {
    (void)self;
    standin_expect_iid(iid, &IID_ID3D12Resource, "the IID of a resource");
    if (flags || clear || !desc->Width || desc->Width % 4 ||
        desc->Dimension != D3D12_RESOURCE_DIMENSION_BUFFER || desc->Height != 1 ||
        desc->DepthOrArraySize != 1 || desc->MipLevels != 1 || desc->SampleDesc.Count != 1 ||
        desc->Layout != D3D12_TEXTURE_LAYOUT_ROW_MAJOR)
        standin_complain("the description of a buffer");
    return standin_make_resource(heap->Type, desc->Width, state, made);
}

static HRESULT STDMETHODCALLTYPE features(ID3D12Device *self, D3D12_FEATURE feature, void *data,
                                          UINT bytes) {
    (void)self;
    if (feature == D3D12_FEATURE_D3D12_OPTIONS1 &&
        bytes == sizeof(D3D12_FEATURE_DATA_D3D12_OPTIONS1)) {
        *(D3D12_FEATURE_DATA_D3D12_OPTIONS1 *)data =
            (D3D12_FEATURE_DATA_D3D12_OPTIONS1){.WaveOps = TRUE,
                                                .WaveLaneCountMin = 32,
                                                .WaveLaneCountMax = 64,
                                                .Int64ShaderOps = TRUE};
        return S_OK;
    }
    if (feature == D3D12_FEATURE_D3D12_OPTIONS4 &&
        bytes == sizeof(D3D12_FEATURE_DATA_D3D12_OPTIONS4)) {
        ((D3D12_FEATURE_DATA_D3D12_OPTIONS4 *)data)->Native16BitShaderOpsSupported = TRUE;
        return S_OK;
    }
    D3D12_FEATURE_DATA_SHADER_MODEL *model = data;
    if (!standin.old_runtime && feature == D3D12_FEATURE_SHADER_MODEL &&
        model->HighestShaderModel <= 0x66) {
        model->HighestShaderModel = (D3D_SHADER_MODEL)0x65;
        return S_OK;
    }
    return E_INVALIDARG;
}

static HRESULT STDMETHODCALLTYPE removed_reason(ID3D12Device *self) {
    (void)self;
    return standin.removed_reason;
}

static const ID3D12DeviceVtbl device_methods = {STANDIN_UNKNOWN(ID3D12Device),
                                                .QueryInterface = query,
                                                .CreateCommandQueue = create_queue,
                                                .CreateCommandAllocator = create_allocator,
                                                .CreateCommandList = create_list,
                                                .CreateFence = create_fence,
                                                .CreateQueryHeap = create_heap,
                                                .CreateDescriptorHeap = create_descriptors,
                                                .CreateRootSignature = create_root,
                                                .CreateComputePipelineState = create_pipeline,
                                                .CreateCommittedResource = create_resource,
                                                .CheckFeatureSupport = features,
                                                .GetDeviceRemovedReason = removed_reason};

HRESULT standin_make_device(REFIID iid, void **made) {
    GIVE("CreateDevice", IID_ID3D12Device, "the IID of a device");
    *made = standin_make(sizeof(standin_object), &device_methods);
    return S_OK;
}
