/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_CASE_REJECTION_H
#define CUMSUM_TESTS_CASE_REJECTION_H

/* For the tests of malformed case files (test_reject_*.c): lists of rejections, and the beginnings
 * of messages that they share. */

#include "case_text.h"

/* A snippet that makes a case file malformed, and the message about it. */
typedef struct case_rejection {
    case_part part;
    const char *snippet;
    const char *message;
} case_rejection;

static inline void case_reject_all(const case_rejection *cases, size_t count) {
    for (size_t i = 0; i < count; i++)
        case_reject(cases[i].part, cases[i].snippet, TOOL_MALFORMED, cases[i].message);
}

#define CASE_REJECT_ALL(cases) case_reject_all(cases, sizeof(cases) / sizeof(cases)[0])

#define INT32_WORDS  "expected INT32: an integer from -2147483648 to 2147483647, found "
#define UINT32_WORDS "expected UINT32: an integer from 0 to 4294967295, found "
#define FLOAT_WORDS  "expected a number, \"nan\", \"inf\" or \"-inf\", found "

#endif
