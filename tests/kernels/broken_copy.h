/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_BROKEN_COPY_H
#define CUMSUM_TESTS_BROKEN_COPY_H

/* What imitations of broken kernels are made with: they run the reference, on an input that was
 * changed or over an output that is changed afterwards, as the defect would have it. */

#include "candidate.h"

/* The element that is k-th in traversal order, on a side of the line that walk is at. */
unsigned char *element_at(const candidate_call *call, const line_walk *walk, int side, uint64_t k);

/* The bits of an element, and the other way. */
uint64_t element_bits(const candidate_call *call, const unsigned char *element);
void set_element_bits(const candidate_call *call, unsigned char *element, uint64_t bits);

/* A tensor and the bytes behind it that are watched, as aligned as any kernel may ask for; NULL
 * where there is no memory. */
unsigned char *copy_window(const case_window *window);
void free_copy(unsigned char *copy);

/* What a changed input has in place of an element with these bits. */
typedef uint64_t replacement(const candidate_call *call, uint64_t k, uint64_t bits);

/* Runs the reference on a copy of the input in which every element was replaced. */
bool run_on_replaced_input(candidate_call *call, replacement *replace);

/* The output element with these bits becomes what is returned; `before` is the one before it in its
 * line, as the reference had it (+0 for the first). */
typedef uint64_t damage(const candidate_call *call, const line_walk *walk, uint64_t k,
                        uint64_t before, uint64_t bits);

/* Runs the reference, then damages its outputs, line after line in traversal order. */
bool run_and_damage(candidate_call *call, damage *change);

/* Runs the reference on a case that differs from the call's; NULL: on the call's. */
bool run_changed(candidate_call *call, void (*change)(kernel_case *c));

#endif
