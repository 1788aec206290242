/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_IMITATED_INTRIN_H
#define CUMSUM_IMITATED_INTRIN_H

/* The functions of Microsoft's intrin.h that src/ uses, declared as Microsoft documents them. */

#if defined(_M_X64)
#include <immintrin.h>

void __cpuid(int[4], int);
void __cpuidex(int[4], int, int);
#elif defined(_M_ARM64)
#define _ARM64_BARRIER_SY  0xF
#define _ARM64_BARRIER_ISH 0xB

void __dmb(unsigned int); /* Wine's winnt.h */
void __prefetch(const void *);
void __yield(void);
__int64 _ReadStatusReg(int);
void _WriteStatusReg(int, __int64);
#endif

unsigned char _BitScanForward64(unsigned long *, unsigned __int64);
unsigned char _BitScanReverse64(unsigned long *, unsigned __int64);

#endif
