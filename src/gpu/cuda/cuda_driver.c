/* SPDX-License-Identifier: MIT */
/*
 * The table of functions over CUDA, for NVIDIA GPUs where there is no Vulkan, and for NVIDIA's
 * tools, which examine CUDA programs only. The kernels are the shaders of Direct3D:
 * tools/compile-ptx makes PTX from the same sources. A file of PTX is named after the digest in the
 * DXBC container that it stands for, so the scans above know nothing of it. The environment
 * variable CUMSUM_PTX names the folder; without it there is no CUDA.
 *
 * libcuda.so.1 is loaded at run time, and its functions are declared here, so CUDA's headers are
 * not needed. Everything is in the stream 0, which executes in order.
 *
 * Invariant: once a call returned an error that CUDA keeps, or the GPU did not finish in time,
 * device->lost says so, and every later call returns it. Nothing of the device is freed then.
 */
#include "cuda_driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "adapter_list.h"
#include "dynamic_library.h"

#define CUDA_LIBRARY       "libcuda.so.1"
#define KERNEL             "kernel" /* the entry in every file */
#define MOST_PTX_BYTES     (INT64_C(1) << 24)
#define DEFAULT_TIMEOUT_MS 60000

/* From cuda.h. */
typedef uint64_t cuda_address;
enum {
    CUDA_OK = 0,
    CUDA_OUT_OF_MEMORY = 2,
    CUDA_NOT_READY = 600,
    CUDA_FIRST_KEPT = 700, /* errors from here to the last leave no call of the process working */
    CUDA_LAST_KEPT = 720,
    THREADS_PER_BLOCK = 0, /* an attribute of a kernel */
};

/* The functions of the library that are used, under their names there. */
typedef struct cuda_library {
    void *handle;
    int (*init)(unsigned flags);
    int (*version)(int *version);
    int (*count)(int *count);
    int (*name)(char *name, int room, int gpu);
    int (*memory)(size_t *bytes, int gpu);
    int (*retain)(void **context, int gpu);
    int (*release)(int gpu);
    int (*enter)(void *context);
    int (*allocate)(cuda_address *memory, size_t bytes);
    int (*free)(cuda_address memory);
    int (*to_gpu)(cuda_address to, const void *from, size_t bytes);
    int (*from_gpu)(void *to, cuda_address from, size_t bytes);
    int (*within)(cuda_address to, cuda_address from, size_t bytes, void *stream);
    int (*set_words)(cuda_address to, unsigned word, size_t words);
    int (*load)(void **module, const void *ptx);
    int (*unload)(void *module);
    int (*find)(void **kernel, void *module, const char *name);
    int (*attribute)(int *value, int attribute, void *kernel);
    int (*launch)(void *kernel, unsigned x, unsigned y, unsigned z, unsigned threads_x,
                  unsigned threads_y, unsigned threads_z, unsigned shared_bytes, void *stream,
                  void **parameters, void **extra);
    int (*make_event)(void **event, unsigned flags);
    int (*free_event)(void *event);
    int (*record)(void *event, void *stream);
    int (*query)(void *event);
    int (*elapsed)(float *milliseconds, void *begin, void *end);
    int (*error)(int status, const char **name);
} cuda_library;

typedef struct cuda_device {
    gpu_device base;
    cuda_library cuda;
    int gpu;
    void *context;
    void *begin, *end; /* events around a submission */
    uint32_t timeout_ms;
    cumsum_d3d12_device_info info;
    gpu_failure lost;
} cuda_device;

struct gpu_buffer {
    cuda_device *device;
    cuda_address memory;
};

struct gpu_shader {
    cuda_device *device;
    void *module;
    void *kernel;
    unsigned threads; /* of a group */
};

static const char *ptx_folder(void) {
    const char *folder = getenv("CUMSUM_PTX");
    return folder && *folder ? folder : NULL;
}

bool cumsum_cuda_is_wanted(void) {
    return ptx_folder() != NULL;
}

/* A result of CUDA as a status. */
static gpu_status check(const cuda_library *cuda, int result, const char *call, gpu_failure *why) {
    const char *name = NULL;
    if (result == CUDA_OK)
        return GPU_OK;
    cuda->error(result, &name);
    const gpu_status status = result == CUDA_OUT_OF_MEMORY ? GPU_OUT_OF_MEMORY
                              : result >= CUDA_FIRST_KEPT && result <= CUDA_LAST_KEPT
                                  ? GPU_DEVICE_REMOVED
                                  : GPU_REJECTED;
    cumsum_gpu_refuse(why, status, "CUDA: %s: error %d, %s", call, result, name ? name : "unknown");
    why->hresult = result;
    return status;
}

/* Makes the device's context that of the thread. Every call begins with this. */
static gpu_status enter(cuda_device *device, gpu_failure *why) {
    if (device->lost.status != GPU_OK) {
        *why = device->lost;
        return why->status;
    }
    return check(&device->cuda, device->cuda.enter(device->context), "cuCtxSetCurrent", why);
}

static gpu_status check_device(cuda_device *device, int result, const char *call,
                               gpu_failure *why) {
    const gpu_status status = check(&device->cuda, result, call, why);
    if (status == GPU_DEVICE_REMOVED)
        device->lost = *why;
    return status;
}

static gpu_status load_cuda(cuda_library *cuda, gpu_failure *why) {
    const struct {
        const char *name;
        void *function;
    } symbols[] = {{"cuInit", &cuda->init},
                   {"cuDriverGetVersion", &cuda->version},
                   {"cuDeviceGetCount", &cuda->count},
                   {"cuDeviceGetName", &cuda->name},
                   {"cuDeviceTotalMem_v2", &cuda->memory},
                   {"cuDevicePrimaryCtxRetain", &cuda->retain},
                   {"cuDevicePrimaryCtxRelease_v2", &cuda->release},
                   {"cuCtxSetCurrent", &cuda->enter},
                   {"cuMemAlloc_v2", &cuda->allocate},
                   {"cuMemFree_v2", &cuda->free},
                   {"cuMemcpyHtoD_v2", &cuda->to_gpu},
                   {"cuMemcpyDtoH_v2", &cuda->from_gpu},
                   {"cuMemcpyDtoDAsync_v2", &cuda->within},
                   {"cuMemsetD32_v2", &cuda->set_words},
                   {"cuModuleLoadData", &cuda->load},
                   {"cuModuleUnload", &cuda->unload},
                   {"cuModuleGetFunction", &cuda->find},
                   {"cuFuncGetAttribute", &cuda->attribute},
                   {"cuLaunchKernel", &cuda->launch},
                   {"cuEventCreate", &cuda->make_event},
                   {"cuEventDestroy_v2", &cuda->free_event},
                   {"cuEventRecord", &cuda->record},
                   {"cuEventQuery", &cuda->query},
                   {"cuEventElapsedTime", &cuda->elapsed},
                   {"cuGetErrorName", &cuda->error}};
    gpu_status status = cumsum_library_open(CUDA_LIBRARY, &cuda->handle, why);
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0] && status == GPU_OK; i++) {
        status = cumsum_library_find(cuda->handle, CUDA_LIBRARY, symbols[i].name,
                                     symbols[i].function, why);
    }
    return status;
}

/* No GPU, or none that the driver can use, is GPU_UNAVAILABLE. */
static gpu_status list_gpus(const cuda_library *cuda, adapter_list *list, gpu_failure *why) {
    int version = 0, count = 0;
    gpu_status status = check(cuda, cuda->init(0), "cuInit", why);
    if (status == GPU_OK)
        status = check(cuda, cuda->version(&version), "cuDriverGetVersion", why);
    if (status == GPU_OK)
        status = check(cuda, cuda->count(&count), "cuDeviceGetCount", why);
    if (status == GPU_OK && count == 0)
        status = cumsum_gpu_refuse(why, GPU_UNAVAILABLE, "CUDA has no GPU");
    if (status != GPU_OK)
        return why->status = GPU_UNAVAILABLE;
    for (int gpu = 0; gpu < count && gpu < GPU_MAX_ADAPTERS; gpu++) {
        cumsum_d3d12_adapter *adapter = &list->at[gpu].adapter;
        size_t bytes = 0;
        *adapter = (cumsum_d3d12_adapter){.vendor_id = 0x10de};
        cuda->name(adapter->name, sizeof adapter->name, gpu);
        cuda->memory(&bytes, gpu);
        adapter->dedicated_memory_in_bytes = bytes;
        snprintf(adapter->driver, sizeof adapter->driver, "for CUDA %d.%d", version / 1000,
                 version / 10 % 100);
        list->count++;
    }
    return GPU_OK;
}

static gpu_status begin(cuda_library *cuda, adapter_list *list, gpu_failure *why) {
    *list = (adapter_list){0};
    *cuda = (cuda_library){0};
    gpu_status status = load_cuda(cuda, why);
    if (status == GPU_OK)
        status = list_gpus(cuda, list, why);
    if (status != GPU_OK)
        cumsum_library_close(cuda->handle);
    return status;
}

static gpu_status list_adapters(cumsum_d3d12_adapter *to, size_t room, size_t *count,
                                gpu_failure *why) {
    cuda_library cuda;
    adapter_list list;
    const gpu_status status = begin(&cuda, &list, why);
    if (status == GPU_OK) {
        cumsum_adapters_copy(&list, to, room, count);
        cumsum_library_close(cuda.handle);
    }
    return status;
}

/* The timings are CUDA's, in nanoseconds, of which it resolves some hundred. */
static void describe(cuda_device *device, const cumsum_d3d12_adapter *adapter) {
    device->info = (cumsum_d3d12_device_info){.adapter = *adapter,
                                              .api = "CUDA, not Direct3D",
                                              .int64_shader_ops = true,
                                              .wave_lanes_min = 32,
                                              .wave_lanes_max = 32,
                                              .shader_model = 0x50,
                                              .max_buffer_in_bytes =
                                                  UINT32_MAX - UINT32_MAX % GPU_BINDING_ALIGNMENT,
                                              .timestamp_ticks_per_second = 1000000000};
}

static void cuda_close(gpu_device *base) {
    cuda_device *device = (cuda_device *)base;
    if (device && device->lost.status == GPU_OK) {
        if (device->context && device->cuda.enter(device->context) == CUDA_OK) {
            if (device->begin)
                device->cuda.free_event(device->begin);
            if (device->end)
                device->cuda.free_event(device->end);
            device->cuda.release(device->gpu);
        }
        cumsum_library_close(device->cuda.handle);
    }
    free(device);
}

static gpu_status cuda_objects(cuda_device *d, gpu_failure *why) {
    cuda_library *cuda = &d->cuda;
    gpu_status status =
        check(cuda, cuda->retain(&d->context, d->gpu), "cuDevicePrimaryCtxRetain", why);
    if (status == GPU_OK)
        status = enter(d, why);
    if (status == GPU_OK)
        status = check(cuda, cuda->make_event(&d->begin, 0), "cuEventCreate", why);
    if (status == GPU_OK)
        status = check(cuda, cuda->make_event(&d->end, 0), "cuEventCreate", why);
    return status;
}

static gpu_status cuda_open(const cumsum_d3d12_options *options, gpu_device **device,
                            gpu_failure *why) {
    static const cumsum_d3d12_options defaults = {0};
    const cumsum_d3d12_options *wanted = options ? options : &defaults;
    const listed_adapter *chosen = NULL;
    adapter_list list;
    *device = NULL;
    if (wanted->debug_layer)
        return cumsum_gpu_refuse(why, GPU_UNAVAILABLE, "CUDA has no debug layer");
    cuda_device *d = calloc(1, sizeof *d);
    if (!d)
        return cumsum_gpu_refuse(why, GPU_OUT_OF_MEMORY, "no memory for a device");
    d->base.driver = &cumsum_cuda_driver;
    d->timeout_ms = wanted->timeout_in_ms ? wanted->timeout_in_ms : DEFAULT_TIMEOUT_MS;
    gpu_status status = begin(&d->cuda, &list, why);
    if (status != GPU_OK) {
        free(d);
        return status;
    }
    status = cumsum_adapters_choose(&list, wanted->adapter, &chosen, why);
    if (status == GPU_OK) {
        d->gpu = (int)(chosen - list.at);
        describe(d, &chosen->adapter);
        status = cuda_objects(d, why);
    }
    if (status == GPU_OK)
        *device = &d->base;
    else
        cuda_close(&d->base);
    return status;
}

static const cumsum_d3d12_device_info *get_info(const gpu_device *device) {
    return &((const cuda_device *)device)->info;
}

static gpu_status open_buffer(gpu_device *base, uint64_t bytes, gpu_buffer **buffer,
                              gpu_failure *why) {
    cuda_device *device = (cuda_device *)base;
    *buffer = NULL;
    if (bytes > device->info.max_buffer_in_bytes)
        return cumsum_gpu_refuse(why, GPU_OUT_OF_MEMORY, "CUDA: a buffer has at most %llu bytes",
                                 (unsigned long long)device->info.max_buffer_in_bytes);
    gpu_status status = enter(device, why);
    if (status != GPU_OK)
        return status;
    gpu_buffer *made = calloc(1, sizeof *made);
    if (!made)
        return cumsum_gpu_refuse(why, GPU_OUT_OF_MEMORY, "no memory for a buffer");
    made->device = device;
    status = check_device(device, device->cuda.allocate(&made->memory, bytes), "cuMemAlloc", why);
    if (status == GPU_OK)
        *buffer = made;
    else
        free(made);
    return status;
}

static void close_buffer(gpu_buffer *buffer) {
    gpu_failure why;
    if (buffer && enter(buffer->device, &why) == GPU_OK)
        buffer->device->cuda.free(buffer->memory);
    free(buffer);
}

static gpu_status cuda_upload(gpu_device *base, gpu_buffer *to, uint64_t offset, const void *from,
                              uint64_t bytes, gpu_failure *why) {
    cuda_device *device = (cuda_device *)base;
    const gpu_status status = enter(device, why);
    return status != GPU_OK
               ? status
               : check_device(device, device->cuda.to_gpu(to->memory + offset, from, bytes),
                              "cuMemcpyHtoD", why);
}

static gpu_status download(gpu_device *base, gpu_buffer *from, const gpu_part *parts, size_t count,
                           gpu_failure *why) {
    cuda_device *device = (cuda_device *)base;
    gpu_status status = enter(device, why);
    for (size_t i = 0; i < count && status == GPU_OK; i++) {
        status = check_device(
            device,
            device->cuda.from_gpu(parts[i].to, from->memory + parts[i].offset, parts[i].bytes),
            "cuMemcpyDtoH", why);
    }
    return status;
}

static gpu_status fill(gpu_device *base, gpu_buffer *to, uint64_t offset, uint64_t bytes,
                       uint32_t word, gpu_failure *why) {
    cuda_device *device = (cuda_device *)base;
    const gpu_status status = enter(device, why);
    return status != GPU_OK
               ? status
               : check_device(device, device->cuda.set_words(to->memory + offset, word, bytes / 4),
                              "cuMemsetD32", why);
}

/* Reads the PTX of bytecode, as a string that the caller frees. */
static gpu_status read_ptx(const unsigned char *bytecode, char **ptx, gpu_failure *why) {
    char digest[33], path[4096];
    for (size_t i = 0; i < 16; i++) /* behind the container's first four bytes */
        snprintf(digest + 2 * i, 3, "%02x", bytecode[4 + i]);
    const int length = snprintf(path, sizeof path, "%s/%s.ptx", ptx_folder(), digest);
    FILE *file = (size_t)length < sizeof path ? fopen(path, "rb") : NULL;
    long bytes = -1;
    *ptx = NULL;
    if (file && fseek(file, 0, SEEK_END) == 0)
        bytes = ftell(file);
    if (bytes > 0 && bytes <= MOST_PTX_BYTES)
        *ptx = calloc((size_t)bytes + 1, 1);
    if (*ptx)
        rewind(file);
    const bool complete = *ptx && fread(*ptx, (size_t)bytes, 1, file) == 1;
    if (file)
        fclose(file);
    if (complete)
        return GPU_OK;
    free(*ptx);
    return cumsum_gpu_refuse(why, GPU_REJECTED, "CUMSUM_PTX has no kernel for a shader: %.160s%s",
                             path, file ? " cannot be read" : " does not exist");
}

static gpu_status load_kernel(gpu_shader *shader, const char *ptx, gpu_failure *why) {
    cuda_device *device = shader->device;
    const cuda_library *cuda = &device->cuda;
    int threads = 0;
    gpu_status status =
        check_device(device, cuda->load(&shader->module, ptx), "cuModuleLoadData", why);
    if (status == GPU_OK)
        status = check_device(device, cuda->find(&shader->kernel, shader->module, KERNEL),
                              "cuModuleGetFunction", why);
    if (status == GPU_OK)
        status = check_device(device, cuda->attribute(&threads, THREADS_PER_BLOCK, shader->kernel),
                              "cuFuncGetAttribute", why);
    shader->threads = (unsigned)threads;
    return status;
}

static void close_shader(gpu_shader *shader) {
    gpu_failure why;
    if (shader && shader->module && enter(shader->device, &why) == GPU_OK)
        shader->device->cuda.unload(shader->module);
    free(shader);
}

static gpu_status open_shader(gpu_device *base, const void *bytecode, size_t bytes,
                              gpu_shader **shader, gpu_failure *why) {
    cuda_device *device = (cuda_device *)base;
    char *ptx = NULL;
    *shader = NULL;
    if (bytes < 32 || memcmp(bytecode, "DXBC", 4) != 0)
        return cumsum_gpu_refuse(why, GPU_REJECTED, "the bytecode is no DXBC container");
    gpu_status status = enter(device, why);
    if (status == GPU_OK)
        status = read_ptx(bytecode, &ptx, why);
    if (status != GPU_OK)
        return status;
    gpu_shader *made = calloc(1, sizeof *made);
    if (made) {
        made->device = device;
        status = load_kernel(made, ptx, why);
    } else {
        status = cumsum_gpu_refuse(why, GPU_OUT_OF_MEMORY, "no memory for a shader");
    }
    free(ptx);
    if (status == GPU_OK)
        *shader = made;
    else
        close_shader(made);
    return status;
}

static cuda_address address_of(const gpu_binding *binding) {
    return binding->buffer ? binding->buffer->memory + binding->offset : 0;
}

static gpu_status execute(cuda_device *device, const gpu_command *command, gpu_failure *why) {
    const cuda_library *cuda = &device->cuda;
    cuda_address slots[GPU_SLOTS];
    uint32_t constants[GPU_MAX_CONSTANTS];
    if (command->type == GPU_COPY) {
        return check_device(device,
                            cuda->within(address_of(&command->target), address_of(&command->source),
                                         command->bytes, NULL),
                            "cuMemcpyDtoDAsync", why);
    }
    for (int i = 0; i < GPU_SLOTS; i++)
        slots[i] = address_of(&command->writable[i]);
    memcpy(constants, command->constants, sizeof constants);
    void *parameters[] = {constants, &slots[0], &slots[1], &slots[2]};
    return check_device(device,
                        cuda->launch(command->shader->kernel, command->groups[0],
                                     command->groups[1], command->groups[2],
                                     command->shader->threads, 1, 1, 0, NULL, parameters, NULL),
                        "cuLaunchKernel", why);
}

static uint64_t nanoseconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Short submissions end while this looks without a rest. */
static gpu_status cuda_wait(cuda_device *device, gpu_failure *why) {
    const struct timespec pause = {0, 50000};
    const uint64_t start = nanoseconds_now();
    for (;;) {
        const int result = device->cuda.query(device->end);
        const uint64_t waited = nanoseconds_now() - start;
        if (result != CUDA_NOT_READY)
            return check_device(device, result, "executing commands", why);
        if (waited / 1000000 >= device->timeout_ms) {
            cumsum_gpu_refuse(why, GPU_TIMEOUT, "the GPU did not finish within %u ms",
                              device->timeout_ms);
            device->lost = *why;
            return GPU_TIMEOUT;
        }
        if (waited > 1000000)
            nanosleep(&pause, NULL);
    }
}

static gpu_status cuda_submit(gpu_device *base, const gpu_command *commands, size_t count,
                              gpu_timing *timing, gpu_failure *why) {
    cuda_device *device = (cuda_device *)base;
    const cuda_library *cuda = &device->cuda;
    gpu_status status = enter(device, why);
    if (status != GPU_OK)
        return status;
    const uint64_t start = nanoseconds_now();
    status = check_device(device, cuda->record(device->begin, NULL), "cuEventRecord", why);
    for (size_t i = 0; i < count && status == GPU_OK; i++)
        status = execute(device, &commands[i], why);
    if (status == GPU_OK)
        status = check_device(device, cuda->record(device->end, NULL), "cuEventRecord", why);
    if (status == GPU_OK)
        status = cuda_wait(device, why);
    if (status == GPU_OK && timing) {
        float milliseconds = 0;
        status = check_device(device, cuda->elapsed(&milliseconds, device->begin, device->end),
                              "cuEventElapsedTime", why);
        *timing = (gpu_timing){start, (uint64_t)((double)milliseconds * 1e6)};
    }
    return status;
}

/* No object of a caller's is in libcuda, so the functions for these are never called. */
const gpu_driver cumsum_cuda_driver = {.name = "cuda",
                                       .adapters = list_adapters,
                                       .open = cuda_open,
                                       .close = cuda_close,
                                       .info = get_info,
                                       .buffer_open = open_buffer,
                                       .buffer_close = close_buffer,
                                       .upload = cuda_upload,
                                       .download = download,
                                       .fill = fill,
                                       .shader_open = open_shader,
                                       .shader_close = close_shader,
                                       .submit = cuda_submit,
                                       .native_library = CUDA_LIBRARY};
