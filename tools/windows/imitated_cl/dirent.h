/* SPDX-License-Identifier: MIT */
#error "Microsoft has no dirent.h"
