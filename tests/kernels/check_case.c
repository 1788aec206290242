/* SPDX-License-Identifier: MIT */
/* Runs a case with each kernel, in the caller's mode and under the watch for memory faults. */
#include "check_case.h"

#include "caller_mode.h"
#include "memory_fault.h"

#include <inttypes.h>
#include <pthreadpool.h>
#include <stdio.h>
#include <string.h>

bool checker_init(checker *checks) {
    memset(checks, 0, sizeof *checks);
    checks->candidate = candidate_run_kernel;
    memory_fault_watch();
    return case_memory_init(&checks->memory);
}

static struct pthreadpool *pool_for(checker *checks, const kernel_case *c) {
    if (c->threads == 0)
        return NULL;
    struct pthreadpool **pools = c->workers_mode ? checks->moded_pools : checks->pools;
    if (!pools[c->threads])
        pools[c->threads] = pthreadpool_create(c->threads);
    if (c->workers_mode)
        caller_mode_set_workers(pools[c->threads], c->workers_mode);
    return pools[c->threads];
}

/* One run of a candidate, in the form that memory_fault_try calls. */
typedef struct attempt {
    candidate_function *candidate;
    candidate_call call;
    bool accepted;
} attempt;

static bool run_attempt(void *context) {
    attempt *a = context;
    a->accepted = a->candidate(&a->call);
    return a->accepted;
}

/* Finds the tensor that a forbidden address is nearest to, and its distance from the first byte. */
static void locate_fault(difference *d, const case_memory *memory, const void *address) {
    d->kind = DIFFERENCE_FAULT;
    for (int operand = 0; operand < CASE_OPERANDS; operand++) {
        const int64_t byte =
            (int64_t)((uintptr_t)address - (uintptr_t)memory->window[operand].tensor);
        if (operand == 0 || (byte < 0 ? -byte : byte) < (d->byte < 0 ? -d->byte : d->byte)) {
            d->byte = byte;
            d->operand = operand;
        }
    }
}

static void run_in_mode(attempt *a, difference *d, const case_memory *memory, const char *note) {
    const kernel_case *c = a->call.c;
    const uint64_t own = caller_mode_read();
    const uint64_t wanted = caller_mode_control(c->mode);
    const void *fault = NULL;
    caller_mode_write(wanted);
    const bool survived = memory_fault_try(run_attempt, a, note, &fault);
    const uint64_t found = caller_mode_read();
    caller_mode_write(own);
    if (!survived) {
        locate_fault(d, memory, fault);
        cumsum_plan_destroy(a->call.plan);
    } else if (!a->accepted) {
        d->kind = DIFFERENCE_REFUSED;
        memcpy(d->message, a->call.why.message, sizeof d->message);
    } else if (found != wanted) {
        d->kind = DIFFERENCE_MODE;
        d->expected = wanted;
        d->actual = found;
    }
}

static void describe_origin(const case_origin *origin, cumsum_kernel kernel, char *text,
                            size_t bytes) {
    snprintf(text, bytes, "%s --group %s --kernel %s --seed %" PRIu64 " --case %" PRIu64,
             origin->program, origin->group, cumsum_kernel_name(kernel), origin->seed,
             origin->index);
}

static void print_difference(const kernel_case *c, const case_origin *origin, cumsum_kernel kernel,
                             const difference *d) {
    char text[2048];
    printf("FAIL  %s, kernel %s\n", origin->group, cumsum_kernel_name(kernel));
    describe_case(c, text, sizeof text);
    printf("      %s\n", text);
    describe_difference(c, d, text, sizeof text);
    printf("      %s\n", text);
    describe_origin(origin, kernel, text, sizeof text);
    printf("      again: %s\n", text);
    fflush(stdout);
}

static bool run_kernel(checker *checks, unsigned which, const kernel_case *c,
                       const case_origin *origin) {
    attempt a = {.candidate = checks->candidate,
                 .call = {.c = c,
                          .window = checks->memory.window,
                          .mutant = checks->mutant,
                          .kernel = checks->kernels[which],
                          .pool = pool_for(checks, c)}};
    difference d = {.kind = DIFFERENCE_NONE};
    char note[256] = "";
    if (c->threads) {
        memcpy(note, "memory fault on a thread of the pool: ", 39);
        describe_origin(origin, a.call.kernel, note + 38, sizeof note - 40);
        strcat(note, "\n");
    }
    case_memory_reset(&checks->memory);
    run_in_mode(&a, &d, &checks->memory, note);
    if (d.kind == DIFFERENCE_NONE)
        difference_find(&d, &checks->memory, c);
    checks->runs[which]++;
    checks->by_reference[which] += a.call.ran != a.call.kernel;
    if (d.kind != DIFFERENCE_NONE && !checks->quiet)
        print_difference(c, origin, a.call.kernel, &d);
    return d.kind == DIFFERENCE_NONE;
}

bool checker_run(checker *checks, const kernel_case *c, const case_origin *origin) {
    cumsum_diagnostic why = {.status = CUMSUM_OK};
    if (!case_memory_prepare(&checks->memory, c) ||
        !expected_output_compute(&checks->memory, c, &why)) {
        difference d = {.kind = DIFFERENCE_REFUSED};
        snprintf(d.message, sizeof d.message, "the case itself is wrong: %.200s",
                 why.status == CUMSUM_OK ? "larger than its memory" : why.message);
        print_difference(c, origin, CUMSUM_KERNEL_REFERENCE, &d);
        return false;
    }
    bool agree = true;
    for (unsigned i = 0; i < checks->kernel_count && agree; i++)
        agree = run_kernel(checks, i, c, origin);
    return agree;
}
