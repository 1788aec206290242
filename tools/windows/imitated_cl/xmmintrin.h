/* SPDX-License-Identifier: MIT */
#include <immintrin.h>
