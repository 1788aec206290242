/* SPDX-License-Identifier: MIT */
/* A library to be preloaded before libcumsum: it gives kernels the defect that CUMSUM_DEFECT names.
 * The reference kernel keeps working, because cases are compared with it. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cumsum/cumsum.h>

typedef cumsum_status plan_execute(const cumsum_plan *plan, const void *input,
                                   uint64_t input_in_bytes, void *output, uint64_t output_in_bytes,
                                   cumsum_diagnostic *diagnostic);

typedef cumsum_status plan_create(const cumsum_operator_desc *desc,
                                  const cumsum_plan_options *options, cumsum_plan **plan,
                                  cumsum_diagnostic *diagnostic);

/* "order": the kernel adds in another order. */
cumsum_status cumsum_plan_create(const cumsum_operator_desc *desc,
                                 const cumsum_plan_options *options, cumsum_plan **plan,
                                 cumsum_diagnostic *diagnostic) {
    plan_create *real;
    void *found = dlsym(RTLD_NEXT, "cumsum_plan_create");
    const char *defect = getenv("CUMSUM_DEFECT");
    cumsum_plan_options other = *options;
    memcpy(&real, &found, sizeof real);
    if (defect && !strcmp(defect, "order") && options->kernel != CUMSUM_KERNEL_REFERENCE)
        other.numerics.order = CUMSUM_ORDER_BLOCKED;
    return real(desc, &other, plan, diagnostic);
}

/* Is this `cumsum serve`, the process that executes a sweep's cases? */
static bool is_served(void) {
    char line[4096] = "";
    FILE *file = fopen("/proc/self/cmdline", "r");
    const size_t length = file ? fread(line, 1, sizeof line - 1, file) : 0;
    if (file)
        fclose(file);
    const char *second = line + strlen(line) + 1;
    return second < line + length && !strcmp(second, "serve");
}

/* The milliseconds of processor time that a process takes to start; "stop-start": `cumsum serve`
 * stands still at its beginning. */
__attribute__((constructor)) static void start_slowly(void) {
    const char *milliseconds = getenv("CUMSUM_SLOW_START");
    const char *defect = getenv("CUMSUM_DEFECT");
    while (milliseconds && clock() < atoi(milliseconds) * (CLOCKS_PER_SEC / 1000))
        continue;
    if (defect && !strcmp(defect, "stop-start") && is_served())
        raise(SIGSTOP);
}

/* "abort", "hang", "stop": an input of 17 elements of four bytes ends the process, blocks it
 * forever, or stops it. */
static void end_or_hang(const char *defect, uint64_t size) {
    if (!strcmp(defect, "stop") && size == 68)
        raise(SIGSTOP);
    if (!strcmp(defect, "abort") && size == 68)
        abort();
    if (!strcmp(defect, "hang") && size == 68)
        for (;;)
            pause();
}

static void plant(const char *defect, unsigned char *output, uint64_t size) {
    if (!strcmp(defect, "carry") && size > 64) /* the 17th element of four bytes */
        memset(output + 64, 0, 4);
    else if (!strcmp(defect, "gap") && size >= 12) /* the second of three elements */
        output[5] ^= 1;
    else if (!strcmp(defect, "before"))
        output[-1] ^= 1;
    else if (!strcmp(defect, "behind"))
        output[size - 1] ^= 1;
}

cumsum_status cumsum_plan_execute(const cumsum_plan *plan, const void *input,
                                  uint64_t input_in_bytes, void *output, uint64_t output_in_bytes,
                                  cumsum_diagnostic *diagnostic) {
    plan_execute *real;
    void *found = dlsym(RTLD_NEXT, "cumsum_plan_execute");
    const char *defect = getenv("CUMSUM_DEFECT");
    memcpy(&real, &found, sizeof real);
    if (defect && cumsum_plan_kernel(plan) != CUMSUM_KERNEL_REFERENCE)
        end_or_hang(defect, input_in_bytes);
    if (defect && !strcmp(defect, "crash") && input_in_bytes > 64 &&
        cumsum_plan_kernel(plan) != CUMSUM_KERNEL_REFERENCE)
        return CUMSUM_DEVICE_REMOVED;
    cumsum_status status = real(plan, input, input_in_bytes, output, output_in_bytes, diagnostic);
    if (status == CUMSUM_OK && defect && cumsum_plan_kernel(plan) != CUMSUM_KERNEL_REFERENCE)
        plant(defect, output, output_in_bytes);
    return status;
}
