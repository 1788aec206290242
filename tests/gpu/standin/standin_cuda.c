/* SPDX-License-Identifier: MIT */
/*
 * A stand-in for libcuda.so.1 with two GPUs, whose memory is the host's. Kernels run on the host:
 * the build compiles the shaders as C++ too (standin_gpu.h), as functions with the kernels' names,
 * and PTX tells the name and the number of threads. The threads of a group take turns from one
 * barrier to the next, each turn in the other direction; groups begin at the first or at the last
 * one, and run on three threads of the host, so that those that wait for others do. A thread that
 * ends where another one of its group waits is an error.
 *
 * STANDIN_CUDA names what fails: "gpus" (there is none), a function ("cuMemAlloc_v2": out of
 * memory; "cuLaunchKernel": an error that stays; others: error 1), "end" (no submission ends), or
 * "kernels" (they do nothing).
 */
#include "standin_cuda.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#define EXPORT __attribute__((visibility("default")))

enum {
    MOST_THREADS = 512,
    STACK = 1 << 16,
    MOST_BLOCKS = 4096,
    MOST_CAPTURED = 64,
    GPUS = 2,
    WORKERS = 3,
    ILLEGAL_ADDRESS = 700,
    NO_GPU = -2 /* CU_DEVICE_INVALID */
};

static bool fails(const char *what) {
    const char *failing = getenv("STANDIN_CUDA");
    return failing && strcmp(failing, what) == 0;
}

static standin_cuda control;

EXPORT standin_cuda *standin_cuda_control(void) {
    return &control;
}

/* Kernels */

typedef struct words {
    uint32_t at[32];
} words;

typedef void kernel_function(words given, uint32_t *slot0, uint32_t *slot1, uint32_t *slot2);

typedef struct module {
    char name[64];
    unsigned threads;
    int gpu;
    kernel_function *function;
} module;

typedef struct launch {
    const module *kernel;
    unsigned groups[3];
    words given;
    uint32_t *slots[3];
} launch;

EXPORT _Thread_local unsigned standin_thread, standin_block[3];
EXPORT _Thread_local int standin_lanes[MOST_THREADS];
EXPORT void standin_barrier(void);

/* A thread of the host that runs groups, one after the other. */
typedef struct worker {
    pthread_t thread;
    ucontext_t scheduler, threads[MOST_THREADS];
    char stacks[MOST_THREADS][STACK];
    bool ended[MOST_THREADS];
} worker;

static worker workers[WORKERS];
static _Thread_local worker *self;
static const launch *running;
static bool backwards;
static unsigned next_group; /* in the order in which groups begin */
static pthread_mutex_t one_kernel = PTHREAD_MUTEX_INITIALIZER;

void standin_barrier(void) {
    swapcontext(&self->threads[standin_thread], &self->scheduler);
}

static void run_thread(void) {
    for (;;) {
        running->kernel->function(running->given, running->slots[0], running->slots[1],
                                  running->slots[2]);
        self->ended[standin_thread] = true;
        standin_barrier();
    }
}

/* All threads from a barrier to the next; returns how many ended. */
static unsigned run_turn(unsigned count, bool last_first) {
    unsigned ends = 0;
    for (unsigned i = 0; i < count; i++) {
        standin_thread = last_first ? count - 1 - i : i;
        swapcontext(&self->scheduler, &self->threads[standin_thread]);
        ends += self->ended[standin_thread];
    }
    return ends;
}

static void run_group(unsigned count) {
    bool last_first = false;
    unsigned ends;
    memset(self->ended, 0, sizeof self->ended);
    while ((ends = run_turn(count, last_first)) == 0)
        last_first = !last_first;
    if (ends != count) {
        fprintf(stderr, "%s: %u of %u threads of a group end where others wait\n",
                running->kernel->name, ends, count);
        abort();
    }
}

static void *run_groups(void *memory) {
    const unsigned count = running->kernel->threads;
    const unsigned row = running->groups[0], plane = row * running->groups[1];
    const unsigned groups = plane * running->groups[2];
    self = memory;
    for (unsigned i = 0; i < count; i++) {
        getcontext(&self->threads[i]);
        self->threads[i].uc_stack.ss_sp = self->stacks[i];
        self->threads[i].uc_stack.ss_size = STACK;
        makecontext(&self->threads[i], run_thread, 0);
    }
    unsigned i;
    while ((i = __atomic_fetch_add(&next_group, 1, __ATOMIC_RELAXED)) < groups) {
        const unsigned group = backwards ? groups - 1 - i : i;
        standin_block[0] = group % row;
        standin_block[1] = group % plane / row;
        standin_block[2] = group / plane;
        run_group(count);
    }
    return NULL;
}

static void run(const launch *l) {
    const unsigned groups = l->groups[0] * l->groups[1] * l->groups[2];
    unsigned begun = 1;
    pthread_mutex_lock(&one_kernel);
    control.groups += groups;
    backwards = control.launches++ % 2 != 0;
    running = l;
    next_group = 0;
    while (begun < WORKERS && begun < groups &&
           pthread_create(&workers[begun].thread, NULL, run_groups, &workers[begun]) == 0)
        begun++;
    run_groups(&workers[0]);
    while (--begun > 0)
        pthread_join(workers[begun].thread, NULL);
    running = NULL;
    pthread_mutex_unlock(&one_kernel);
}

static launch captured[MOST_CAPTURED];
static size_t captured_count;

EXPORT void standin_replay(void) {
    for (size_t i = 0; i < captured_count; i++)
        run(&captured[i]);
}

/* Contexts and memory */

static _Thread_local int stack[16]; /* the GPUs of the thread's contexts */
static _Thread_local unsigned depth;

EXPORT unsigned standin_contexts(void) {
    return depth;
}

static int current_gpu(void) {
    return depth ? stack[depth - 1] : -1;
}

static void push(const void *context) {
    stack[depth++ % 16] = (int)((const char *)context - "contexts");
}

typedef struct block {
    uint64_t address;
    size_t bytes;
    int gpu;
} block;

static block blocks[MOST_BLOCKS];

static block *block_of(uint64_t address) {
    for (size_t i = 0; i < MOST_BLOCKS; i++)
        if (blocks[i].bytes && address - blocks[i].address < blocks[i].bytes)
            return &blocks[i];
    return NULL;
}

static void *memory_at(uint64_t address) {
    void *memory = NULL;
    memcpy(&memory, &address, sizeof memory);
    return memory;
}

static pthread_mutex_t one_change = PTHREAD_MUTEX_INITIALIZER; /* of blocks */

static int take_block(uint64_t address, size_t bytes) {
    for (size_t i = 0; i < MOST_BLOCKS; i++) {
        if (!blocks[i].bytes) {
            blocks[i] = (block){address, bytes, current_gpu()};
            return 0;
        }
    }
    return 2;
}

static int allocate(uint64_t *address, size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return 2;
    *address = (uint64_t)(uintptr_t)memory;
    pthread_mutex_lock(&one_change);
    const int result = take_block(*address, bytes);
    pthread_mutex_unlock(&one_change);
    return result;
}

static int release(uint64_t address) {
    block *found = block_of(address);
    if (!found)
        return 1;
    munmap(memory_at(address), found->bytes);
    *found = (block){0};
    return 0;
}

static void set_words(uint32_t *to, uint32_t word, size_t words_count) {
    for (size_t i = 0; i < words_count; i++)
        to[i] = word;
}

static int ask(unsigned count, const int *attributes, void **values, uint64_t address) {
    const block *found = block_of(address);
    for (unsigned i = 0; i < count; i++)
        *(int *)values[i] = attributes[i] == 9            ? (found ? found->gpu : NO_GPU)
                            : found && attributes[i] == 2 ? 2
                                                          : 0;
    return 0;
}

static int load(void **to, const char *ptx) {
    Dl_info here;
    module *made = calloc(1, sizeof *made);
    const char *entry = strstr(ptx, ".entry "), *most = strstr(ptx, ".maxntid ");
    *to = made;
    if (!entry || !most || sscanf(entry, ".entry %63[^(]", made->name) != 1)
        return 218;
    made->threads = (unsigned)strtoul(most + sizeof ".maxntid", NULL, 10);
    made->gpu = current_gpu();
    if (!dladdr((void *)workers, &here))
        return 500;
    void *library = dlopen(here.dli_fname, RTLD_NOW | RTLD_NOLOAD);
    void *found = library ? dlsym(library, made->name) : NULL;
    memcpy(&made->function, &found, sizeof found);
    if (library)
        dlclose(library);
    return found ? 0 : 500;
}

/* The default streams, of the process and of the thread, belong to the current context. */
static bool is_stream_of(const struct CUstream_st *stream, int gpu) {
    return (uintptr_t)stream <= 2 || stream->gpu == gpu;
}

static int launch_kernel(const module *kernel, const unsigned groups[3],
                         const struct CUstream_st *stream, void **parameters) {
    launch l = {.kernel = kernel};
    if (kernel->gpu != current_gpu() || !is_stream_of(stream, kernel->gpu))
        return 400;
    control.stream = stream;
    memcpy(l.groups, groups, sizeof l.groups);
    memcpy(&l.given, parameters[0], sizeof l.given);
    for (int i = 0; i < 3; i++)
        memcpy(&l.slots[i], parameters[1 + i], sizeof l.slots[i]);
    if ((uintptr_t)stream > 2 && stream->captured && captured_count < MOST_CAPTURED)
        captured[captured_count++] = l;
    else if (!fails("kernels"))
        run(&l);
    return 0;
}

/* The functions of the library. STANDIN: one that does not change anything on the GPU. */
#define STANDIN(name, parameters, error, work)                                                     \
    EXPORT int name parameters;                                                                    \
    int name parameters {                                                                          \
        if (fails(#name))                                                                          \
            return error;                                                                          \
        work;                                                                                      \
        return 0;                                                                                  \
    }
#define STANDIN_RESULT(name, parameters, error, work)                                              \
    EXPORT int name parameters;                                                                    \
    int name parameters {                                                                          \
        return control.lost ? ILLEGAL_ADDRESS : fails(#name) ? (error) : (work);                   \
    }
#define STANDIN_WORK(name, parameters, error, work)                                                \
    STANDIN_RESULT(name, parameters, error, (control.others += control.only_launches, work))

STANDIN(cuInit, (unsigned flags), 1, (void)flags)
STANDIN(cuDriverGetVersion, (int *version), 1, *version = 13000)
STANDIN(cuDeviceGetCount, (int *count), 1, *count = fails("gpus") ? 0 : GPUS)
STANDIN(cuDeviceGetName, (char *name, int room, int gpu), 1,
        snprintf(name, (size_t)room, "stand-in %d", gpu))
STANDIN(cuDeviceTotalMem_v2, (size_t * bytes, int gpu), 1, *bytes = (size_t)(gpu + 1) << 30)
STANDIN(cuDevicePrimaryCtxRetain, (void **context, int gpu), 1, *context = (char *)"contexts" + gpu)
STANDIN(cuDevicePrimaryCtxRelease_v2, (int gpu), 1, (void)gpu)
STANDIN(cuCtxPushCurrent_v2, (void *context), 1, push(context))
STANDIN(cuCtxPopCurrent_v2, (void **context), 1, (depth--, *context = NULL))
STANDIN_RESULT(cuPointerGetAttributes,
               (unsigned count, const int *attributes, void **values, uint64_t address), 1,
               ask(count, attributes, values, address))
STANDIN_WORK(cuMemAlloc_v2, (uint64_t * memory, size_t bytes), 2, allocate(memory, bytes))
STANDIN_WORK(cuMemFree_v2, (uint64_t memory), 1, release(memory))
STANDIN_WORK(cuMemcpyHtoD_v2, (uint64_t to, const void *from, size_t bytes), 1,
             (memcpy(memory_at(to), from, bytes), 0))
STANDIN_WORK(cuMemcpyDtoH_v2, (void *to, uint64_t from, size_t bytes), 1,
             (memcpy(to, memory_at(from), bytes), 0))
STANDIN_WORK(cuMemcpyDtoDAsync_v2, (uint64_t to, uint64_t from, size_t bytes, void *stream), 1,
             ((void)stream, memcpy(memory_at(to), memory_at(from), bytes), 0))
STANDIN_WORK(cuMemsetD32_v2, (uint64_t to, unsigned word, size_t count), 1,
             (set_words(memory_at(to), word, count), 0))
STANDIN_WORK(cuModuleLoadData, (void **made, const void *ptx), 218, load(made, ptx))
STANDIN(cuModuleUnload, (void *made), 1, free(made))
STANDIN_WORK(cuModuleGetFunction, (void **kernel, void *made, const char *name), 500,
             (*kernel = made, strcmp(((module *)made)->name, name) ? 500 : 0))
STANDIN(cuFuncGetAttribute, (int *value, int attribute, void *kernel), 1,
        *value = attribute == 0 ? (int)((module *)kernel)->threads : 10 * attribute)
STANDIN(cuOccupancyMaxActiveBlocksPerMultiprocessor,
        (int *groups, void *kernel, int threads, size_t shared), 1,
        ((void)kernel, (void)shared, *groups = 512 / threads))
STANDIN_WORK(cuStreamSynchronize, (const struct CUstream_st *stream), 1,
             is_stream_of(stream, current_gpu()) ? 0 : 400)
EXPORT int cuLaunchKernel(void *kernel, unsigned x, unsigned y, unsigned z, unsigned threads_x,
                          unsigned threads_y, unsigned threads_z, unsigned shared_bytes,
                          void *stream, void **parameters, void **extra);
int cuLaunchKernel(void *kernel, unsigned x, unsigned y, unsigned z, unsigned threads_x,
                   unsigned threads_y, unsigned threads_z, unsigned shared_bytes, void *stream,
                   void **parameters, void **extra) {
    (void)threads_x, (void)threads_y, (void)threads_z, (void)shared_bytes, (void)extra;
    control.lost |= fails("cuLaunchKernel");
    return control.lost ? ILLEGAL_ADDRESS
                        : launch_kernel(kernel, (unsigned[]){x, y, z}, stream, parameters);
}
STANDIN_WORK(cuEventCreate, (void **event, unsigned flags), 1,
             ((void)flags, *event = (char *)"event", 0))
STANDIN(cuEventDestroy_v2, (void *event), 1, (void)event)
STANDIN_WORK(cuEventRecord, (void *event, void *stream), 1, ((void)event, (void)stream, 0))
STANDIN_WORK(cuEventQuery, (void *event), 1, ((void)event, fails("end") ? 600 : 0))
STANDIN(cuEventElapsedTime, (float *milliseconds, void *begin, void *end), 1,
        ((void)begin, (void)end, *milliseconds = 1))
STANDIN(cuGetErrorName, (int status, const char **name), 1,
        *name = status == ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS"
                : status == 400           ? "CUDA_ERROR_INVALID_HANDLE"
                                          : "CUDA_ERROR_OTHER")
