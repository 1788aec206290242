/* SPDX-License-Identifier: MIT */
#include "minimize_words.h"

#include <inttypes.h>
#include <string.h>

#include "backends.h"
#include "case_write.h"
#include "text.h"

void minimize_case_name(char name[CASE_NAME_ROOM], const case_spec *spec) {
    case_format(name, spec);
    for (int component = 0; component < 2; component++)
        *strrchr(name, '.') = '\0';
}

void minimize_stem(char stem[CASE_NAME_ROOM], const char *origin) {
    char name[CASE_NAME_ROOM];
    const char *folder_end = strrchr(origin, '/');
    snprintf(name, sizeof name, "%s", folder_end ? folder_end + 1 : origin);
    char *ending = strrchr(name, '.');
    if (ending && !strcmp(ending, ".json"))
        *ending = '\0';
    case_file_stem(name, stem);
    size_t length = strlen(stem);
    snprintf(stem + length, CASE_NAME_ROOM - length, ".minimal");
}

char *minimize_command(const tool_options *options, const char *command, const char *file) {
    text_buffer buffer;
    text_buffer_begin(&buffer);
    fprintf(buffer.stream, "cumsum %s", command);
    if (options->backend != BACKEND_CPU)
        fprintf(buffer.stream, " --backend %s", backend_name(options->backend));
    else if (options->kernel != CUMSUM_KERNEL_AUTO)
        fprintf(buffer.stream, " --kernel %s", cumsum_kernel_name(options->kernel));
    if (options->threads != 1)
        fprintf(buffer.stream, " --threads %" PRIu32, options->threads);
    if (options->adapter) {
        fputs(" --adapter ", buffer.stream);
        text_shell_word(buffer.stream, options->adapter);
    }
    if (options->debug_layer)
        fputs(" --debug-layer", buffer.stream);
    putc(' ', buffer.stream);
    text_shell_word(buffer.stream, file);
    return text_buffer_end(&buffer);
}
