/* SPDX-License-Identifier: MIT */
/* Reads a line of descriptors.jsonl: a descriptor, valid or not, and DirectML's verdict on it. */
#include <stdlib.h>
#include <string.h>

#include "case_file_reader.h"

#define E_INVALIDARG UINT32_C(0x80070057)

static tool_status fail_hresult(const json_value *value, tool_error *error) {
    return json_fail_type(value, error,
                          "\"S_OK\", \"E_INVALIDARG\", or their numbers 0 and 2147942487 or "
                          "-2147024809");
}

static tool_status read_hresult(const json_value *line, descriptor_line *out, tool_error *error) {
    json_value member;
    uint64_t number = 0;
    if (!json_member(line, "hresult", &member) || !member.object)
        return TOOL_OK;
    out->has_hresult = true;
    if (json_type_of(&member) == json_type_string) {
        const char *text = json_object_get_string(member.object);
        out->hresult_ok = strcmp(text, "S_OK") == 0;
        return out->hresult_ok || strcmp(text, "E_INVALIDARG") == 0 ? TOOL_OK
                                                                    : fail_hresult(&member, error);
    }
    tool_status status =
        json_to_integer(&member, "an HRESULT", INT32_MIN, UINT32_MAX, &number, error);
    out->hresult_ok = number == 0;
    if (status == TOOL_OK && number != 0 && (uint32_t)number != E_INVALIDARG)
        status = fail_hresult(&member, error);
    return status;
}

static tool_status read_level(const json_value *line, cumsum_feature_level *out,
                              tool_error *error) {
    static const struct {
        const char *name;
        cumsum_feature_level level;
    } levels[] = {{"2_1", CUMSUM_FEATURE_LEVEL_2_1},
                  {"4_0", CUMSUM_FEATURE_LEVEL_4_0},
                  {"5_0", CUMSUM_FEATURE_LEVEL_5_0}};
    json_value member;
    const char *text;
    *out = CUMSUM_FEATURE_LEVEL_DEFAULT;
    if (!json_member(line, "featureLevel", &member) || !member.object)
        return TOOL_OK;
    tool_status status = json_to_string(&member, &text, error);
    if (status != TOOL_OK)
        return status;
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        if (strcmp(text, levels[i].name) == 0) {
            *out = levels[i].level;
            return TOOL_OK;
        }
    }
    return json_fail_type(&member, error, "\"2_1\", \"4_0\" or \"5_0\"");
}

static tool_status read_name(const json_value *line, descriptor_line *out, tool_error *error) {
    json_value member;
    const char *text = "";
    tool_status status = TOOL_OK;
    if (json_member(line, "name", &member) && member.object)
        status = json_to_string(&member, &text, error);
    if (status == TOOL_OK) {
        out->name = strdup(text);
        status = out->name ? TOOL_OK : json_fail_memory(line, error);
    }
    return status;
}

static tool_status read_case(const json_value *line, descriptor_line *out, tool_error *error) {
    json_value desc;
    if (json_type_of(line) != json_type_object)
        return json_fail_type(line, error, "a descriptor, which is an object");
    tool_status status = read_name(line, out, error);
    if (status == TOOL_OK && !json_member(line, "Desc", &desc))
        status = json_need(line, "desc", &desc, error);
    if (status == TOOL_OK)
        status = case_file_read_operator(line, CASE_FILE_ZERO_SIZE_KEPT, &out->op, error);
    if (status == TOOL_OK)
        status = read_hresult(line, out, error);
    if (status == TOOL_OK)
        status = read_level(line, &out->level, error);
    return status == TOOL_OK ? case_file_read_execution_flags(line, &out->execution_flags, error)
                             : status;
}

tool_status descriptor_read_line(const char *text, size_t length, const char *path, uint64_t line,
                                 descriptor_line *out, tool_error *error) {
    json_document document;
    *out = (descriptor_line){0};
    tool_status status = json_open(&document, text, length, path, line, error);
    if (status == TOOL_OK) {
        json_value root = json_root(&document);
        status = read_case(&root, out, error);
    }
    json_close(&document);
    if (status != TOOL_OK)
        descriptor_line_free(out);
    return status;
}

void descriptor_line_free(descriptor_line *c) {
    free(c->name);
    case_file_free_operator(&c->op);
    *c = (descriptor_line){0};
}
