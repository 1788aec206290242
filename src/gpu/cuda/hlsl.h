/* SPDX-License-Identifier: MIT */
/*
 * What HLSL has and CUDA calls otherwise, for shaders that convert.py wrote as CUDA. It is for
 * clang, and no file of NVIDIA's is needed.
 */
#ifndef CUMSUM_GPU_CUDA_HLSL_H
#define CUMSUM_GPU_CUDA_HLSL_H

#define DEVICE __attribute__((device, always_inline))
#ifndef SHARED
#define SHARED __attribute__((shared))
#endif
#define GLOBAL __attribute__((global))

typedef unsigned int uint;
/* Of a byte. HLSL has 32 bits for it; here tensors may be longer. */
typedef unsigned long long byte_address;

/* Vectors. Clang has its own, but clang 14 loads their components wrongly from shared memory. */
struct uint2 {
    uint x, y;
    uint2() = default;
    DEVICE uint2(uint all) : x(all), y(all) {
    }
    DEVICE uint2(uint x, uint y) : x(x), y(y) {
    }
};
struct uint3 {
    uint x, y, z;
};
struct uint4 {
    uint x, y, z, w;
    uint4() = default;
    DEVICE uint4(uint all) : x(all), y(all), z(all), w(all) {
    }
    DEVICE uint4(uint x, uint y, uint z, uint w) : x(x), y(y), z(z), w(w) {
    }
    DEVICE uint4 wzyx() const {
        return uint4(w, z, y, x);
    }
};
struct bool2 {
    bool x, y;
};
struct bool4 {
    bool x, y, z, w;
};
#define BY_COMPONENT(op)                                                                           \
    DEVICE static uint2 operator op(uint2 a, uint2 b) {                                            \
        return uint2(a.x op b.x, a.y op b.y);                                                      \
    }                                                                                              \
    DEVICE static uint4 operator op(uint4 a, uint4 b) {                                            \
        return uint4(a.x op b.x, a.y op b.y, a.z op b.z, a.w op b.w);                              \
    }
BY_COMPONENT(+)
BY_COMPONENT(*)
BY_COMPONENT(|)
BY_COMPONENT(^)
DEVICE static void operator+=(uint2 &a, uint2 b) {
    a = a + b;
}
DEVICE static bool2 operator!=(uint2 a, uint2 b) {
    return bool2{a.x != b.x, a.y != b.y};
}
DEVICE static bool4 operator!=(uint4 a, uint4 b) {
    return bool4{a.x != b.x, a.y != b.y, a.z != b.z, a.w != b.w};
}
DEVICE static bool4 operator==(uint4 a, uint4 b) {
    return bool4{a.x == b.x, a.y == b.y, a.z == b.z, a.w == b.w};
}
DEVICE static bool all(bool b) {
    return b;
}
DEVICE static bool all(bool2 b) {
    return b.x && b.y;
}
DEVICE static bool all(bool4 b) {
    return b.x && b.y && b.z && b.w;
}

/* The constants of a shader, as gpu_driver.h has them. */
struct words {
    uint at[32];
};

DEVICE static uint thread_x() {
    return __nvvm_read_ptx_sreg_tid_x();
}
DEVICE static uint block_x() {
    return __nvvm_read_ptx_sreg_ctaid_x();
}
DEVICE static uint block_y() {
    return __nvvm_read_ptx_sreg_ctaid_y();
}
DEVICE static uint block_z() {
    return __nvvm_read_ptx_sreg_ctaid_z();
}

DEVICE static float asfloat(uint bits) {
    return __builtin_bit_cast(float, bits);
}
DEVICE static uint asuint(float number) {
    return __builtin_bit_cast(uint, number);
}
DEVICE static uint f32tof16(float number) {
    return __builtin_bit_cast(unsigned short, (__fp16)number);
}
DEVICE static float f16tof32(uint bits) {
    return (float)__builtin_bit_cast(__fp16, (unsigned short)bits);
}
/* Subnormal terms and sums become zeros of their signs. */
DEVICE static uint add_flushing(uint a, uint b) {
    return asuint(__nvvm_add_rn_ftz_f(asfloat(a), asfloat(b)));
}

/* What variants of kernels use (bench/variants.txt). */
#ifdef SHUFFLES
#define FROM_BELOW(thread, value, distance)                                                        \
    (uint) __nvvm_shfl_sync_up_i32(~0u, (int)(value), (int)(distance), 0)
#endif
#if defined(RESTS) && defined(__NVPTX__)
#define REST __asm__ volatile("nanosleep.u32 32;")
#define LOAD_RELAXED(to, p)                                                                        \
    __asm__ volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(to) : "l"(p))
#endif
#ifdef PAIRS
DEVICE static uint f32tof16_pair(float low, float high) {
#ifdef __NVPTX__
    uint halves;
    __asm__("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(halves) : "f"(high), "f"(low));
    return halves;
#else
    return f32tof16(low) | f32tof16(high) << 16;
#endif
}
#endif
#ifdef LEAST_GROUPS /* on a multiprocessor */
#define BOUNDS(threads) launch_bounds(threads, LEAST_GROUPS)
#else
#define BOUNDS(threads) launch_bounds(threads)
#endif

/* HLSL compares as the operators of the two types do. */
template <typename A, typename B> DEVICE static auto min(A a, B b) -> decltype(a + b) {
    typedef decltype(a + b) both;
    return (both)a < (both)b ? (both)a : (both)b;
}
template <typename A, typename B> DEVICE static auto max(A a, B b) -> decltype(a + b) {
    typedef decltype(a + b) both;
    return (both)a > (both)b ? (both)a : (both)b;
}
DEVICE static int abs(int number) {
    return number < 0 ? -number : number;
}
DEVICE static uint firstbitlow(uint bits) {
    return bits ? (uint)__builtin_ctz(bits) : ~0u;
}

/* An array that is copied and assigned as a value. */
template <typename T, uint N> struct array {
    T at[N];
    DEVICE T &operator[](uint i) {
        return at[i];
    }
    DEVICE const T &operator[](uint i) const {
        return at[i];
    }
};

/* Atomic operations on words of either memory, without an order of other accesses, as HLSL's. */
DEVICE static uint InterlockedAdd(uint &at, uint value) {
    return __atomic_fetch_add(&at, value, __ATOMIC_RELAXED);
}
DEVICE static void InterlockedMin(uint &at, uint value) {
    __atomic_fetch_min(&at, value, __ATOMIC_RELAXED);
}
DEVICE static void InterlockedMin(int &at, int value) {
    __atomic_fetch_min(&at, value, __ATOMIC_RELAXED);
}
DEVICE static void InterlockedMax(uint &at, uint value) {
    __atomic_fetch_max(&at, value, __ATOMIC_RELAXED);
}
DEVICE static void InterlockedMax(int &at, int value) {
    __atomic_fetch_max(&at, value, __ATOMIC_RELAXED);
}

#ifdef WIDE_LOADS
typedef uint quad __attribute__((ext_vector_type(4)));
#endif

/* Addresses are bytes. Words that are loaded or stored together are not aligned to their number. */
struct RWByteAddressBuffer {
    uint *at;

    DEVICE uint Load(byte_address address) const {
        return at[address / 4];
    }
    DEVICE uint2 Load2(byte_address address) const {
        return uint2{at[address / 4], at[address / 4 + 1]};
    }
    DEVICE uint4 Load4(byte_address address) const {
        const byte_address first = address / 4;
        return uint4{at[first], at[first + 1], at[first + 2], at[first + 3]};
    }
    DEVICE void Store(byte_address address, uint value) const {
        at[address / 4] = value;
    }
    DEVICE void Store2(byte_address address, uint2 value) const {
        at[address / 4] = value.x;
        at[address / 4 + 1] = value.y;
    }
    DEVICE void Store4(byte_address address, uint4 value) const {
        const byte_address first = address / 4;
        at[first] = value.x;
        at[first + 1] = value.y;
        at[first + 2] = value.z;
        at[first + 3] = value.w;
    }
    DEVICE uint InterlockedAdd(byte_address address, uint value) const {
        return __atomic_fetch_add(at + address / 4, value, __ATOMIC_RELAXED);
    }
    DEVICE uint InterlockedOr(byte_address address, uint value) const {
        return __atomic_fetch_or(at + address / 4, value, __ATOMIC_RELAXED);
    }
    DEVICE uint InterlockedExchange(byte_address address, uint value) const {
        return __atomic_exchange_n(at + address / 4, value, __ATOMIC_RELAXED);
    }
    DEVICE void InterlockedXor(byte_address address, uint value) const {
        __atomic_fetch_xor(at + address / 4, value, __ATOMIC_RELAXED);
    }
#ifdef WIDE_LOADS
    /* 16 bytes in one access, at an address for which IsWide holds. */
    DEVICE bool IsWide(byte_address address) const {
        return ((byte_address)at + address) % sizeof(quad) == 0;
    }
    DEVICE uint4 LoadWide(byte_address address) const {
        const quad q = *(const quad *)(at + address / 4);
        return uint4(q.x, q.y, q.z, q.w);
    }
    DEVICE void StoreWide(byte_address address, uint4 value) const {
        *(quad *)(at + address / 4) = quad{value.x, value.y, value.z, value.w};
    }
#endif
};

/* One whose loads see what other groups have stored. */
struct CoherentByteAddressBuffer : RWByteAddressBuffer {
    DEVICE CoherentByteAddressBuffer(uint *at) : RWByteAddressBuffer{at} {
    }
    DEVICE uint Load(byte_address address) const {
#ifdef LOAD_RELAXED
        uint word;
        LOAD_RELAXED(word, at + address / 4);
        return word;
#else
        return *(volatile uint *)(at + address / 4);
#endif
    }
    DEVICE uint2 Load2(byte_address address) const {
        return uint2(Load(address), Load(address + 4));
    }
    DEVICE uint4 Load4(byte_address address) const {
        return uint4(Load(address), Load(address + 4), Load(address + 8), Load(address + 12));
    }
};

#define GroupMemoryBarrierWithGroupSync() __syncthreads()
#define AllMemoryBarrierWithGroupSync()   (__nvvm_membar_gl(), __syncthreads())

/* The entry. The number of threads in a group becomes an attribute of the kernel, from which the
 * driver knows it. */
#define KERNEL(shader, name)                                                                       \
    extern "C" GLOBAL __attribute__((BOUNDS(shader::threads))) void name(                          \
        words given, uint *slot0, uint *slot1, uint *slot2) {                                      \
        shader s{slot0, slot1, slot2};                                                             \
        s.given = given;                                                                           \
        s.run();                                                                                   \
    }

#endif
