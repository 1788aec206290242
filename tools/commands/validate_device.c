/* SPDX-License-Identifier: MIT */
#include "validate_device.h"

#include <stdio.h>

#include "json_make.h"

#define E_INVALIDARG ((int32_t)0x80070057)

/* CompileOperator rejects execution flags with E_INVALIDARG; what else it answers is about the
 * device, and says nothing of the descriptor. */
tool_status device_verdict_ask(const executor *e, const descriptor_case *c, device_verdict *verdict,
                               tool_error *error) {
    cumsum_diagnostic diagnostic = {0};
    *verdict = (device_verdict){0};
    if (!e->device)
        return TOOL_OK;
    cumsum_status status = e->device->methods->ask(e->device, &c->op.desc, c->execution_flags,
                                                   verdict->hresults, &diagnostic);
    if (status != CUMSUM_OK) {
        return tool_fail(error, TOOL_ENVIRONMENT, "backend %s: %s", backend_name(e->backend),
                         diagnostic.message[0] ? diagnostic.message : cumsum_status_string(status));
    }
    verdict->asked = true;
    verdict->accepts = verdict->hresults[0] >= 0 && verdict->hresults[1] != E_INVALIDARG;
    return TOOL_OK;
}

void device_verdict_words(const device_verdict *v, bool valid, char words[DEVICE_WORDS]) {
    const bool created = v->hresults[0] >= 0;
    const unsigned answer = (unsigned)v->hresults[created];
    words[0] = '\0';
    if (v->asked && v->accepts != valid) {
        snprintf(words, DEVICE_WORDS, ", but DirectML answers 0x%08x to %s", answer,
                 created ? "CompileOperator" : "CreateOperator");
        if (v->accepts)
            snprintf(words, DEVICE_WORDS, ", but DirectML accepts it");
    } else if (v->asked && v->accepts && v->hresults[1] < 0) {
        snprintf(words, DEVICE_WORDS,
                 ", as DirectML says, which cannot compile it for this device (0x%08x)", answer);
    } else if (v->asked) {
        snprintf(words, DEVICE_WORDS, ", as DirectML says");
    }
}

static void add_hresult(json_object *object, const char *key, int32_t hresult) {
    char text[16];
    snprintf(text, sizeof text, "0x%08x", (unsigned)hresult);
    fields_text(object, key, text);
}

void device_verdict_fields(const device_verdict *v, json_object *fields) {
    if (v->asked) {
        json_object *object = json_make_object();
        fields_flag(object, "accepts", v->accepts);
        add_hresult(object, "createOperator", v->hresults[0]);
        add_hresult(object, "compileOperator", v->hresults[1]);
        json_put_member(fields, "directml", object);
    }
}
