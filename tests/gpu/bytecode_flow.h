/* SPDX-License-Identifier: MIT */
#ifndef BYTECODE_FLOW_H
#define BYTECODE_FLOW_H

/* Where the sums of a shader go. */

#include <stdint.h>

/*
 * Follows the sums of a shader's floating-point additions through its registers, in the order of
 * its instructions. Each sum must go to an exclusive-or with a value that is no literal, and to
 * nothing else. Then no addition takes the result of another one as a float.
 *
 * program, count   the tokens of the program, from its version token on
 *
 * Returns the number of operands that take a sum in another way.
 */
unsigned bytecode_bare_sums(const uint32_t *program, uint32_t count);

/*
 * Whether groups see a value that a shader publishes in u2 before they see its counter grow: every
 * word of it is written by an exchange, and what the counter adds is computed from the results of
 * all exchanges before it. Plain stores to u2 store literals, and so do other additions.
 *
 * Returns the number of those exchanges, the words of a value; 0 if there is a defect.
 */
unsigned bytecode_published_words(const uint32_t *program, uint32_t count);

#endif
