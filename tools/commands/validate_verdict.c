/* SPDX-License-Identifier: MIT */
#include "validate_verdict.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "describe.h"
#include "json_make.h"
#include "report_fields.h"
#include "text.h"

/* DML_EXECUTION_FLAG_ALLOW_HALF_PRECISION_COMPUTATION, _DISABLE_META_COMMANDS and
 * _DESCRIPTORS_VOLATILE. */
#define KNOWN_EXECUTION_FLAGS 7u

/* Our verdict: true where DirectML would create and compile the operator. why is left empty then.
 */
static bool accepted(const descriptor_case *c, cumsum_feature_level level, char *why, size_t room) {
    cumsum_diagnostic diagnostic;
    why[0] = '\0';
    if (cumsum_validate(&c->op.desc, level ? level : c->level, &diagnostic) != CUMSUM_OK) {
        snprintf(why, room, "%s", diagnostic.message);
        return false;
    }
    if (c->execution_flags > KNOWN_EXECUTION_FLAGS) {
        snprintf(why, room, "executionFlags is %u; the rule: 0 to %u", c->execution_flags,
                 KNOWN_EXECUTION_FLAGS);
        return false;
    }
    return true;
}

/* Where Microsoft's helper for TotalTensorSizeInBytes wraps, whoever used it gets a rejection that
 * needs an explanation. */
static bool helper_wraps(const model_tensor *tensor, uint64_t *wrapped) {
    const cumsum_buffer_tensor_desc *b = &tensor->buffer;
    uint64_t exact;
    if (!tensor->present || cumsum_tensor_size(b->data_type, b->dimension_count, b->sizes,
                                               b->strides, &exact) != CUMSUM_INVALID_DESCRIPTOR)
        return false;
    *wrapped = cumsum_tensor_size_directml(b->data_type, b->dimension_count, b->sizes, b->strides);
    return true;
}

/* What the verdict alone does not tell; empty for most descriptors. */
static void describe_traps(const descriptor_case *c, bool valid, char *note, size_t room) {
    uint64_t wrapped;
    note[0] = '\0';
    if (valid && cumsum_output_may_overlap(&c->op.desc))
        snprintf(note, room, "output elements may share an address: the last line written stays");
    else if (helper_wraps(&c->op.input, &wrapped) || helper_wraps(&c->op.output, &wrapped))
        snprintf(note, room, "DMLCalcBufferTensorSize wraps here, to %" PRIu64, wrapped);
}

static json_object *verdict_fields(const descriptor_case *c, bool valid, const char *why,
                                   const char *note) {
    json_object *fields = json_make_object();
    fields_flag(fields, "valid", valid);
    if (c->has_hresult)
        fields_text(fields, "hresult", c->hresult_ok ? "S_OK" : "E_INVALIDARG");
    if (!valid)
        fields_text(fields, "reason", why);
    if (*note)
        fields_text(fields, "note", note);
    return fields;
}

/* "FLOAT32 2x3 axis 1 increasing inclusive"; desc is valid. */
static char *describe(const cumsum_operator_desc *desc) {
    text_buffer buffer;
    text_buffer_begin(&buffer);
    describe_operator(buffer.stream, desc);
    return text_buffer_end(&buffer);
}

void validate_show_verdict(report *r, const char *file, uint64_t line, const descriptor_case *c,
                           const device_verdict *device) {
    char device_words[DEVICE_WORDS];
    char why[512];
    char note[128];
    char summary[900];
    bool valid = accepted(c, r->options->level, why, sizeof why);
    describe_traps(c, valid, note, sizeof note);
    device_verdict_words(device, valid, device_words);
    bool as_recorded = c->has_hresult ? valid == c->hresult_ok : valid || device->asked;
    bool as_expected = as_recorded && (!device->asked || valid == device->accepts);
    const char *recorded = !c->has_hresult ? ""
                           : as_recorded   ? ", as recorded"
                           : valid         ? ", but E_INVALIDARG is recorded"
                                           : ", but S_OK is recorded";
    snprintf(summary, sizeof summary, "%s%s%s%s%s%s%s", valid ? "valid" : "rejected", recorded,
             device_words, valid ? "" : ": ", why,
             !*note  ? ""
             : valid ? "; note: "
                     : " Note: ",
             note);
    json_object *fields = r->options->json ? verdict_fields(c, valid, why, note) : NULL;
    if (fields)
        device_verdict_fields(device, fields);
    char *detail = valid && r->options->verbose ? describe(&c->op.desc) : NULL;
    result record = {.status = as_expected ? RESULT_PASS : RESULT_FAIL,
                     .event = "descriptor",
                     .file = file,
                     .line = line,
                     .name = c->name,
                     .summary = summary,
                     .detail = detail,
                     .fields = fields};
    report_result(r, &record);
    free(detail);
}
