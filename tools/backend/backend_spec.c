/* SPDX-License-Identifier: MIT */
/* The texts of --backend: "cpu:avx2,threads=4", "d3d12:NAME,debug". */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "backend.h"
#include "number.h"

/* More threads than this are a typing error. */
#define MAX_THREADS 1024

#define THREADS "threads="
#define DEBUG   "debug"

/* "all" is for verify. */
static const word_row kernels[] = {{"all", CUMSUM_KERNEL_AUTO},
                                   {"auto", CUMSUM_KERNEL_AUTO},
                                   {"reference", CUMSUM_KERNEL_REFERENCE},
                                   {"portable", CUMSUM_KERNEL_PORTABLE},
                                   {"avx2", CUMSUM_KERNEL_AVX2},
                                   {"avx512", CUMSUM_KERNEL_AVX512},
                                   {"neon", CUMSUM_KERNEL_NEON},
                                   {NULL, 0}};

/* A text of --backend that is read. */
typedef struct spec_reader {
    const char *spec;
    bool all; /* all kernels and all backends may be asked for */
    bool has_kernel;
    backend_settings *to;
    tool_error *error;
} spec_reader;

static tool_status wrong_part(const spec_reader *r, const char *part, const char *rule) {
    return tool_fail(r->error, TOOL_MALFORMED, "option --backend: '%.200s': '%.100s' is %s",
                     r->spec, part, rule);
}

static tool_status read_threads(const spec_reader *r, const char *part) {
    const char *digits = part + sizeof THREADS - 1, *end = part + strlen(part);
    char rule[60];
    uint64_t number = 0;
    if (number_digits(digits, end, MAX_THREADS, &number) == end) {
        r->to->threads = (uint32_t)number;
        return TOOL_OK;
    }
    snprintf(rule, sizeof rule, "not " THREADS "N with N from 0 to %d", MAX_THREADS);
    return wrong_part(r, part, rule);
}

static tool_status read_kernel(spec_reader *r, const char *part) {
    const word_row *known = kernels + !r->all;
    char list[160], rule[240];
    int kernel;
    if (r->has_kernel)
        return wrong_part(r, part, "a second kernel; the rule: one, and " THREADS "N");
    if (!word_find(known, part, &kernel)) {
        snprintf(rule, sizeof rule, "not one of %s, nor " THREADS "N",
                 word_list(known, ", ", list, sizeof list));
        return wrong_part(r, part, rule);
    }
    r->has_kernel = true;
    r->to->kernel = (cumsum_kernel)kernel;
    r->to->all_kernels = !strcmp(part, kernels[0].word);
    return TOOL_OK;
}

/* "avx2,threads=4" */
static tool_status read_cpu(spec_reader *r, const char *parts) {
    char part[120];
    tool_status status = TOOL_OK;
    for (const char *end = parts; status == TOOL_OK; parts = end + 1) {
        end = parts + strcspn(parts, ",");
        snprintf(part, sizeof part, "%.*s", (int)(end - parts), parts);
        status = strncmp(part, THREADS, sizeof THREADS - 1) ? read_kernel(r, part)
                                                            : read_threads(r, part);
        if (!*end)
            break;
    }
    return status;
}

/* "NAME", "NAME,debug" or "debug". A name may have commas: it ends before the last part, if that is
 * "debug". */
static tool_status read_device(spec_reader *r, const char *parts) {
    static const char rule[] = "no part of a device's name; known are NAME, #N and " DEBUG;
    const size_t length = strlen(parts), tail = sizeof "," DEBUG - 1;
    const bool alone = !strcmp(parts, DEBUG);
    const bool last = length >= tail && !strcmp(parts + length - tail, "," DEBUG);
    const size_t name = alone ? 0 : last ? length - tail : length;
    if ((!alone && !name) || name >= sizeof r->to->adapter ||
        !strncmp(parts, THREADS, sizeof THREADS - 1))
        return wrong_part(r, parts, rule);
    r->to->debug_layer = alone || last;
    memcpy(r->to->adapter, parts, name);
    r->to->adapter[name] = '\0';
    return TOOL_OK;
}

tool_status backend_read(const char *spec, bool all, backend_settings *to, tool_error *error) {
    const word_row *known = backend_words + !all;
    const size_t length = strcspn(spec, ":");
    const char *parts = spec[length] ? spec + length + 1 : NULL;
    spec_reader r = {.spec = spec, .all = all, .to = to, .error = error};
    char name[20], list[160];
    int backend;
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : 0), spec);
    if (!word_find(known, name, &backend))
        return tool_fail(error, TOOL_MALFORMED, "option --backend: '%.200s' is not one of %s", spec,
                         word_list(known, ", ", list, sizeof list));
    to->backend = (backend_choice)backend;
    if (!parts)
        return TOOL_OK;
    return backend == BACKEND_CPU ? read_cpu(&r, parts) : read_device(&r, parts);
}

const char *backend_spec(const backend_settings *settings, char text[BACKEND_SPEC]) {
    const bool cpu = settings->backend == BACKEND_CPU;
    const bool kernel = cpu && settings->kernel != CUMSUM_KERNEL_AUTO;
    const bool named = kernel || settings->adapter[0];
    const bool threads = cpu && settings->threads != 1;
    char more[24] = "";
    if (threads)
        snprintf(more, sizeof more, THREADS "%" PRIu32, settings->threads);
    else if (settings->debug_layer)
        snprintf(more, sizeof more, DEBUG);
    snprintf(text, BACKEND_SPEC, "%s%s%s%s%s", backend_name(settings->backend),
             named || *more ? ":" : "",
             kernel ? cumsum_kernel_name(settings->kernel) : settings->adapter,
             named && *more ? "," : "", more);
    return text;
}
