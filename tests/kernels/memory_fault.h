/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_MEMORY_FAULT_H
#define CUMSUM_TESTS_MEMORY_FAULT_H

/* Makes an access to a guard page a result that a test can report, instead of the end of the
 * program. */

#include <stdbool.h>

/* Catches SIGSEGV and SIGBUS (access violations on Windows) from now on. */
void memory_fault_watch(void);

/*
 * Calls function(context) and returns true; or, if the call touched forbidden memory, returns false
 * and sets *address to what it touched. A fault on another thread ends the program, with `note` on
 * standard error and exit status 1.
 */
bool memory_fault_try(bool (*function)(void *context), void *context, const char *note,
                      const void **address);

#endif
