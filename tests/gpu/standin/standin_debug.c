/* SPDX-License-Identifier: MIT */
/* The debug layer's two interfaces, and root signatures: recorded, and serialized into a blob. */
#include <string.h>

#include "standin_objects.h"

static void STDMETHODCALLTYPE enable(ID3D12Debug *self) {
    (void)self;
    standin.debug_layer = true;
}

static const ID3D12DebugVtbl debug_methods = {STANDIN_UNKNOWN(ID3D12Debug),
                                              .EnableDebugLayer = enable};

HRESULT standin_make_debug(void **debug) {
    *debug = standin_make(sizeof(standin_object), &debug_methods);
    return S_OK;
}

/* If there is a message, it is the second of two: the first is a warning, which is no failure. */
static UINT64 STDMETHODCALLTYPE count_messages(ID3D12InfoQueue *self) {
    (void)self;
    return standin.message ? 2 : 0;
}

static HRESULT STDMETHODCALLTYPE get_message(ID3D12InfoQueue *self, UINT64 index,
                                             D3D12_MESSAGE *message, SIZE_T *bytes) {
    const char *text = index ? standin.message : "only a warning";
    (void)self;
    if (standin_result("GetMessage") < 0)
        return standin.failing_result;
    if (!message) {
        *bytes = sizeof *message + strlen(text) + 1;
        return S_FALSE;
    }
    char *copy = (char *)(message + 1);
    strcpy(copy, text);
    *message = (D3D12_MESSAGE){.Severity = index ? D3D12_MESSAGE_SEVERITY_ERROR
                                                 : D3D12_MESSAGE_SEVERITY_WARNING,
                               .pDescription = copy,
                               .DescriptionByteLength = strlen(text) + 1};
    return S_OK;
}

static void STDMETHODCALLTYPE clear_messages(ID3D12InfoQueue *self) {
    (void)self;
    standin.message = NULL;
}

static const ID3D12InfoQueueVtbl message_methods = {
    STANDIN_UNKNOWN(ID3D12InfoQueue), .GetNumStoredMessages = count_messages,
    .GetMessage = get_message, .ClearStoredMessages = clear_messages};

HRESULT standin_make_messages(void **messages) {
    *messages = standin_make(sizeof(standin_object), &message_methods);
    return S_OK;
}

static LPVOID STDMETHODCALLTYPE blob_data(ID3D10Blob *self) {
    return ((standin_blob *)self)->data;
}

static SIZE_T STDMETHODCALLTYPE blob_size(ID3D10Blob *self) {
    return sizeof((standin_blob *)self)->data;
}

static const ID3D10BlobVtbl blob_methods = {
    STANDIN_UNKNOWN(ID3D10Blob), .GetBufferPointer = blob_data, .GetBufferSize = blob_size};

static void record_root_signature(const D3D12_ROOT_SIGNATURE_DESC *desc) {
    standin.root_parameters = desc->NumParameters;
    for (UINT i = 0; i < desc->NumParameters && i < 8; i++) {
        const D3D12_ROOT_PARAMETER *p = &desc->pParameters[i];
        standin.root_types[i] = (uint32_t)p->ParameterType;
        if (p->ParameterType == D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS) {
            standin.root_registers[i] = p->Constants.ShaderRegister;
            standin.root_constants = p->Constants.Num32BitValues;
        } else {
            standin.root_registers[i] = p->Descriptor.ShaderRegister;
        }
    }
}

HRESULT standin_serialize(const D3D12_ROOT_SIGNATURE_DESC *desc, D3D_ROOT_SIGNATURE_VERSION version,
                          ID3DBlob **blob) {
    HRESULT hr = standin_result("SerializeRootSignature");
    if (version != D3D_ROOT_SIGNATURE_VERSION_1)
        standin_complain("another version of root signature");
    *blob = NULL;
    if (hr < 0)
        return hr;
    record_root_signature(desc);
    standin_blob *made = standin_make(sizeof *made, &blob_methods);
    made->data[0] = 0x13579BDF;
    *blob = (ID3DBlob *)made;
    return S_OK;
}
