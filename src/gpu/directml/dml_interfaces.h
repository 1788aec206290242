/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_DML_INTERFACES_H
#define CUMSUM_GPU_DML_INTERFACES_H

/*
 * The declarations of DirectML.h that are used, in C; Microsoft's header is C++ only. Each
 * interface is a pointer to a table of methods. Methods that are not called are `void *`, to keep
 * the places in the table, or missing at its end. test_dml_interfaces compares all of it with
 * Microsoft's header. Include d3d12_abi.h first.
 */

typedef struct dml_device dml_device;                     /* IDMLDevice */
typedef struct dml_operator dml_operator;                 /* IDMLOperator, to be released */
typedef struct dml_dispatchable dml_dispatchable;         /* IDMLDispatchable */
typedef struct dml_binding_table dml_binding_table;       /* IDMLBindingTable */
typedef struct dml_command_recorder dml_command_recorder; /* IDMLCommandRecorder */

/* Of DML_OPERATOR_TYPE, DML_BINDING_TYPE, DML_FEATURE. */
enum {
    DML_CUMULATIVE_SUMMATION = 105,
    DML_BINDING_BUFFER = 1,
    DML_BINDING_BUFFER_ARRAY = 2,
    DML_FEATURE_LEVELS = 1
};

/* DML_OPERATOR_DESC and DML_BINDING_DESC. An operator's desc points to a cumsum_operator_desc,
 * which has the layout of DML_CUMULATIVE_SUMMATION_OPERATOR_DESC. */
typedef struct dml_typed_desc {
    int32_t type;
    const void *desc;
} dml_typed_desc;

/* DML_BUFFER_BINDING */
typedef struct dml_buffer_binding {
    ID3D12Resource *buffer;
    uint64_t offset;
    uint64_t size_in_bytes;
} dml_buffer_binding;

/* DML_BUFFER_ARRAY_BINDING */
typedef struct dml_buffer_array_binding {
    uint32_t count;
    const dml_buffer_binding *bindings;
} dml_buffer_array_binding;

/* DML_BINDING_PROPERTIES */
typedef struct dml_binding_properties {
    uint32_t descriptor_count;
    uint64_t temporary_size;
    uint64_t persistent_size;
} dml_binding_properties;

/* DML_BINDING_TABLE_DESC */
typedef struct dml_binding_table_desc {
    dml_dispatchable *dispatchable;
    D3D12_CPU_DESCRIPTOR_HANDLE cpu;
    D3D12_GPU_DESCRIPTOR_HANDLE gpu;
    uint32_t size_in_descriptors;
} dml_binding_table_desc;

/* DML_FEATURE_QUERY_FEATURE_LEVELS; the answer is one DML_FEATURE_LEVEL, 0x6200 for 6.2. */
typedef struct dml_feature_levels_query {
    uint32_t count;
    const uint32_t *levels;
} dml_feature_levels_query;

/* Slots that are not called: of IUnknown and IDMLObject, and
 * of IDMLDeviceChild, which has one more.
 */
#define DML_OBJECT_SLOTS 7
#define DML_CHILD_SLOTS  8

/* IDMLDevice */
typedef struct dml_device_methods {
    void *object[DML_OBJECT_SLOTS];
    HRESULT(STDMETHODCALLTYPE *check_feature_support)
    (dml_device *, int32_t feature, uint32_t query_size, const void *query, uint32_t support_size,
     void *support);
    HRESULT(STDMETHODCALLTYPE *create_operator)
    (dml_device *, const dml_typed_desc *desc, const IID *iid, void **op);
    HRESULT(STDMETHODCALLTYPE *compile_operator)
    (dml_device *, dml_operator *op, uint32_t flags, const IID *iid, void **compiled);
    HRESULT(STDMETHODCALLTYPE *create_operator_initializer)
    (dml_device *, uint32_t count, dml_dispatchable *const *compiled, const IID *iid,
     void **initializer);
    HRESULT(STDMETHODCALLTYPE *create_command_recorder)
    (dml_device *, const IID *iid, void **recorder);
    HRESULT(STDMETHODCALLTYPE *create_binding_table)
    (dml_device *, const dml_binding_table_desc *desc, const IID *iid, void **table);
    void *evict;
    void *make_resident;
    HRESULT(STDMETHODCALLTYPE *get_device_removed_reason)(dml_device *);
} dml_device_methods;

/* IDMLDispatchable: the base of IDMLCompiledOperator and IDMLOperatorInitializer. */
typedef struct dml_dispatchable_methods {
    void *child[DML_CHILD_SLOTS];
/* This method returns a structure of 24 bytes, through a pointer. In Microsoft's convention `this`
 * is the first argument and the pointer the second. In the System V convention the pointer comes
 * first, which is what a C compiler does for a structure returned by value. */
#ifdef CUMSUM_ABI_WSL
    dml_binding_properties(STDMETHODCALLTYPE *get_binding_properties)(dml_dispatchable *);
#else
    dml_binding_properties *(STDMETHODCALLTYPE *get_binding_properties)(dml_dispatchable *,
                                                                        dml_binding_properties *);
#endif
} dml_dispatchable_methods;

/* IDMLBindingTable */
typedef struct dml_binding_table_methods {
    void *child[DML_CHILD_SLOTS];
    void(STDMETHODCALLTYPE *bind_inputs)(dml_binding_table *, uint32_t, const dml_typed_desc *);
    void(STDMETHODCALLTYPE *bind_outputs)(dml_binding_table *, uint32_t, const dml_typed_desc *);
    void(STDMETHODCALLTYPE *bind_temporary_resource)(dml_binding_table *, const dml_typed_desc *);
    void(STDMETHODCALLTYPE *bind_persistent_resource)(dml_binding_table *, const dml_typed_desc *);
} dml_binding_table_methods;

/* IDMLCommandRecorder */
typedef struct dml_command_recorder_methods {
    void *child[DML_CHILD_SLOTS];
    void(STDMETHODCALLTYPE *record_dispatch)(dml_command_recorder *, ID3D12CommandList *,
                                             dml_dispatchable *, dml_binding_table *);
} dml_command_recorder_methods;

struct dml_device {
    const dml_device_methods *methods;
};
struct dml_dispatchable {
    const dml_dispatchable_methods *methods;
};
struct dml_binding_table {
    const dml_binding_table_methods *methods;
};
struct dml_command_recorder {
    const dml_command_recorder_methods *methods;
};

/* DMLCreateDevice; flags: 1 for DirectML's debug layer. */
typedef HRESULT(WINAPI *dml_create_device_function)(ID3D12Device *d3d, uint32_t flags,
                                                    const IID *iid, void **device);

static const IID iid_dml_device = {
    0x6dbd6437, 0x96fd, 0x423f, {0xa9, 0x8c, 0xae, 0x5e, 0x7c, 0x2a, 0x57, 0x3f}};
static const IID iid_dml_operator = {
    0x26caae7a, 0x3081, 0x4633, {0x95, 0x81, 0x22, 0x6f, 0xbe, 0x57, 0x69, 0x5d}};
static const IID iid_dml_compiled_operator = {
    0x6b15e56a, 0xbf5c, 0x4902, {0x92, 0xd8, 0xda, 0x3a, 0x65, 0x0a, 0xfe, 0xa4}};
static const IID iid_dml_operator_initializer = {
    0x427c1113, 0x435c, 0x469c, {0x86, 0x76, 0x4d, 0x5d, 0xd0, 0x72, 0xf8, 0x13}};
static const IID iid_dml_binding_table = {
    0x29c687dc, 0xde74, 0x4e3b, {0xab, 0x00, 0x11, 0x68, 0xf2, 0xfc, 0x3c, 0xfc}};
static const IID iid_dml_command_recorder = {
    0xe6857a76, 0x2e3e, 0x4fdd, {0xbf, 0xf4, 0x5d, 0x2b, 0xa1, 0x0f, 0xb4, 0x53}};

#endif
