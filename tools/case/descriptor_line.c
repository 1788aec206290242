/* SPDX-License-Identifier: MIT */
/* Reads a line of descriptors.jsonl: a descriptor, valid or not, and DirectML's verdict on it. */
#include <stdlib.h>
#include <string.h>

#include "case_file_reader.h"
#include "memory.h"

#define E_INVALIDARG UINT32_C(0x80070057)

/* S_OK, or false for E_INVALIDARG. */
static bool read_hresult(const json_value *value) {
    const bool is_text = json_type_of(value) == json_type_string;
    const char *text = is_text ? json_string(*value) : "";
    const uint32_t number =
        is_text ? 1 : (uint32_t)json_integer(*value, "an HRESULT", INT32_MIN, UINT32_MAX);
    const bool ok = strcmp(text, "S_OK") == 0 || number == 0;
    if (!ok && strcmp(text, "E_INVALIDARG") != 0 && number != E_INVALIDARG)
        json_fail_type(value, "\"S_OK\", \"E_INVALIDARG\", or their numbers 0 and 2147942487 or "
                              "-2147024809");
    return ok;
}

static cumsum_feature_level read_level(const json_value *value) {
    static const word_row levels[] = {{"2_1", CUMSUM_FEATURE_LEVEL_2_1},
                                      {"4_0", CUMSUM_FEATURE_LEVEL_4_0},
                                      {"5_0", CUMSUM_FEATURE_LEVEL_5_0},
                                      {NULL, 0}};
    int level = CUMSUM_FEATURE_LEVEL_DEFAULT;
    if (!word_find(levels, json_string(*value), &level))
        json_fail_type(value, "\"2_1\", \"4_0\" or \"5_0\"");
    return (cumsum_feature_level)level;
}

static void read_line(const json_value *line, descriptor_line *out) {
    json_value member;
    if (json_type_of(line) != json_type_object) {
        json_fail_type(line, "a descriptor, which is an object");
        return;
    }
    out->name = tool_strdup(json_optional(line, "name", &member) ? json_string(member) : "");
    if (!json_member(line, "Desc", &member))
        json_need(line, "desc");
    case_file_read_operator(line, CASE_FILE_ZERO_SIZE_KEPT, &out->op);
    out->has_hresult = json_optional(line, "hresult", &member);
    out->hresult_ok = out->has_hresult && read_hresult(&member);
    out->level = json_optional(line, "featureLevel", &member) ? read_level(&member)
                                                              : CUMSUM_FEATURE_LEVEL_DEFAULT;
    out->execution_flags = case_file_read_execution_flags(line);
}

tool_status descriptor_read_line(const char *text, size_t length, const char *path, uint64_t line,
                                 descriptor_line *out, tool_error *error) {
    json_document document;
    *out = (descriptor_line){0};
    if (json_parse(&document, text, length, path, line, error) == TOOL_OK) {
        const json_value root = json_root(&document);
        read_line(&root, out);
    }
    json_free(&document);
    if (document.status != TOOL_OK)
        descriptor_line_free(out);
    return document.status;
}

void descriptor_line_free(descriptor_line *c) {
    free(c->name);
    case_file_free_operator(&c->op);
    *c = (descriptor_line){0};
}
