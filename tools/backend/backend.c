/* SPDX-License-Identifier: MIT */
/* Names, settings and methods of the backends. */
#include "backend.h"

#include <stdlib.h>
#include <string.h>

#include "json_tree.h"
#include "text.h"

const cumsum_kernel kernel_list[KERNEL_COUNT] = {CUMSUM_KERNEL_REFERENCE, CUMSUM_KERNEL_PORTABLE,
                                                 CUMSUM_KERNEL_AVX2, CUMSUM_KERNEL_AVX512,
                                                 CUMSUM_KERNEL_NEON};

const word_row backend_words[] = {{"all", BACKEND_ALL},     {"cpu", BACKEND_CPU},
                                  {"d3d12", BACKEND_D3D12}, {"directml", BACKEND_DIRECTML},
                                  {"cuda", BACKEND_CUDA},   {NULL, 0}};

const char *backend_name(backend_choice backend) {
    return backend == BACKEND_EXEC ? "exec" : word_of(backend_words, (int)backend);
}

static const word_row adaptation_words[] = {{"packed", BACKEND_PACKED},
                                            {"reversed", BACKEND_REVERSED},
                                            {"shifted", BACKEND_SHIFTED},
                                            {"apart", BACKEND_APART},
                                            {NULL, 0}};

const char *adaptation_text(uint32_t adapted, char text[ADAPTATION_TEXT]) {
    size_t used = 0;
    text[0] = '\0';
    for (const word_row *row = adaptation_words; row->word; row++)
        if (adapted & (uint32_t)row->value)
            used += (size_t)snprintf(text + used, ADAPTATION_TEXT - used, "%s%s",
                                     used ? ", " : "adapted: ", row->word);
    return text;
}

void adaptation_fields(json_object *object, uint32_t adapted) {
    json_object *words = adapted ? json_make_array() : NULL;
    for (const word_row *row = adaptation_words; row->word; row++)
        if (adapted & (uint32_t)row->value)
            json_put_element(words, json_make_string(row->word));
    if (adapted)
        json_put_member(object, "adapted", words);
}

void backend_isolate(backend_settings *settings, bool always) {
    const char *variable = getenv("CUMSUM_ISOLATE");
    settings->isolated = !settings->exec && (always || settings->backend != BACKEND_CPU) &&
                         !(variable && !strcmp(variable, "never"));
}

cumsum_numerics backend_numerics(const backend_settings *settings, cumsum_numerics from_file) {
    return settings->has_numerics ? settings->numerics : from_file;
}

char *backend_command_line(const backend_settings *settings, const char *command, const char *more,
                           const char *file) {
    text_buffer buffer;
    char spec[BACKEND_SPEC];
    text_buffer_open(&buffer);
    fprintf(buffer.stream, "cumsum %s", command);
    if (settings->exec) {
        fputs(" --exec ", buffer.stream);
        text_shell_word(buffer.stream, settings->exec);
    } else if (strcmp(backend_spec(settings, spec), "cpu") != 0) {
        fputs(" --backend ", buffer.stream);
        text_shell_word(buffer.stream, spec);
    }
    if (settings->numerics_word)
        fprintf(buffer.stream, " --numerics %s", settings->numerics_word);
    fprintf(buffer.stream, "%s ", more);
    text_shell_word(buffer.stream, file);
    return text_buffer_close(&buffer);
}

static bool may_still_work;

cumsum_status backend_note_timeout(cumsum_status status) {
    may_still_work |= status == CUMSUM_DEVICE_TIMEOUT;
    return status;
}

bool backend_may_still_work(void) {
    return may_still_work;
}
