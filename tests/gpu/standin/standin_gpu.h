/* SPDX-License-Identifier: MIT */
/* What a kernel asks of its GPU, for shaders that are compiled as C++ for the host: included before
 * src/gpu/cuda/hlsl.h. standin_cuda.c runs the threads of a group in turns, from one barrier to the
 * next. */
extern "C" unsigned standin_thread, standin_block[3];
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
