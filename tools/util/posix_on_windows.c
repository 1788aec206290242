/* SPDX-License-Identifier: MIT */
/* The functions of POSIX that mingw-w64 does not have, as far as the tool needs them. */
#include "posix_on_windows.h"

#include <errno.h>
#include <io.h>
#include <windows.h>

/* Makes all files and streams binary: no conversion of line ends. */
__attribute__((constructor)) static void write_bytes_as_they_are(void) {
    _setmode(0, _O_BINARY);
    _setmode(1, _O_BINARY);
    _setmode(2, _O_BINARY);
    _fmode = _O_BINARY;
}

mode_t posix_umask(mode_t mask) {
    return (mode_t)_umask(mask);
}

int posix_mkdir(const char *path, int mode) {
    (void)mode;
    return _mkdir(path);
}

/* Windows locks bytes, and nobody else may write them, or even read them: this locks one that no
 * file has. */
int flock(int descriptor, int how) {
    OVERLAPPED place = {.Offset = 0xFFFFFFFE, .OffsetHigh = 0x7FFFFFFF};
    (void)how;
    if (LockFileEx((HANDLE)_get_osfhandle(descriptor),
                   LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &place))
        return 0;
    errno = GetLastError() == ERROR_LOCK_VIOLATION ? EWOULDBLOCK : EIO;
    return -1;
}

int fchmod(int descriptor, mode_t mode) {
    (void)descriptor;
    (void)mode;
    return 0;
}

char *strndup(const char *text, size_t most) {
    size_t length = strnlen(text, most);
    char *copy = malloc(length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

int posix_rename(const char *from, const char *to) {
    if (MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING))
        return 0;
    errno = GetLastError() == ERROR_ACCESS_DENIED ? EACCES : EIO;
    return -1;
}

int getloadavg(double *loads, int count) {
    (void)loads;
    (void)count;
    return -1;
}

long sysconf(int name) {
    (void)name;
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return (long)info.dwNumberOfProcessors;
}
