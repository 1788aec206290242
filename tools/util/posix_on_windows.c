/* SPDX-License-Identifier: MIT */
/* The functions of POSIX that mingw-w64 does not have, as far as the tool needs them. */
#include "posix_on_windows.h"

#include <errno.h>
#include <io.h>
#include <stdbool.h>
#include <windows.h>

#include "fnmatch.h"

/* Makes all files and streams binary: no conversion of line ends. */
__attribute__((constructor)) static void write_bytes_as_they_are(void) {
    _setmode(0, _O_BINARY);
    _setmode(1, _O_BINARY);
    _setmode(2, _O_BINARY);
    _fmode = _O_BINARY;
}

int posix_mkdir(const char *path, int mode) {
    (void)mode;
    return _mkdir(path);
}

int fchmod(int descriptor, mode_t mode) {
    (void)descriptor;
    (void)mode;
    return 0;
}

int posix_rename(const char *from, const char *to) {
    if (MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING))
        return 0;
    errno = GetLastError() == ERROR_ACCESS_DENIED ? EACCES : EIO;
    return -1;
}

long sysconf(int name) {
    (void)name;
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return (long)info.dwNumberOfProcessors;
}

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
