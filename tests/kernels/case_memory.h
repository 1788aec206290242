/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_CASE_MEMORY_H
#define CUMSUM_TESTS_CASE_MEMORY_H

/*
 * The memory that a case runs in. Each tensor lies in a mapping of its own between two guard pages,
 * which nothing may touch. Its window is the tensor with a guard band on each side, bytes that must
 * not change, as far as the mapping goes.
 */

#include "kernel_case.h"

#include <stddef.h>

/* Whole pages between two guard pages. They stay for as long as the program runs. */
typedef struct guarded_memory {
    unsigned char *begin; /* right behind a guard page */
    unsigned char *end;   /* a guard page begins here */
} guarded_memory;

typedef struct case_window {
    unsigned char *tensor; /* the element with all indices 0 */
    unsigned char *begin;
    size_t bytes;
    size_t before; /* tensor - begin */
} case_window;

typedef struct case_memory {
    guarded_memory pages[CASE_OPERANDS];
    guarded_memory initial_pages[CASE_OPERANDS];
    guarded_memory expected_pages;
    guarded_memory packed_pages;
    case_window window[CASE_OPERANDS];     /* in place: the input's is the output's */
    unsigned char *initial[CASE_OPERANDS]; /* what the windows hold before the case runs */
    unsigned char *expected;               /* what the output's window holds afterwards */
    unsigned char *packed;                 /* room for all elements, packed */
} case_memory;

/* False if there is no memory. */
bool case_memory_init(case_memory *memory);

/* Places the tensors and fills them: the input with its pattern and with NaN in the gaps, the
 * output with noise. False if the case is larger than the memory. */
bool case_memory_prepare(case_memory *memory, const kernel_case *c);

/* Restores the output's window (in place: the input's too) to what it was before the case ran. */
void case_memory_reset(case_memory *memory);

/* Copies count elements; steps are in elements. */
void copy_elements(unsigned char *to, int64_t to_step, const unsigned char *from, int64_t from_step,
                   uint64_t count, uint32_t element_size);

#endif
