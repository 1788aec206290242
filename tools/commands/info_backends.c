/* SPDX-License-Identifier: MIT */
#include "info_backends.h"

#include <stdio.h>

#include "backends.h"
#include "executor.h"
#include "json_make.h"
#include "report_fields.h"
#include "text.h"

/* What opening a backend came to. */
typedef struct backend_state {
    bool available;
    char text[512]; /* the device, or why there is none; "" for the CPU */
} backend_state;

static backend_state ask(const tool_options *options, backend_choice backend) {
    backend_state state = {.available = backend == BACKEND_CPU};
    tool_error error;
    executor e;
    if (backend == BACKEND_CPU)
        return state;
    if (executor_begin(&e, options, backend, &error) != TOOL_OK) {
        snprintf(state.text, sizeof state.text, "%.500s", error.message);
    } else if (executor_reason(&e)) {
        snprintf(state.text, sizeof state.text, "%s", executor_reason(&e));
    } else {
        state.available = true;
        snprintf(state.text, sizeof state.text, "%s", e.device->name);
    }
    executor_end(&e);
    return state;
}

void info_show_backends(const tool_options *options) {
    for (int i = 0; i < BACKEND_COUNT; i++) {
        backend_state state = ask(options, (backend_choice)i);
        printf("%-10s %-10s%s%s", i ? "" : "backends", backend_name((backend_choice)i),
               state.available ? "yes" : "no", state.text[0] ? ": " : "");
        text_show(stdout, state.text);
        putchar('\n');
    }
}

json_object *info_backends_array(const tool_options *options) {
    json_object *array = json_make_array();
    for (int i = 0; i < BACKEND_COUNT; i++) {
        backend_state state = ask(options, (backend_choice)i);
        json_object *object = json_make_object();
        fields_text(object, "name", backend_name((backend_choice)i));
        fields_flag(object, "available", state.available);
        if (state.text[0])
            fields_text(object, state.available ? "device" : "reason", state.text);
        json_put_element(array, object);
    }
    return array;
}
