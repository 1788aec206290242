/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_MUTATE_H
#define CUMSUM_TESTS_MUTATE_H

#include <stddef.h>
#include <stdint.h>

/* Changes size bytes at data, in place and by the numbers of *random alone. Up to capacity bytes
 * may be used. Returns the new size. */
size_t mutate(uint8_t *data, size_t size, size_t capacity, uint64_t *random);

#endif
