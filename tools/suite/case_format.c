/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "case_name.h"
#include "layout.h"

/* The part of a name that is written already. */
typedef struct name_text {
    char *text;
    size_t used;
} name_text;

static void append(name_text *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void append(name_text *name, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(name->text + name->used, CASE_NAME_ROOM - name->used, format, arguments);
    va_end(arguments);
    name->used += length > 0 ? (size_t)length : 0;
}

static void append_tensor(name_text *name, const char *side, const case_tensor *tensor,
                          uint32_t rank) {
    char strides[LAYOUT_TEXT] = "packed";
    if (tensor->strided)
        layout_sizes_text(strides, rank, tensor->strides);
    append(name, ".%s-%s", side, strides);
    if (tensor->offset)
        append(name, "+%" PRIu32, tensor->offset);
}

void case_format(char name[CASE_NAME_ROOM], const case_spec *c) {
    char sizes[LAYOUT_TEXT];
    name_text text = {name, 0};
    layout_sizes_text(sizes, c->rank, c->sizes);
    append(&text, "%s.%s.%s.%s.%s.axis%" PRIu32, case_type_word(c->type),
           case_numerics_word(c->type, c->numerics), c->decreasing ? "decreasing" : "increasing",
           c->exclusive ? "exclusive" : "inclusive", sizes, c->axis);
    append_tensor(&text, "in", &c->input, c->rank);
    if (c->in_place)
        append(&text, ".in-place");
    else
        append_tensor(&text, "out", &c->output, c->rank);
    append(&text, ".%s.seed%" PRIu64, c->data->name, c->seed);
}
