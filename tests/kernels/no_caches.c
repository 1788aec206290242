/* SPDX-License-Identifier: MIT */
/* Replaces the size of the last cache for check_streams (see CMakeLists.txt): no output fits into
 * the caches, so every kernel takes its cache-bypassing stores. */
#include <stddef.h>

size_t no_caches(void);

size_t no_caches(void) {
    return 0;
}
