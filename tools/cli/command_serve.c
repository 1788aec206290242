/* SPDX-License-Identifier: MIT */
/* cumsum serve: a backend behind the protocol of --exec, for other programs and for sweep. */
#include "commands.h"
#include "serve.h"

tool_status command_serve(const tool_options *options, report *r, tool_error *error) {
    const tool_status status = serve_run(&options->backend, error);
    r->ran = status == TOOL_OK;
    return status;
}
