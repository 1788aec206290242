/* SPDX-License-Identifier: MIT */
/* cumsum serve: a backend behind the protocol of --exec, for other programs and for sweep. */
#include <stdio.h>

#include "commands.h"
#include "serve.h"
#include "text.h"

tool_status command_serve(const tool_options *options) {
    tool_error error;
    if (options->file_count)
        return command_usage_error(options, "serve takes no arguments");
    const tool_status usage = command_device_options(options);
    if (usage != TOOL_OK)
        return usage;
    const tool_status status = serve_run(&options->backend, &error);
    if (status != TOOL_OK) {
        fputs("cumsum: serve: ", stderr);
        text_show(stderr, error.message);
        putc('\n', stderr);
    }
    return status;
}
