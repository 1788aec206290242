/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_LINE_DATA_H
#define CUMSUM_TOOLS_LINE_DATA_H

/* Lines whose sums tell orders and roundings apart. */

#include <cumsum/cumsum.h>

/* Fills `lines` lines with full significands, of either sign, close to the largest numbers, among
 * the subnormals, of zeros, in turn. A line depends on its number and the seed alone, an element on
 * its place too: a longer line begins as a shorter one does. */
void line_data_fill(cumsum_data_type type, uint32_t lines, uint32_t length, uint64_t seed,
                    void *elements);

#endif
