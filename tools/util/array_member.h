/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_ARRAY_MEMBER_H
#define CUMSUM_TOOLS_ARRAY_MEMBER_H

/*
 * Arrays in files that hold several, each under a name: "x.npz:name" is an array of a zip file of
 * .npy files, as numpy.savez writes it, and "x.safetensors:name" is a tensor of such a file. The
 * name is all that stands behind the first ".npz:" or ".safetensors:", in any case of letters; it
 * is never guessed.
 */

#include <stdbool.h>
#include <stddef.h>

#include "npy.h"

/* Does path name an array in such a file? Then *length bytes of it are the path of the file. */
bool array_member_path(const char *path, size_t *length);

/* What such a file is, from its name alone: "is an archive of arrays: X.npz:NAME is one of them";
 * NULL of others. */
const char *array_member_kind(const char *path);

/* Reads what the array is and where it lies: bytes, size: the whole file; path: with the name.
 * declared: as npy_read_as has it; a safetensors file says itself what BFLOAT16 is. TOOL_MALFORMED
 * for what is no such file, has no such array (the message lists some of those that it has), is
 * encrypted, or compressed otherwise than by DEFLATE, ends before its parts do, or, in a zip file,
 * has another CRC-32. TOOL_ENVIRONMENT where there is no memory for what is compressed. */
tool_status array_member_find(const unsigned char *bytes, size_t size, const char *path,
                              cumsum_data_type declared, npy_header *out, tool_error *error);

#endif
