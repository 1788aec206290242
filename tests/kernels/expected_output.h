/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_EXPECTED_OUTPUT_H
#define CUMSUM_TESTS_EXPECTED_OUTPUT_H

/*
 * What a case has to give. Only the additions are the reference kernel's: of packed lines, in
 * ascending order, inclusive. Layout, direction and exclusivity are done here, by gathering and
 * scattering element for element, so that the planner is held against something else than itself.
 */

#include "case_memory.h"

/* Fills memory->expected for a case that memory is prepared for. False, with a diagnostic, where
 * the reference refuses. */
bool expected_output_compute(case_memory *memory, const kernel_case *c, cumsum_diagnostic *why);

#endif
