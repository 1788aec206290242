/* SPDX-License-Identifier: MIT */
/* What a kernel asks of its GPU, for shaders that are compiled as C++ for the host: included before
 * src/gpu/cuda/hlsl.h. standin_cuda.c runs the threads of a group in turns, from one barrier to the
 * next, and several groups at a time, each on a thread of the host. */
#define SHARED __thread
extern "C" __thread unsigned standin_thread, standin_block[3];
extern "C" void standin_barrier(void);

static inline unsigned __nvvm_read_ptx_sreg_tid_x() {
    return standin_thread;
}
static inline unsigned __nvvm_read_ptx_sreg_ctaid_x() {
    return standin_block[0];
}
static inline unsigned __nvvm_read_ptx_sreg_ctaid_y() {
    return standin_block[1];
}
static inline unsigned __nvvm_read_ptx_sreg_ctaid_z() {
    return standin_block[2];
}
static inline void __syncthreads() {
    standin_barrier();
}
static inline void __nvvm_membar_gl() {
}
static inline float __nvvm_add_rn_ftz_f(float a, float b) {
    const auto flushed = [](float x) { return __builtin_fabsf(x) < 0x1p-126f ? x * 0 : x; };
    return flushed(flushed(a) + flushed(b));
}
extern "C" __thread int standin_lanes[];
static inline int __nvvm_shfl_sync_up_i32(unsigned, int value, int distance, int) {
    const int own = (int)standin_thread;
    standin_lanes[own] = value;
    standin_barrier();
    const int found = standin_lanes[own % 32 < distance ? own : own - distance];
    standin_barrier();
    return found;
}
