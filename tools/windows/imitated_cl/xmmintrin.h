/* SPDX-License-Identifier: MIT */
/* Microsoft has these intrinsics in immintrin.h as well. */
#include <immintrin.h>
