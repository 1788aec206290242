/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_INFLATE_H
#define CUMSUM_TOOLS_INFLATE_H

/* Bytes that DEFLATE has compressed (RFC 1951), as numpy.savez_compressed writes them. */

#include <stdbool.h>
#include <stddef.h>

/* The most bytes that one compressed byte can stand for. */
#define INFLATE_MOST 1032

/* Fills `room` bytes from all compressed ones. False if these are damaged, or give fewer or more.
 */
bool inflate_bytes(const unsigned char *compressed, size_t size, unsigned char *bytes, size_t room);

#endif
