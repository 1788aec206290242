/* SPDX-License-Identifier: MIT */
#error "Microsoft has no unistd.h"
