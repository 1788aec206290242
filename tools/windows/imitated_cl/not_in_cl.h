/* SPDX-License-Identifier: MIT */
/* Names that cl does not have, but that clang accepts without a warning even with -std=c11. The
 * imitation of cl includes this header first, so that any use of them is an error. */
#pragma GCC poison __attribute__ __attribute __int128 __int128_t __uint128_t __auto_type
#pragma GCC poison __asm__ __asm __extension__ __typeof__ __typeof __thread __label__ __float128
#pragma GCC poison __alignof__ __inline__ __restrict__ __volatile__ __const__ __real__ __imag__

#pragma GCC poison __builtin_add_overflow __builtin_sub_overflow __builtin_mul_overflow
#pragma GCC poison __builtin_alloca __builtin_assume __builtin_assume_aligned __builtin_trap
#pragma GCC poison __builtin_bswap16 __builtin_bswap32 __builtin_bswap64 __builtin_unreachable
#pragma GCC poison __builtin_choose_expr __builtin_constant_p __builtin_types_compatible_p
#pragma GCC poison __builtin_clz __builtin_clzl __builtin_clzll __builtin_ctz __builtin_ctzl
#pragma GCC poison __builtin_ctzll __builtin_ffs __builtin_ffsl __builtin_ffsll __builtin_parity
#pragma GCC poison __builtin_popcount __builtin_popcountl __builtin_popcountll
#pragma GCC poison __builtin_cpu_init __builtin_cpu_is __builtin_cpu_supports
#pragma GCC poison __builtin_convertvector __builtin_shufflevector __builtin_ia32_pause
#pragma GCC poison __builtin_expect __builtin_prefetch __builtin_object_size
#pragma GCC poison __builtin_memcpy __builtin_memset __builtin_memcmp __builtin_memmove
#pragma GCC poison __builtin_inf __builtin_inff __builtin_nan __builtin_nanf __builtin_huge_valf
#pragma GCC poison __builtin_isnan __builtin_isinf __builtin_isfinite __builtin_signbit
#pragma GCC poison __builtin_fma __builtin_fmaf __builtin_fabs __builtin_fabsf __builtin_sqrtf

#pragma GCC poison __atomic_load_n __atomic_store_n __atomic_exchange_n __atomic_fetch_add
#pragma GCC poison __atomic_compare_exchange_n __atomic_thread_fence __sync_synchronize
#pragma GCC poison __sync_fetch_and_add __sync_bool_compare_and_swap __sync_val_compare_and_swap
