/* SPDX-License-Identifier: MIT */
/* What the debug layer has to say: Direct3D's own through its message queue, another one through
 * the platform. An error in a message is a failure of the call after which it is found. */
#include <stdio.h>
#include <stdlib.h>

#include "d3d12_device.h"

/* Message `index` as text, where it is an error. */
static bool error_text(ID3D12InfoQueue *messages, UINT64 index, char *text, size_t room) {
    SIZE_T size = 0;
    if (ID3D12InfoQueue_GetMessage(messages, index, NULL, &size) < 0 || !size)
        return false;
    D3D12_MESSAGE *message = malloc(size);
    bool found = message && ID3D12InfoQueue_GetMessage(messages, index, message, &size) >= 0 &&
                 message->Severity <= D3D12_MESSAGE_SEVERITY_ERROR;
    if (found)
        snprintf(text, room, "%s", message->pDescription);
    free(message);
    return found;
}

static bool stored_error(ID3D12InfoQueue *messages, char *text, size_t room) {
    UINT64 count = ID3D12InfoQueue_GetNumStoredMessages(messages);
    bool found = false;
    for (UINT64 i = 0; i < count && !found; i++)
        found = error_text(messages, i, text, room);
    ID3D12InfoQueue_ClearStoredMessages(messages);
    return found;
}

gpu_status d3d12_complaint(d3d12_device *device, const char *call, gpu_failure *why) {
    char text[sizeof why->message - 40] = "";
    bool found = device->messages && stored_error(device->messages, text, sizeof text);
    if (!found && d3d12_platform_here.complaint)
        found = d3d12_platform_here.complaint(&device->session, text, sizeof text);
    return found ? d3d12_refuse(why, GPU_REJECTED, "%s: the debug layer: %s", call, text) : GPU_OK;
}
