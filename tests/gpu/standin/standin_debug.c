/* SPDX-License-Identifier: MIT */
/* The debug layer's two interfaces. */
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
