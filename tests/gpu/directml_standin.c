/* SPDX-License-Identifier: MIT */
/*
 * A stand-in for DirectML's library, in vkd3d's or WSL's calling convention (directml_standin.h).
 * It checks how it is called and keeps the first complaint.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "d3d12_abi.h"
#include "directml_standin.h"
#include "dml_interfaces.h"

#define EXPORT __attribute__((visibility("default")))

typedef struct range {
    ID3D12Resource *buffer;
    uint64_t offset;
    uint64_t bytes;
} range;

/* Every object has this structure. */
typedef struct object {
    const void *methods;
    bool initializer;
    struct object *dispatchable; /* of a table */
    range temporary, persistent, input, output;
} object;

static standin_state state;
/* The live objects. Abandoned ones stay reachable, so that leak checkers do not report them. */
static object *objects[STANDIN_OBJECTS];

EXPORT standin_state *standin(void);
EXPORT HRESULT WINAPI DMLCreateDevice(ID3D12Device *d3d, uint32_t flags, const IID *iid,
                                      void **device);

standin_state *standin(void) {
    return &state;
}

static void expect(bool right, const char *what) {
    if (!right && !state.complaint[0])
        snprintf(state.complaint, sizeof state.complaint, "%s", what);
}

static HRESULT result_of(const char *call) {
    return state.failing_call && strcmp(state.failing_call, call) == 0 ? state.failing_result : 0;
}

/* Replaces one object in the list by another; NULL is a free place. */
static void replace(const object *old, object *new) {
    for (int i = 0; i < STANDIN_OBJECTS; i++) {
        if (objects[i] == old) {
            objects[i] = new;
            return;
        }
    }
    expect(false, "so many objects");
}

static HRESULT make(const void *methods, const IID *iid, const IID *expected, void **out) {
    object *made = calloc(1, sizeof *made);
    expect(memcmp(iid, expected, sizeof *iid) == 0, "another interface is asked for");
    made->methods = methods;
    replace(NULL, made);
    state.live++;
    *out = made;
    return 0;
}

/* The slots of IUnknown. */
#define RELEASED                                                                                   \
    { NULL, NULL, (void *)release }
static ULONG STDMETHODCALLTYPE release(void *o) {
    state.live--;
    replace(o, NULL);
    free(o);
    return 0;
}

static dml_binding_properties properties_of(const dml_dispatchable *d) {
    const bool initializer = ((const object *)d)->initializer;
    return (dml_binding_properties){.descriptor_count = state.descriptors,
                                    .temporary_size = initializer ? STANDIN_INITIALIZER_TEMPORARY
                                                                  : STANDIN_TEMPORARY,
                                    .persistent_size = initializer ? 0 : STANDIN_PERSISTENT};
}

#ifdef CUMSUM_ABI_WSL
static dml_binding_properties STDMETHODCALLTYPE properties(dml_dispatchable *d) {
    return properties_of(d);
}
#else
static dml_binding_properties *STDMETHODCALLTYPE properties(dml_dispatchable *d,
                                                            dml_binding_properties *result) {
    *result = properties_of(d);
    return result;
}
#endif

static uint64_t bytes_of(ID3D12Resource *buffer) {
    D3D12_RESOURCE_DESC desc;
#ifdef CUMSUM_ABI_WSL
    desc = buffer->lpVtbl->GetDesc(buffer);
#else
    buffer->lpVtbl->GetDesc(buffer, &desc);
#endif
    return desc.Width;
}

static range range_of(const dml_typed_desc *desc) {
    const dml_buffer_array_binding *array = desc->desc;
    const dml_buffer_binding *b = desc->desc;
    if (desc->type == DML_BINDING_BUFFER_ARRAY) {
        expect(array->count == 1, "an array of other than one binding");
        b = array->bindings;
    } else {
        expect(desc->type == DML_BINDING_BUFFER, "a binding of another type");
    }
    expect(b->offset + b->size_in_bytes <= bytes_of(b->buffer), "a binding beyond its buffer");
    return (range){b->buffer, b->offset, b->size_in_bytes};
}

static void STDMETHODCALLTYPE bind_inputs(dml_binding_table *t, uint32_t count,
                                          const dml_typed_desc *desc) {
    object *table = (object *)t;
    expect(count == 1, "other than one input");
    expect((desc->type == DML_BINDING_BUFFER_ARRAY) == table->dispatchable->initializer,
           "an array is for the initializer alone");
    table->input = range_of(desc);
}
static void STDMETHODCALLTYPE bind_outputs(dml_binding_table *t, uint32_t count,
                                           const dml_typed_desc *desc) {
    expect(count == 1, "other than one output");
    ((object *)t)->output = range_of(desc);
}
static void STDMETHODCALLTYPE bind_temporary(dml_binding_table *t, const dml_typed_desc *desc) {
    ((object *)t)->temporary = range_of(desc);
}
static void STDMETHODCALLTYPE bind_persistent(dml_binding_table *t, const dml_typed_desc *desc) {
    ((object *)t)->persistent = range_of(desc);
}

static const dml_binding_table_methods table_methods = {.child = RELEASED,
                                                        .bind_inputs = bind_inputs,
                                                        .bind_outputs = bind_outputs,
                                                        .bind_temporary_resource = bind_temporary,
                                                        .bind_persistent_resource =
                                                            bind_persistent};
static const dml_dispatchable_methods dispatchable_methods = {.child = RELEASED,
                                                              .get_binding_properties = properties};
static void *const operator_methods[] = RELEASED;

static void barrier(ID3D12GraphicsCommandList *list, ID3D12Resource *buffer,
                    D3D12_RESOURCE_STATES from, D3D12_RESOURCE_STATES to) {
    const D3D12_RESOURCE_BARRIER b = {
        .Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION,
        .Transition = {.pResource = buffer,
                       .Subresource = D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES,
                       .StateBefore = from,
                       .StateAfter = to}};
    ID3D12GraphicsCommandList_ResourceBarrier(list, 1, &b);
}

/* The "operator". In place there is nothing to copy. An input that DirectML owns is not kept, so
 * there is nothing to copy either. */
static void copy(ID3D12GraphicsCommandList *list, const object *table) {
    const range *in = &table->input;
    const range *out = &table->output;
    const D3D12_RESOURCE_STATES writable = D3D12_RESOURCE_STATE_UNORDERED_ACCESS;
    if (!in->buffer || in->buffer == out->buffer)
        return;
    barrier(list, in->buffer, writable, D3D12_RESOURCE_STATE_COPY_SOURCE);
    barrier(list, out->buffer, writable, D3D12_RESOURCE_STATE_COPY_DEST);
    ID3D12GraphicsCommandList_CopyBufferRegion(list, out->buffer, out->offset, in->buffer,
                                               in->offset, in->bytes + UINT64_C(4) * state.stray);
    barrier(list, in->buffer, D3D12_RESOURCE_STATE_COPY_SOURCE, writable);
    barrier(list, out->buffer, D3D12_RESOURCE_STATE_COPY_DEST, writable);
}

static void initialize(const object *table) {
    expect(table->temporary.bytes == STANDIN_INITIALIZER_TEMPORARY, "its temporary resource");
    expect(table->output.bytes == STANDIN_PERSISTENT, "the initializer makes what persists");
    expect(!table->persistent.buffer, "nothing persists yet");
    state.owned_bytes = table->input.bytes;
    state.initialized++;
}

static void STDMETHODCALLTYPE record(dml_command_recorder *recorder, ID3D12CommandList *list,
                                     dml_dispatchable *dispatchable, dml_binding_table *t) {
    const object *table = (const object *)t;
    (void)recorder;
    if (state.raised)
        *state.raised = true;
    expect((dml_dispatchable *)table->dispatchable == dispatchable, "the table is another's");
    if (table->dispatchable->initializer) {
        expect(!state.ready, "initialized once");
        state.ready = true;
        initialize(table);
        return;
    }
    expect(state.ready, "initialized before the first execution");
    expect(table->temporary.bytes == STANDIN_TEMPORARY, "the temporary resource's size");
    expect(table->persistent.bytes == STANDIN_PERSISTENT, "the persistent resource's size");
    state.input_offset = table->input.offset;
    state.output_offset = table->output.offset;
    state.executed++;
    copy((ID3D12GraphicsCommandList *)list, table);
}

static const dml_command_recorder_methods recorder_methods = {.child = RELEASED,
                                                              .record_dispatch = record};

static HRESULT STDMETHODCALLTYPE check_feature(dml_device *d, int32_t feature, uint32_t query_size,
                                               const void *query, uint32_t size, void *answer) {
    (void)d;
    (void)query;
    expect(feature == DML_FEATURE_LEVELS && query_size == sizeof(dml_feature_levels_query) &&
               size == sizeof(uint32_t),
           "CheckFeatureSupport");
    memcpy(answer, &state.feature_level, sizeof state.feature_level);
    return result_of("CheckFeatureSupport");
}
static HRESULT STDMETHODCALLTYPE create_operator(dml_device *d, const dml_typed_desc *desc,
                                                 const IID *iid, void **op) {
    (void)d;
    expect(desc->type == DML_CUMULATIVE_SUMMATION && desc->desc, "CreateOperator");
    const HRESULT hr = result_of("CreateOperator");
    return hr < 0 ? hr : make(&operator_methods, iid, &iid_dml_operator, op);
}
static HRESULT STDMETHODCALLTYPE compile_operator(dml_device *d, dml_operator *op, uint32_t flags,
                                                  const IID *iid, void **compiled) {
    (void)d;
    expect(op != NULL, "CompileOperator");
    state.execution_flags = flags;
    state.ready = false;
    const HRESULT hr = result_of("CompileOperator");
    return hr < 0 ? hr : make(&dispatchable_methods, iid, &iid_dml_compiled_operator, compiled);
}
static HRESULT STDMETHODCALLTYPE create_initializer(dml_device *d, uint32_t count,
                                                    dml_dispatchable *const *compiled,
                                                    const IID *iid, void **initializer) {
    (void)d;
    expect(count == 1 && compiled[0], "CreateOperatorInitializer");
    HRESULT hr = result_of("CreateOperatorInitializer");
    if (hr < 0)
        return hr;
    hr = make(&dispatchable_methods, iid, &iid_dml_operator_initializer, initializer);
    ((object *)*initializer)->initializer = true;
    return hr;
}
static HRESULT STDMETHODCALLTYPE create_recorder(dml_device *d, const IID *iid, void **recorder) {
    HRESULT hr = result_of("CreateCommandRecorder");
    (void)d;
    return hr < 0 ? hr : make(&recorder_methods, iid, &iid_dml_command_recorder, recorder);
}
static HRESULT STDMETHODCALLTYPE create_table(dml_device *d, const dml_binding_table_desc *desc,
                                              const IID *iid, void **table) {
    (void)d;
    expect(desc->size_in_descriptors == state.descriptors && desc->cpu.ptr && desc->gpu.ptr,
           "CreateBindingTable");
    HRESULT hr = result_of("CreateBindingTable");
    if (hr < 0)
        return hr;
    hr = make(&table_methods, iid, &iid_dml_binding_table, table);
    ((object *)*table)->dispatchable = (object *)desc->dispatchable;
    return hr;
}
static HRESULT STDMETHODCALLTYPE removed_reason(dml_device *d) {
    (void)d;
    return state.executed ? state.removed_reason : 0;
}

static const dml_device_methods device_methods = {.object = RELEASED,
                                                  .check_feature_support = check_feature,
                                                  .create_operator = create_operator,
                                                  .compile_operator = compile_operator,
                                                  .create_operator_initializer = create_initializer,
                                                  .create_command_recorder = create_recorder,
                                                  .create_binding_table = create_table,
                                                  .get_device_removed_reason = removed_reason};

HRESULT WINAPI DMLCreateDevice(ID3D12Device *d3d, uint32_t flags, const IID *iid, void **device) {
    expect(d3d != NULL && flags <= 1, "DMLCreateDevice");
    HRESULT hr = result_of("DMLCreateDevice");
    return hr < 0 ? hr : make(&device_methods, iid, &iid_dml_device, device);
}
