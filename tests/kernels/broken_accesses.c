/* SPDX-License-Identifier: MIT */
#include "candidate.h"
#include <stddef.h>
const broken_candidate broken_accesses[] = {{NULL, NULL, NULL}};
