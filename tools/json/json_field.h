/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_JSON_FIELD_H
#define CUMSUM_TOOLS_JSON_FIELD_H

/* Values of a wanted type, or an error that says what was wanted and what is there. */

#include "json_value.h"

/* The member, or an error that it is required. null counts as missing. */
tool_status json_need(const json_value *object, const char *name, json_value *member,
                      tool_error *error);

tool_status json_need_type(const json_value *object, const char *name, json_type type,
                           json_value *member, tool_error *error);

/* *text belongs to the document. */
tool_status json_to_string(const json_value *value, const char **text, tool_error *error);
tool_status json_to_bool(const json_value *value, bool *flag, tool_error *error);

/* An integer between minimum and maximum, both included. type names the type in errors. */
tool_status json_to_integer(const json_value *value, const char *type, int64_t minimum,
                            uint64_t maximum, uint64_t *number, tool_error *error);

/* An optional member, absent or null: *number stays as it is. */
tool_status json_optional_uint64(const json_value *object, const char *name, uint64_t *number,
                                 tool_error *error);
tool_status json_optional_uint32(const json_value *object, const char *name, uint32_t *number,
                                 tool_error *error);

#endif
