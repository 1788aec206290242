/* SPDX-License-Identifier: MIT */
/*
 * A cumulative summation in a command list of the program's own, on its own Direct3D 12 device and
 * buffers: d3d12.dll's on Windows, vkd3d's on Linux.
 *
 *     c++ -std=c++17 d3d12_record.cpp -I$DIR -I$DIR/wsl/stubs -lDirectX-Guids \
 *         $(pkg-config --cflags --libs cumsum-d3d12)
 *
 * DIR has DirectX-Headers; Windows has its own. vkd3d's methods have Windows' calling convention on
 * Linux too, so the headers' macros for it are replaced before d3d12.h is read.
 *
 * Exit status: 0 the sums are right, 1 they are not or a call failed, 77 there is no device.
 */
#ifdef _WIN32
#include <windows.h>

#include <d3d12.h>
#define IID_OF(type) __uuidof(type)
#else
#include <basetsd.h>
#ifdef __x86_64__
#undef STDMETHODCALLTYPE
#undef WINAPI
#define STDMETHODCALLTYPE __attribute__((ms_abi))
#define WINAPI            __attribute__((ms_abi))
#endif
#include <unknwn.h>

#include <directx/d3d12.h>
#include <dlfcn.h>
#define IID_OF(type) IID_##type
#endif

#include <cumsum/d3d12.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

enum {
    ROWS = 3,
    COLUMNS = 20000,
    ELEMENTS = ROWS * COLUMNS,
    BYTES = ELEMENTS * 4,
    OFFSET = 48, /* of the input in its buffer: a multiple of 16 */
    SECONDS = 60
};

static void require(bool good, const char *what) {
    if (!good) {
        fprintf(stderr, "d3d12_record: failed: %s\n", what);
        exit(1);
    }
}
#define CALL(call) require(SUCCEEDED(call), #call)

typedef HRESULT(WINAPI *create_device_function)(IUnknown *, D3D_FEATURE_LEVEL, REFIID, void **);

/* The first adapter's device; NULL without one. */
static ID3D12Device *make_device() {
#ifdef _WIN32
    HMODULE library = LoadLibraryA("d3d12.dll");
    void *symbol = library ? (void *)GetProcAddress(library, "D3D12CreateDevice") : nullptr;
#else
    void *library = dlopen("libvkd3d-utils.so.1", RTLD_NOW);
    void *symbol = library ? dlsym(library, "D3D12CreateDevice") : nullptr;
#endif
    create_device_function create;
    void *device = nullptr;
    memcpy(&create, &symbol, sizeof create);
    if (!symbol || FAILED(create(nullptr, D3D_FEATURE_LEVEL_11_0, IID_OF(ID3D12Device), &device)))
        return nullptr;
    return (ID3D12Device *)device;
}

static ID3D12Resource *make_buffer(ID3D12Device *device, D3D12_HEAP_TYPE type, uint64_t bytes,
                                   D3D12_RESOURCE_STATES state) {
    D3D12_HEAP_PROPERTIES heap = {};
    heap.Type = type;
    D3D12_RESOURCE_DESC desc = {};
    desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
    desc.Width = bytes;
    desc.Height = 1;
    desc.DepthOrArraySize = 1;
    desc.MipLevels = 1;
    desc.SampleDesc.Count = 1;
    desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
    if (type == D3D12_HEAP_TYPE_DEFAULT)
        desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
    void *made = nullptr;
    CALL(device->CreateCommittedResource(&heap, D3D12_HEAP_FLAG_NONE, &desc, state, nullptr,
                                         IID_OF(ID3D12Resource), &made));
    return (ID3D12Resource *)made;
}

static void *map(ID3D12Resource *buffer) {
    void *memory = nullptr;
    CALL(buffer->Map(0, nullptr, &memory));
    return memory;
}

static void transition(ID3D12GraphicsCommandList *list, ID3D12Resource *buffer,
                       D3D12_RESOURCE_STATES before, D3D12_RESOURCE_STATES after) {
    D3D12_RESOURCE_BARRIER barrier = {};
    barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION;
    barrier.Transition.pResource = buffer;
    barrier.Transition.Subresource = D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES;
    barrier.Transition.StateBefore = before;
    barrier.Transition.StateAfter = after;
    list->ResourceBarrier(1, &barrier);
}

static cumsum_d3d12_plan *make_plan(ID3D12Device *device) {
    const uint32_t sizes[4] = {1, 1, ROWS, COLUMNS};
    cumsum_buffer_tensor_desc buffer = {};
    buffer.data_type = CUMSUM_DATA_TYPE_FLOAT32;
    buffer.dimension_count = 4;
    buffer.sizes = sizes;
    buffer.total_tensor_size_in_bytes = BYTES;
    const cumsum_tensor_desc tensor = {CUMSUM_TENSOR_TYPE_BUFFER, &buffer};
    const cumsum_operator_desc desc = {&tensor, &tensor, 3, CUMSUM_AXIS_DIRECTION_INCREASING, 0};
    cumsum_d3d12_plan *plan = nullptr;
    cumsum_diagnostic why;
    const cumsum_status status =
        cumsum_d3d12_plan_create(device, &desc, nullptr, CUMSUM_FEATURE_LEVEL_DEFAULT, &plan, &why);
    require(status == CUMSUM_OK, why.message);
    return plan;
}

/* The queue and what the GPU works through. */
struct queue {
    ID3D12CommandQueue *commands;
    ID3D12CommandAllocator *allocator;
    ID3D12GraphicsCommandList *list;
    ID3D12Fence *fence;
};

static queue make_queue(ID3D12Device *device) {
    queue q = {};
    D3D12_COMMAND_QUEUE_DESC desc = {};
    desc.Type = D3D12_COMMAND_LIST_TYPE_COMPUTE;
    CALL(device->CreateCommandQueue(&desc, IID_OF(ID3D12CommandQueue), (void **)&q.commands));
    CALL(device->CreateCommandAllocator(desc.Type, IID_OF(ID3D12CommandAllocator),
                                        (void **)&q.allocator));
    CALL(device->CreateCommandList(0, desc.Type, q.allocator, nullptr,
                                   IID_OF(ID3D12GraphicsCommandList), (void **)&q.list));
    CALL(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_OF(ID3D12Fence), (void **)&q.fence));
    return q;
}

static void execute_and_wait(const queue &q) {
    ID3D12CommandList *lists[] = {q.list};
    CALL(q.list->Close());
    q.commands->ExecuteCommandLists(1, lists);
    CALL(q.commands->Signal(q.fence, 1));
    for (int i = 0; q.fence->GetCompletedValue() < 1; i++) {
        require(i < SECONDS * 1000, "waiting for the GPU");
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

/* The upload, two summations (the second one in place, of the sums of the first), and the download.
 */
static void record(const queue &q, const cumsum_d3d12_plan *plan, ID3D12Resource *up,
                   ID3D12Resource *tensors, ID3D12Resource *sums, ID3D12Resource *scratch,
                   ID3D12Resource *down) {
    const cumsum_d3d12_buffer input = {tensors, OFFSET, BYTES};
    const cumsum_d3d12_buffer output = {sums, 0, BYTES};
    const cumsum_d3d12_buffer work = {scratch, 0, cumsum_d3d12_plan_scratch(plan)};
    cumsum_diagnostic why;
    q.list->CopyBufferRegion(tensors, OFFSET, up, 0, BYTES);
    transition(q.list, tensors, D3D12_RESOURCE_STATE_COPY_DEST,
               D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
    require(cumsum_d3d12_record(plan, q.list, &input, &output, &work, &why) == CUMSUM_OK,
            why.message);
    require(cumsum_d3d12_record(plan, q.list, &output, &output, &work, &why) == CUMSUM_OK,
            why.message);
    transition(q.list, sums, D3D12_RESOURCE_STATE_UNORDERED_ACCESS,
               D3D12_RESOURCE_STATE_COPY_SOURCE);
    q.list->CopyBufferRegion(down, 0, sums, 0, BYTES);
}

static uint64_t count_wrong(const float *input, const float *output) {
    uint64_t wrong = 0;
    for (int row = 0; row < ROWS; row++) {
        float sum = 0;
        float second = 0;
        for (int column = 0; column < COLUMNS; column++) {
            sum += input[row * COLUMNS + column];
            second += sum;
            wrong += memcmp(&second, &output[row * COLUMNS + column], sizeof second) != 0;
        }
    }
    return wrong;
}

int main() {
    ID3D12Device *device = make_device();
    if (!device) {
        printf("SKIPPED: there is no Direct3D 12 device\n");
        return 77;
    }
    cumsum_d3d12_plan *plan = make_plan(device);
    const uint64_t scratch_bytes = cumsum_d3d12_plan_scratch(plan);
    queue q = make_queue(device);
    ID3D12Resource *up =
        make_buffer(device, D3D12_HEAP_TYPE_UPLOAD, BYTES, D3D12_RESOURCE_STATE_GENERIC_READ);
    ID3D12Resource *down =
        make_buffer(device, D3D12_HEAP_TYPE_READBACK, BYTES, D3D12_RESOURCE_STATE_COPY_DEST);
    ID3D12Resource *tensors = make_buffer(device, D3D12_HEAP_TYPE_DEFAULT, OFFSET + BYTES,
                                          D3D12_RESOURCE_STATE_COPY_DEST);
    ID3D12Resource *sums =
        make_buffer(device, D3D12_HEAP_TYPE_DEFAULT, BYTES, D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
    ID3D12Resource *scratch =
        make_buffer(device, D3D12_HEAP_TYPE_DEFAULT, scratch_bytes ? scratch_bytes : 4,
                    D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
    float *input = (float *)map(up);
    for (int i = 0; i < ELEMENTS; i++)
        input[i] = (float)(i * 7919 % 1009) / 64 - 7;
    record(q, plan, up, tensors, sums, scratch, down);
    execute_and_wait(q);
    const uint64_t wrong = count_wrong(input, (const float *)map(down));
    printf("%d sums of sums, %u of them wrong\n", (int)ELEMENTS, (unsigned)wrong);

    /* The GPU has finished, so everything may go. */
    cumsum_d3d12_plan_destroy(plan);
    IUnknown *const objects[] = {scratch, sums,   tensors,     down,       up,
                                 q.fence, q.list, q.allocator, q.commands, device};
    for (IUnknown *object : objects)
        object->Release();
    return wrong != 0;
}
