/* SPDX-License-Identifier: MIT */
/* check_vectors.c as C++17. */
#include "check_vectors.c"
