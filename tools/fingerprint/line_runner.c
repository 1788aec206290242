/* SPDX-License-Identifier: MIT */
/* Scans lines with a program: writes them into a .npy file, runs a shell command, and reads the
 * .npy file that it wrote. The files are in a temporary folder, which is removed whatever happens.
 */
#include "line_runner.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child_process.h"
#include "memory.h"
#include "npy.h"
#include "temporary.h"

tool_status program_lines_begin(program_lines *p, const char *command, tool_error *error) {
    p->command = command;
    p->folder[0] = '\0';
#ifdef _WIN32
    return tool_fail(error, TOOL_ENVIRONMENT, "--exec needs a POSIX shell: not on Windows");
#else
    const char *parent = getenv("TMPDIR");
    parent = parent && *parent ? parent : "/tmp";
    const int length = snprintf(p->folder, sizeof p->folder, "%s/cumsum-XXXXXX", parent);
    if (length < 0 || (size_t)length >= sizeof p->folder || !temporary_folder(p->folder)) {
        p->folder[0] = '\0';
        return tool_fail(error, TOOL_ENVIRONMENT, "cannot make a folder in %s: %s", parent,
                         strerror(errno));
    }
    snprintf(p->input, sizeof p->input, "%s/input.npy", p->folder);
    snprintf(p->output, sizeof p->output, "%s/output.npy", p->folder);
    temporary_add(p->input);
    temporary_add(p->output);
    return TOOL_OK;
#endif
}

void program_lines_end(program_lines *p) {
    if (p->folder[0])
        temporaries_remove();
    p->folder[0] = '\0';
}

static tool_status run_program(const program_lines *p, tool_error *error) {
    char line[4096];
    char how[160];
    child_process *child;
    if (strlen(p->command) > 4000) {
        return tool_fail(error, TOOL_MALFORMED,
                         "option --exec: the command has more than 4000 bytes");
    }
    snprintf(line, sizeof line, "%s \"$@\"", p->command);
    const char *const arguments[] = {"-c", line, "sh", p->input, p->output, NULL};
    unlink(p->output);
    const tool_status status = child_process_start(&child, "sh", arguments, CHILD_SILENT, error);
    if (status != TOOL_OK)
        return status;
    return child_process_end(child, CHILD_FOREVER, how, sizeof how)
               ? TOOL_OK
               : tool_fail(error, TOOL_ENVIRONMENT, "'%s' ended %s", p->command, how);
}

/* In the file elements are in the order of their indices. */
static size_t index_in_line(const line_block *b, uint32_t position) {
    return b->decreasing ? b->length - 1 - position : position;
}

static tool_status give_input(const program_lines *p, const line_block *b, const void *input,
                              tool_error *error) {
    const uint32_t sizes[] = {b->lines, b->length};
    const size_t size = cumsum_data_type_size(b->type);
    const unsigned char *from = input;
    unsigned char *elements = tool_calloc((size_t)b->lines * b->length, size);
    for (uint32_t line = 0; line < b->lines; line++)
        for (uint32_t i = 0; i < b->length; i++, from += size)
            memcpy(elements + ((size_t)line * b->length + index_in_line(b, i)) * size, from, size);
    const tool_status status = npy_write(p->input, b->type, 2, sizes, elements, error);
    free(elements);
    return status;
}

/* The output may have any memory order, but must have the type and shape of the input. */
static tool_status take_output(const program_lines *p, const line_block *b, void *output,
                               tool_error *error) {
    npy_array a;
    const tool_status status = npy_read(p->output, &a, error);
    if (status != TOOL_OK)
        return status;
    const bool fits =
        a.type == b->type && a.rank == 2 && a.sizes[0] == b->lines && a.sizes[1] == b->length;
    const size_t size = cumsum_data_type_size(b->type);
    unsigned char *to = output;
    for (uint32_t line = 0; line < b->lines && fits; line++) {
        for (uint32_t i = 0; i < b->length; i++, to += size) {
            const uint64_t at = (uint64_t)line * a.strides[0] + index_in_line(b, i) * a.strides[1];
            memcpy(to, a.bytes + at * size, size);
        }
    }
    npy_free(&a);
    return fits ? TOOL_OK
                : tool_fail(error, TOOL_MALFORMED,
                            "'%s' wrote another type or shape than it read: expected %s of %ux%u",
                            p->command, cumsum_data_type_name(b->type), b->lines, b->length);
}

tool_status program_lines_run(void *state, const line_block *block, const void *input, void *output,
                              tool_error *error) {
    program_lines *p = state;
    if (block->layout != LINES_PACKED)
        return tool_fail(error, TOOL_NOTHING_RAN, "a program reads packed lines");
    if (block->decreasing != p->decreasing || block->exclusive != p->exclusive)
        return tool_fail(error, TOOL_NOTHING_RAN, "a program computes one direction and sum");
    tool_status status = give_input(p, block, input, error);
    if (status == TOOL_OK)
        status = run_program(p, error);
    return status == TOOL_OK ? take_output(p, block, output, error) : status;
}
