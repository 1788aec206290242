/* SPDX-License-Identifier: MIT */
/* The debug layer's two interfaces, and what a serialized root signature lies in. */
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

/* Two messages where there is one to give: a warning, which is no failure, and an error. */
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

HRESULT standin_make_blob(void **blob) {
    standin_blob *made = standin_make(sizeof *made, &blob_methods);
    made->data[0] = 0x13579BDF;
    *blob = made;
    return S_OK;
}
