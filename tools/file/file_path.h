/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_FILE_PATH_H
#define CUMSUM_TOOLS_FILE_PATH_H

#include <stdbool.h>

/* All results are to be freed; NULL when out of memory. */

/* The folder that a file is in: what path has before its last '/', "." where it has none. */
char *file_folder(const char *path);

/* name as seen from folder; an absolute name stays as it is. */
char *file_join(const char *folder, const char *name);

/* Also where it cannot be found out: whoever opens it then hears why. */
bool file_exists(const char *path);

/* Does path end in extension (".npy"), in any case? */
bool file_has_extension(const char *path, const char *extension);

#endif
