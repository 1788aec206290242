/* SPDX-License-Identifier: MIT */
/* POSIX's fnmatch for one byte characters, without flags. */
#include "fnmatch.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* pattern is the text after a '['. Returns the text after its ']', or NULL without one: then the
 * '[' is an ordinary character. */
static const char *match_set(const char *pattern, char c, bool *matches) {
    bool inverted = *pattern == '!';
    const char *p = pattern + inverted;
    bool found = false;
    do {
        bool range = p[0] && p[1] == '-' && p[2] && p[2] != ']';
        char last = range ? p[2] : p[0];
        found = found || (p[0] <= c && c <= last);
        p += range ? 3 : *p != '\0';
    } while (*p && *p != ']');
    *matches = found != inverted;
    return *p ? p + 1 : NULL;
}

int fnmatch(const char *pattern, const char *text, int flags) {
    for (; *pattern; text++) {
        if (*pattern == '*') {
            while (*text && fnmatch(pattern + 1, text, flags) != 0)
                text++;
            return *text ? 0 : fnmatch(pattern + 1, text, flags);
        }
        bool matches = *text && (*pattern == '?' || *pattern == *text);
        const char *next = NULL;
        if (*text && *pattern == '[') {
            bool in_set = false;
            next = match_set(pattern + 1, *text, &in_set);
            matches = next ? in_set : matches;
        }
        if (!matches)
            return 1;
        pattern = next ? next : pattern + 1;
    }
    return *text != '\0';
}
