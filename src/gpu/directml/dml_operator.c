/* SPDX-License-Identifier: MIT */
/*
 * The life of an operator: created from a descriptor, compiled, given an initializer and buffers,
 * released. In DirectML, CreateOperator checks the descriptor and CompileOperator checks whether
 * the device can execute it.
 *
 * Invariant: a member of dml_compiled is NULL unless it owns an object, whichever call failed.
 */
#include "dml_session.h"

gpu_status dml_operator_compile(dml_session *session, const cumsum_operator_desc *desc,
                                uint32_t execution_flags, dml_compiled *op, dml_answer *answer,
                                gpu_failure *why) {
    const dml_typed_desc typed = {DML_CUMULATIVE_SUMMATION, desc};
    const dml_device_methods *dml = session->dml->methods;
    *answer = (dml_answer){0};
    answer->create =
        dml->create_operator(session->dml, &typed, &iid_dml_operator, (void **)&op->op);
    if (answer->create < 0) {
        op->op = NULL;
        return dml_fail(session, answer->create, "CreateOperator", why);
    }
    answer->compile = dml->compile_operator(session->dml, op->op, execution_flags,
                                            &iid_dml_compiled_operator, (void **)&op->compiled);
    if (answer->compile < 0) {
        op->compiled = NULL;
        return dml_fail(session, answer->compile, "CompileOperator", why);
    }
    return GPU_OK;
}

static dml_binding_properties properties_of(dml_dispatchable *dispatchable) {
#ifdef CUMSUM_ABI_WSL
    return dispatchable->methods->get_binding_properties(dispatchable);
#else
    dml_binding_properties properties;
    return *dispatchable->methods->get_binding_properties(dispatchable, &properties);
#endif
}

/* *buffer is NULL for a size of 0: DirectML then wants no binding. */
static gpu_status make_buffer(dml_session *session, uint64_t size, gpu_buffer **buffer,
                              gpu_failure *why) {
    *buffer = NULL;
    return size ? d3d12_buffer_open(&session->device->base, (size + 3) / 4 * 4, buffer, why)
                : GPU_OK;
}

gpu_status dml_operator_prepare(dml_session *session, dml_compiled *op, gpu_failure *why) {
    HRESULT hr = session->dml->methods->create_operator_initializer(
        session->dml, 1, &op->compiled, &iid_dml_operator_initializer, (void **)&op->initializer);
    if (hr < 0) {
        op->initializer = NULL;
        return dml_fail(session, hr, "CreateOperatorInitializer", why);
    }
    op->to_initialize = properties_of(op->initializer);
    op->to_execute = properties_of(op->compiled);
    /* One temporary buffer serves both dispatches, which run one after the other. */
    const uint64_t a = op->to_initialize.temporary_size;
    const uint64_t b = op->to_execute.temporary_size;
    gpu_status status = make_buffer(session, a > b ? a : b, &op->temporary, why);
    if (status == GPU_OK)
        status = make_buffer(session, op->to_execute.persistent_size, &op->persistent, why);
    return status;
}

void dml_operator_close(dml_session *session, dml_compiled *op) {
    d3d12_buffer_close(op->persistent);
    d3d12_buffer_close(op->temporary);
    if (d3d12_is_abandoned(session->device))
        return;
    if (op->initializer)
        op->initializer->methods->release(op->initializer);
    if (op->compiled)
        op->compiled->methods->release(op->compiled);
    if (op->op)
        op->op->methods->release(op->op);
}
