/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_DATA_DRAWN_H
#define CUMSUM_TOOLS_DATA_DRAWN_H

/* Elements that depend on their random bits alone. Drawing them takes longer than all else that is
 * done with them, and most cases of a list take the same few seeds: what was drawn is kept. */

#include "case_name.h"

/* The first `count` elements of the case's data, in memory of this module: they stay until the next
 * call. For one thread. */
const unsigned char *data_drawn(const case_spec *c, uint64_t count);

#endif
