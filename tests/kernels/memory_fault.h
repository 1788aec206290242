/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_MEMORY_FAULT_H
#define CUMSUM_TESTS_MEMORY_FAULT_H

/* Access to a guard page as a result, not as the end of the program. */

#include <stdbool.h>

/* Catches SIGSEGV and SIGBUS (access violations on Windows) from now on. */
void memory_fault_watch(void);

/*
 * Calls function(context) and answers true; or false where that touched what it must not, and then
 * *address is what it touched. On another thread than the caller's a fault ends the program, with
 * `note` on standard error and exit status 1.
 */
bool memory_fault_try(bool (*function)(void *context), void *context, const char *note,
                      const void **address);

#endif
