/* SPDX-License-Identifier: MIT */
/* Takes the place of a POSIX header that Microsoft lacks. */
#error "Microsoft has no dirent.h"
