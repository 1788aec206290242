/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_FILE_H
#define CUMSUM_TOOLS_FILE_H

/* Paths, and files that are read or written whole. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "text.h"

/* The folder of a file: what path has before its last '/', or "." without one. To be freed. */
char *file_folder(const char *path);

/* name relative to folder; an absolute name stays as it is. To be freed. */
char *file_join(const char *folder, const char *name);

/* Also true where the system does not say: opening the file then gives the reason. */
bool file_exists(const char *path);

/* Does path end in extension (".npy"), in any case? */
bool file_has_extension(const char *path, const char *extension);

/* A file's bytes with a NUL byte after them, aligned to 64 bytes. Give bytes to memory_free().
 */
typedef struct file_contents {
    unsigned char *bytes;
    size_t size;
    bool mapped; /* by file_map */
} file_contents;

/* Reads a regular file. TOOL_MALFORMED for a directory, a pipe or a device, whose path must be a
 * mistake; TOOL_ENVIRONMENT for a file that is missing, cannot be read or changes meanwhile. */
tool_status file_read(const char *path, file_contents *out, tool_error *error);

/* The same for a file's bytes from begin to end, as far as the file has them. */
tool_status file_read_part(const char *path, uint64_t begin, uint64_t end, file_contents *out,
                           tool_error *error);

/* The same for a large file whose bytes may not be needed twice: where the system can, they are
 * mapped. They then take no memory of the program's own, but where it changes them, which does not
 * change the file. There may be no NUL byte after them. Give bytes, or the address of any of them,
 * to file_free. */
tool_status file_map(const char *path, file_contents *out, tool_error *error);

/* Frees what file_map or memory_allocate returned. NULL is allowed. */
void file_free(void *bytes);

/* Takes the pages of a mapping, which were not changed, from the program: they are read again where
 * they are needed again. `bytes`: any of them; others are left alone. */
void file_drop(const void *bytes);

/* TOOL_ENVIRONMENT if somebody wrote to a mapped file, or made it shorter: the bytes that were read
 * may never have been in it together. To be called before a result from these bytes is shown. */
tool_status file_check_maps(tool_error *error);

/* TOOL_ENVIRONMENT, with a message that ends with the reason that errno has. */
tool_status file_fail(const char *path, tool_error *error, const char *what);

typedef struct file_part {
    const void *bytes;
    size_t size;
} file_part;

/* Writes the parts one after the other. The file appears whole or not at all: it is written beside
 * path, under another name, and renamed. A file that is there keeps its mode and its owner, and a
 * symbolic link stays, also one to a file that is missing. A pipe or a device is written to as it
 * is. TOOL_ENVIRONMENT on failure. One thread at a time. */
tool_status file_write(const char *path, const file_part *parts, size_t count, tool_error *error);

/* Closes the buffer, and writes its text in the same way. */
tool_status file_write_text(const char *path, text_buffer *text, tool_error *error);

/* A file that is written piece by piece, as file_write does it. */
typedef struct file_output {
    const char *path;
    char *target; /* what path is a symbolic link to, or path; NULL: a pipe or a device */
    int descriptor;
} file_output;

tool_status file_begin(file_output *out, const char *path, tool_error *error);

/* offset: where the bytes belong; a pipe or a device has no other place than its end. */
tool_status file_put(const file_output *out, uint64_t offset, const void *bytes, size_t size,
                     tool_error *error);
tool_status file_finish(file_output *out, tool_error *error); /* closes it in any case */
void file_abandon(file_output *out);

/* Reads on until `size` bytes or the end. The bytes that were read, or -1 and errno. */
int64_t file_read_all(int descriptor, unsigned char *bytes, size_t size);

/* Removes the file that file_write has not finished. For the end of the program; INT, TERM and HUP
 * do it by themselves. */
void file_remove_unfinished(void);

/* Makes the folder unless it exists; NULL is the current one. TOOL_ENVIRONMENT on failure. */
tool_status folder_make(const char *folder, tool_error *error);

#endif
