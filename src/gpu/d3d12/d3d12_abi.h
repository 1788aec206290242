/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_D3D12_ABI_H
#define CUMSUM_GPU_D3D12_ABI_H

/*
 * d3d12.h in C, for the calling convention that the object file is compiled for:
 *
 *   CUMSUM_ABI_WINDOWS  Windows: the platform's own header.
 *   CUMSUM_ABI_WSL      WSL's libd3d12.so: the System V convention, structures returned by value.
 *   CUMSUM_ABI_VKD3D    vkd3d: Microsoft's convention for methods, structures returned through a
 *                       pointer. vkd3d's own functions (vkd3d_...) use the System V convention.
 *
 * The two forms for Linux come from DirectX-Headers. CUMSUM_ABI(name) is an external name with the
 * convention in it, so that all forms can be linked into one library.
 */

#if defined(CUMSUM_ABI_WINDOWS)
#define CUMSUM_ABI(name) cumsum_windows_##name
#define COBJMACROS
#define WIN32_LEAN_AND_MEAN
/* In C the header must be told that methods return structures through a pointer. */
#define WIDL_EXPLICIT_AGGREGATE_RETURNS
#include <windows.h>

#include <d3d12.h>
#include <d3d12sdklayers.h>
#else

#include <limits.h>

/* The headers' substitute for Windows.h redefines these for a long of 32 bits. */
#pragma push_macro("LONG_MAX")
#pragma push_macro("ULONG_MAX")
#define COBJMACROS
#include <basetsd.h>
#pragma pop_macro("ULONG_MAX")
#pragma pop_macro("LONG_MAX")
#undef C_ASSERT
#define C_ASSERT(expression) _Static_assert(expression, #expression)

#if defined(CUMSUM_ABI_VKD3D)
#define CUMSUM_ABI(name) cumsum_vkd3d_##name
#ifdef __x86_64__
#undef STDMETHODCALLTYPE
#undef STDAPICALLTYPE
#undef WINAPI
#define STDMETHODCALLTYPE __attribute__((ms_abi))
#define STDAPICALLTYPE    __attribute__((ms_abi))
#define WINAPI            __attribute__((ms_abi))
#endif
#include <unknwn.h>
/* Selects the declarations that return structures through a pointer. */
#define _WIN32 1
#include <directx/d3d12.h>
#undef _WIN32
#elif defined(CUMSUM_ABI_WSL)
#define CUMSUM_ABI(name) cumsum_wsl_##name
#include <unknwn.h>

#include <directx/d3d12.h>
#else
#error "no calling convention is chosen"
#endif
#include <directx/d3d12sdklayers.h>
#endif

/* Releases an object of any interface. NULL is allowed. */
static inline void d3d12_release(void *object) {
    if (object)
        IUnknown_Release((IUnknown *)object);
}

#endif
