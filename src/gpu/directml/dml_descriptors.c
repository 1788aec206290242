/* SPDX-License-Identifier: MIT */
/* The descriptor heap that DirectML writes its descriptors into. */
#include "dml_session.h"

/* Enough for every operator seen so far; a heap is replaced where one needs more. */
#define DESCRIPTORS_LEAST 64u

static const IID iid_descriptor_heap = {
    0x8efb471d, 0x616c, 0x4f49, {0x90, 0xf7, 0x12, 0x7b, 0xb7, 0x63, 0xfa, 0x51}};

gpu_status dml_descriptors_reserve(dml_session *session, uint32_t count, gpu_failure *why) {
    if (session->heap && session->descriptors >= count)
        return GPU_OK;
    const D3D12_DESCRIPTOR_HEAP_DESC desc = {
        .Type = D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV,
        .NumDescriptors = count < DESCRIPTORS_LEAST ? DESCRIPTORS_LEAST : count,
        .Flags = D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE};
    if (session->heap) {
        ID3D12DescriptorHeap_Release(session->heap);
        session->heap = NULL;
    }
    session->descriptors = 0;
    HRESULT hr = ID3D12Device_CreateDescriptorHeap(session->device->d3d, &desc,
                                                   &iid_descriptor_heap, (void **)&session->heap);
    if (hr < 0) {
        session->heap = NULL;
        return d3d12_fail(session->device, hr, "CreateDescriptorHeap", why);
    }
    session->descriptors = desc.NumDescriptors;
    return GPU_OK;
}
