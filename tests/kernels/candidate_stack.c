/* SPDX-License-Identifier: MIT */
/*
 * The library on a thread whose stack was painted: what is no longer painted afterwards was used,
 * and more than cumsum.h and oracle.h promise is refused. The case is executed at once or in
 * pieces, summed as FLOAT64, which only the reference does, and judged.
 */
#include "candidate.h"

#include <cumsum/oracle.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum {
    PROMISED = 32768, /* bytes for a call */
    STACK = 131072,
    PAINT = 0xA5,
    JUDGED = 4096 /* elements at most: the oracle is slow */
};

#if defined(_WIN32) || defined(__EMSCRIPTEN__) /* a thread's stack is the system's */

bool candidate_on_painted_stack(candidate_call *call, candidate_function *function) {
    return function(call);
}

#else

typedef struct painted_call {
    candidate_function *function;
    candidate_call *call;
    uintptr_t top; /* the address of a variable of the caller */
    bool ok;
} painted_call;

static void *run_painted(void *argument) {
    painted_call *p = argument;
    volatile char here = 0;
    p->top = (uintptr_t)&here;
    p->ok = p->function(p->call);
    return NULL;
}

/* Stacks grow downwards. */
bool candidate_on_painted_stack(candidate_call *call, candidate_function *function) {
    static _Alignas(4096) unsigned char stack[STACK];
    painted_call p = {function, call, 0, false};
    pthread_attr_t attributes;
    pthread_t thread;
    memset(stack, PAINT, sizeof stack);
    if (pthread_attr_init(&attributes) != 0 ||
        pthread_attr_setstack(&attributes, stack, sizeof stack) != 0 ||
        pthread_create(&thread, &attributes, run_painted, &p) != 0)
        return false;
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    size_t untouched = 0;
    while (untouched < sizeof stack && stack[untouched] == PAINT)
        untouched++;
    const size_t used = (size_t)(p.top - (uintptr_t)stack) - untouched;
    if (p.ok && used >= PROMISED)
        snprintf(call->why.message, sizeof call->why.message, "%zu bytes of stack are used", used);
    return p.ok && used < PROMISED;
}

#endif

static bool sum_as_float64(const candidate_call *call) {
    static kernel_case c; /* not on the stack that is measured */
    static candidate_call other;
    c = *call->c;
    other = *call;
    c.type = CUMSUM_DATA_TYPE_FLOAT64;
    other.c = &c;
    return candidate_run_reference(&other);
}

static bool judge(candidate_call *call) {
    static const cumsum_judge_options options = {.all_orders = true};
    static case_descriptor descriptor;
    static cumsum_judgement judgement;
    case_describe(call->c, &descriptor);
    return cumsum_judge(&descriptor.operation, call->window[CASE_INPUT].tensor,
                        descriptor.buffer[CASE_INPUT].total_tensor_size_in_bytes,
                        call->window[CASE_OUTPUT].tensor,
                        descriptor.buffer[CASE_OUTPUT].total_tensor_size_in_bytes, &options, NULL,
                        &judgement, &call->why) == CUMSUM_OK;
}

static bool make_all_calls(candidate_call *call) {
    const kernel_case *c = call->c;
    const bool once = call->kernel == CUMSUM_KERNEL_REFERENCE && !c->in_place;
    if (once && c->type == CUMSUM_DATA_TYPE_INT64 && !sum_as_float64(call))
        return false;
    if (!(c->data_seed & 1 ? candidate_run_pieces : candidate_run_kernel)(call))
        return false;
    return !once || case_elements(c) > JUDGED || judge(call);
}

/* Without optimization the portable kernels need more. */
bool candidate_run_stack(candidate_call *call) {
#ifdef SKIPS_PORTABLE_KERNELS
    if (call->kernel == CUMSUM_KERNEL_PORTABLE)
        return candidate_run_kernel(call);
#endif
    return candidate_on_painted_stack(call, make_all_calls);
}
