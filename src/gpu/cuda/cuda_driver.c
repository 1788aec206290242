/* SPDX-License-Identifier: MIT */
/*
 * The table of functions over CUDA. The kernels are the shaders of Direct3D: convert.py makes
 * PTX from the same sources. Each call makes the GPU's primary context that of the thread, and puts
 * the caller's back. Submissions are in the stream 0, which executes in order.
 *
 * Invariant: once a call returned an error that CUDA keeps, or the GPU did not finish in time,
 * the device is lost, and every later call returns that. Nothing of the device is freed then.
 * Recordings, which several threads may make, leave it alone: CUDA itself repeats an error that it
 * keeps.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_device.h"
#include "device_drivers.h"
#include "host_system.h"
#include "scan_shaders.h"

#define PAUSE_US 50 /* between two looks at a submission that takes longer */

static const gpu_driver cuda_driver;

static gpu_status push_context(const cuda_device *device, gpu_failure *why) {
    return cumsum_cuda_check(&device->cuda, device->cuda.push(device->context), "cuCtxPushCurrent",
                             why);
}

/* Begins every call; leave ends it. */
static gpu_status enter(const cuda_device *device, gpu_failure *why) {
    return cumsum_gpu_is_lost(&device->base, why) ? why->status : push_context(device, why);
}

static void leave(const cuda_device *device) {
    void *context;
    device->cuda.pop(&context);
}

static gpu_status check_device(cuda_device *device, int result, const char *call,
                               gpu_failure *why) {
    const gpu_status status = cumsum_cuda_check(&device->cuda, result, call, why);
    return status == GPU_DEVICE_REMOVED ? cumsum_gpu_lose(&device->base, why) : status;
}

/* The end of a call with one function of CUDA. */
static gpu_status leave_with(cuda_device *device, int result, const char *call, gpu_failure *why) {
    const gpu_status status = check_device(device, result, call, why);
    leave(device);
    return status;
}

static gpu_status list_adapters(cumsum_d3d12_adapter *to, size_t room, size_t *count,
                                gpu_failure *why) {
    cuda_library cuda;
    adapter_list list;
    const gpu_status status = cumsum_cuda_load(&cuda, &list, why);
    if (status == GPU_OK) {
        cumsum_adapters_copy(&list, to, room, count);
        cumsum_library_close(cuda.handle);
    }
    return status;
}

/* The timings are CUDA's, in nanoseconds, of which it resolves some hundred. */
static void describe(cuda_device *device, const cumsum_d3d12_adapter *adapter) {
    device->base.info = (cumsum_d3d12_device_info){.adapter = *adapter,
                                                   .api = "CUDA",
                                                   .int64_shader_ops = true,
                                                   .wave_lanes_min = 32,
                                                   .wave_lanes_max = 32,
                                                   .shader_model = 0x50,
                                                   .max_buffer_in_bytes = UINT64_C(8) << 32,
                                                   .timestamp_ticks_per_second = 1000000000};
}

static void close_gpu(gpu_device *base) {
    cuda_device *device = (cuda_device *)base;
    gpu_failure why;
    if (device && device->base.lost.status == GPU_OK) {
        if (device->context && enter(device, &why) == GPU_OK) {
            if (device->begin)
                device->cuda.free_event(device->begin);
            if (device->end)
                device->cuda.free_event(device->end);
            leave(device);
            device->cuda.release(device->gpu);
        }
        cumsum_library_close(device->cuda.handle);
    }
    free(device);
}

static gpu_status make_device(cuda_device **device, adapter_list *list, gpu_failure *why) {
    *device = calloc(1, sizeof **device);
    if (!*device)
        return cumsum_gpu_refuse(why, GPU_OUT_OF_MEMORY, "no memory for a device");
    (*device)->base.driver = &cuda_driver;
    (*device)->everything.device = *device;
    const gpu_status status = cumsum_cuda_load(&(*device)->cuda, list, why);
    if (status != GPU_OK) {
        free(*device);
        *device = NULL;
    }
    return status;
}

static gpu_status retain(cuda_device *device, const listed_adapter *chosen, int gpu,
                         gpu_failure *why) {
    device->gpu = gpu;
    describe(device, &chosen->adapter);
    return cumsum_cuda_check(&device->cuda, device->cuda.retain(&device->context, gpu),
                             "cuDevicePrimaryCtxRetain", why);
}

static gpu_status make_events(cuda_device *device, gpu_failure *why) {
    const cuda_library *cuda = &device->cuda;
    gpu_status status = enter(device, why);
    if (status != GPU_OK)
        return status;
    status = check_device(device, cuda->make_event(&device->begin, 0), "cuEventCreate", why);
    if (status == GPU_OK)
        status = check_device(device, cuda->make_event(&device->end, 0), "cuEventCreate", why);
    leave(device);
    return status;
}

gpu_status cumsum_cuda_open_gpu(int gpu, cuda_device **device, gpu_failure *why) {
    adapter_list list = {0};
    gpu_status status = make_device(device, &list, why);
    if (status != GPU_OK)
        return status;
    if (gpu < 0 || (size_t)gpu >= list.count)
        status = cumsum_gpu_refuse(why, GPU_UNAVAILABLE, "CUDA has no GPU number %d, only %u", gpu,
                                   (unsigned)list.count);
    else
        status = retain(*device, &list.at[gpu], gpu, why);
    if (status != GPU_OK) {
        close_gpu(&(*device)->base);
        *device = NULL;
    }
    return status;
}

static gpu_status open_chosen(const cumsum_d3d12_options *options, gpu_device **device,
                              gpu_failure *why) {
    static const cumsum_d3d12_options defaults = {0};
    const cumsum_d3d12_options *wanted = options ? options : &defaults;
    const listed_adapter *chosen = NULL;
    adapter_list list = {0};
    cuda_device *made;
    *device = NULL;
    if (wanted->debug_layer)
        return cumsum_gpu_refuse(why, GPU_UNAVAILABLE, "CUDA has no debug layer");
    gpu_status status = make_device(&made, &list, why);
    if (status != GPU_OK)
        return status;
    cumsum_gpu_limit_time(&made->base, wanted);
    status = cumsum_adapters_choose(&list, wanted->adapter, &chosen, why);
    if (status == GPU_OK)
        status = retain(made, chosen, (int)(chosen - list.at), why);
    if (status == GPU_OK)
        status = make_events(made, why);
    if (status == GPU_OK)
        *device = &made->base;
    else
        close_gpu(&made->base);
    return status;
}

static gpu_status allocate(cuda_device *device, uint64_t bytes, gpu_buffer *made,
                           gpu_failure *why) {
    const gpu_status status = enter(device, why);
    made->device = device;
    return status != GPU_OK
               ? status
               : leave_with(device, device->cuda.allocate(&made->memory, bytes), "cuMemAlloc", why);
}

static gpu_status open_buffer(gpu_device *base, uint64_t bytes, gpu_buffer **buffer,
                              gpu_failure *why) {
    cuda_device *device = (cuda_device *)base;
    *buffer = NULL;
    if (bytes > device->base.info.max_buffer_in_bytes)
        return cumsum_gpu_refuse(why, GPU_OUT_OF_MEMORY, "CUDA: a buffer has at most %llu bytes",
                                 (unsigned long long)device->base.info.max_buffer_in_bytes);
    gpu_buffer *made = calloc(1, sizeof *made);
    if (!made)
        return cumsum_gpu_refuse(why, GPU_OUT_OF_MEMORY, "no memory for a buffer");
    const gpu_status status = allocate(device, bytes, made, why);
    if (status == GPU_OK)
        *buffer = made;
    else
        free(made);
    return status;
}

static void close_buffer(gpu_buffer *buffer) {
    gpu_failure why;
    if (buffer && enter(buffer->device, &why) == GPU_OK) {
        buffer->device->cuda.free(buffer->memory);
        leave(buffer->device);
    }
    free(buffer);
}

static gpu_status cuda_upload(gpu_device *base, gpu_buffer *to, uint64_t offset, const void *from,
                              uint64_t bytes, gpu_failure *why) {
    cuda_device *device = (cuda_device *)base;
    const gpu_status status = enter(device, why);
    return status != GPU_OK
               ? status
               : leave_with(device, device->cuda.to_gpu(to->memory + offset, from, bytes),
                            "cuMemcpyHtoD", why);
}

static gpu_status download(gpu_device *base, gpu_buffer *from, const gpu_part *parts, size_t count,
                           gpu_failure *why) {
    cuda_device *device = (cuda_device *)base;
    gpu_status status = enter(device, why);
    if (status != GPU_OK)
        return status;
    for (size_t i = 0; i < count && status == GPU_OK; i++) {
        status = check_device(
            device,
            device->cuda.from_gpu(parts[i].to, from->memory + parts[i].offset, parts[i].bytes),
            "cuMemcpyDtoH", why);
    }
    leave(device);
    return status;
}

static gpu_status fill(gpu_device *base, gpu_buffer *to, uint64_t offset, uint64_t bytes,
                       uint32_t word, gpu_failure *why) {
    cuda_device *device = (cuda_device *)base;
    const gpu_status status = enter(device, why);
    return status != GPU_OK
               ? status
               : leave_with(device, device->cuda.set_words(to->memory + offset, word, bytes / 4),
                            "cuMemsetD32", why);
}

/* The name of the one kernel in PTX; "" if there is none. */
static void find_name(const char *ptx, char name[64]) {
    static const char entry[] = ".entry ";
    const char *found = strstr(ptx, entry);
    const char *begin = found ? found + sizeof entry - 1 : "";
    snprintf(name, 64, "%.*s", (int)strcspn(begin, "("), begin);
}

static gpu_status load_kernel(gpu_shader *shader, const char *ptx, gpu_failure *why) {
    cuda_device *device = shader->device;
    const cuda_library *cuda = &device->cuda;
    int threads = 0;
    char name[64];
    find_name(ptx, name);
    gpu_status status =
        check_device(device, cuda->load(&shader->module, ptx), "cuModuleLoadData", why);
    if (status == GPU_OK)
        status = check_device(device, cuda->find(&shader->kernel, shader->module, name),
                              "cuModuleGetFunction", why);
    if (status == GPU_OK)
        status =
            check_device(device, cuda->attribute(&threads, CUDA_THREADS_PER_BLOCK, shader->kernel),
                         "cuFuncGetAttribute", why);
    shader->threads = (unsigned)threads;
    return status;
}

static void close_shader(gpu_shader *shader) {
    gpu_failure why;
    if (shader && shader->module && enter(shader->device, &why) == GPU_OK) {
        shader->device->cuda.unload(shader->module);
        leave(shader->device);
    }
    free(shader);
}

/* The bytecode is PTX. A string ends it: behind text the build writes zeros (embed_code.cmake). */
static gpu_status open_shader(gpu_device *base, const void *bytecode, size_t bytes,
                              gpu_shader **shader, gpu_failure *why) {
    cuda_device *device = (cuda_device *)base;
    *shader = NULL;
    if (bytes == 0 || ((const char *)bytecode)[bytes - 1] != '\0')
        return cumsum_gpu_refuse(why, GPU_REJECTED, "the bytecode is no text of PTX");
    gpu_shader *made = calloc(1, sizeof *made);
    if (!made)
        return cumsum_gpu_refuse(why, GPU_OUT_OF_MEMORY, "no memory for a shader");
    made->device = device;
    gpu_status status = enter(device, why);
    if (status == GPU_OK) {
        status = load_kernel(made, bytecode, why);
        leave(device);
    }
    if (status == GPU_OK)
        *shader = made;
    else
        close_shader(made);
    return status;
}

gpu_status cumsum_cuda_check_address(cuda_device *device, cuda_address address, const char **rule,
                                     gpu_failure *why) {
    static const int attributes[] = {CUDA_MEMORY_TYPE, CUDA_IS_MANAGED, CUDA_ORDINAL};
    unsigned type = 0, managed = 0;
    int gpu = -1;
    void *values[] = {&type, &managed, &gpu};
    *rule = NULL;
    gpu_status status = push_context(device, why);
    if (status != GPU_OK)
        return status;
    status = cumsum_cuda_check(&device->cuda, device->cuda.ask(3, attributes, values, address),
                               "cuPointerGetAttributes", why);
    leave(device);
    if (type != CUDA_MEMORY_OF_HOST && type != CUDA_MEMORY_OF_GPU)
        *rule = "must be an address of CUDA's memory";
    else if (type == CUDA_MEMORY_OF_GPU && !managed && gpu != device->gpu)
        *rule = "must be an address on the plan's GPU";
    return status;
}

static cuda_address address_of(const gpu_binding *binding) {
    return binding->buffer ? binding->buffer->memory + binding->offset : 0;
}

static gpu_status execute(const cuda_device *device, void *stream, const gpu_command *command,
                          gpu_failure *why) {
    const cuda_library *cuda = &device->cuda;
    cuda_address slots[GPU_SLOTS];
    uint32_t constants[GPU_MAX_CONSTANTS];
    if (command->type == GPU_COPY) {
        return cumsum_cuda_check(cuda,
                                 cuda->within(address_of(&command->target),
                                              address_of(&command->source), command->bytes, stream),
                                 "cuMemcpyDtoDAsync", why);
    }
    for (int i = 0; i < GPU_SLOTS; i++)
        slots[i] = address_of(&command->writable[i]);
    memcpy(constants, command->constants, sizeof constants);
    void *parameters[] = {constants, &slots[0], &slots[1], &slots[2]};
    return cumsum_cuda_check(cuda,
                             cuda->launch(command->shader->kernel, command->groups[0],
                                          command->groups[1], command->groups[2],
                                          command->shader->threads, 1, 1, 0, stream, parameters,
                                          NULL),
                             "cuLaunchKernel", why);
}

/* native: a stream of the caller's. */
static gpu_status record(const gpu_device *base, void *native, const gpu_command *commands,
                         size_t count, gpu_failure *why) {
    const cuda_device *device = (const cuda_device *)base;
    gpu_status status = push_context(device, why);
    if (status != GPU_OK)
        return status;
    for (size_t i = 0; i < count && status == GPU_OK; i++)
        status = execute(device, native, &commands[i], why);
    leave(device);
    return status;
}

/* Short submissions end while this looks without a rest. */
static gpu_status wait_for_end(cuda_device *device, gpu_failure *why) {
    const uint64_t start = cumsum_host_nanoseconds();
    for (;;) {
        const int result = device->cuda.query(device->end);
        if (result != CUDA_NOT_READY)
            return check_device(device, result, "executing commands", why);
        if (cumsum_gpu_check_time(&device->base, start, why) != GPU_OK)
            return why->status;
        if (cumsum_host_nanoseconds() - start > 1000000)
            cumsum_host_pause(PAUSE_US);
    }
}

static gpu_status submit_entered(cuda_device *device, const gpu_command *commands, size_t count,
                                 gpu_timing *timing, gpu_failure *why) {
    const cuda_library *cuda = &device->cuda;
    const uint64_t start = cumsum_host_nanoseconds();
    gpu_status status =
        check_device(device, cuda->record(device->begin, NULL), "cuEventRecord", why);
    for (size_t i = 0; i < count && status == GPU_OK; i++) {
        status = execute(device, NULL, &commands[i], why);
        if (status == GPU_DEVICE_REMOVED)
            cumsum_gpu_lose(&device->base, why);
    }
    if (status == GPU_OK)
        status = check_device(device, cuda->record(device->end, NULL), "cuEventRecord", why);
    if (status == GPU_OK)
        status = wait_for_end(device, why);
    if (status == GPU_OK && timing) {
        float milliseconds = 0;
        status = check_device(device, cuda->elapsed(&milliseconds, device->begin, device->end),
                              "cuEventElapsedTime", why);
        *timing = (gpu_timing){start, (uint64_t)((double)milliseconds * 1e6)};
    }
    return status;
}

static gpu_status cuda_submit(gpu_device *base, const gpu_command *commands, size_t count,
                              gpu_timing *timing, gpu_failure *why) {
    cuda_device *device = (cuda_device *)base;
    gpu_status status = enter(device, why);
    if (status != GPU_OK)
        return status;
    status = submit_entered(device, commands, count, timing, why);
    leave(device);
    return status;
}

/* A word of memory begins with each address that is bound. */
static const gpu_driver cuda_driver = {.adapters = list_adapters,
                                       .open = open_chosen,
                                       .close = close_gpu,
                                       .buffer_open = open_buffer,
                                       .buffer_close = close_buffer,
                                       .upload = cuda_upload,
                                       .download = download,
                                       .fill = fill,
                                       .bytecodes = &cumsum_ptx,
                                       .wide_addresses = true,
                                       .shader_open = open_shader,
                                       .shader_close = close_shader,
                                       .submit = cuda_submit,
                                       .record_alignment = 4,
                                       .record = record};

const gpu_driver *const *cumsum_cuda_drivers(void) {
    static const gpu_driver *const drivers[] = {&cuda_driver, NULL};
    return drivers;
}
