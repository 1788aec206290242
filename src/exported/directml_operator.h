/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_EXPORTED_DIRECTML_OPERATOR_H
#define CUMSUM_EXPORTED_DIRECTML_OPERATOR_H

/*
 * Microsoft's own operator, DML_OPERATOR_CUMULATIVE_SUMMATION, on an open Direct3D 12 device: its
 * outputs, and its answer to a descriptor, for this project's own programs. libcumsum-d3d12 exports
 * these functions, but its interface does not have them: the header is not installed, and any
 * version may change them.
 *
 * Open a device with cumsum_d3d12_open and DirectML on it with cumsum_directml_open, call
 * cumsum_directml_execute as often as needed, and close them with cumsum_directml_close and
 * cumsum_d3d12_close, in this order. Ownership and threads are as in d3d12.h: only one thread at a
 * time may use a device, with or without DirectML.
 *
 * cumsum_directml_open loads DirectML: DirectML.dll on Windows, libdirectml.so in WSL. DirectML is
 * Microsoft's, and not part of this library. Without it the call returns CUMSUM_NO_DEVICE.
 */

#include <cumsum/d3d12.h>

#ifdef __cplusplus
extern "C" {
#endif

/* DML_EXECUTION_FLAGS, with its values. They can be combined. */
typedef enum cumsum_execution_flags {
    CUMSUM_EXECUTION_FLAG_NONE = 0,
    CUMSUM_EXECUTION_FLAG_ALLOW_HALF_PRECISION_COMPUTATION = 1,
    CUMSUM_EXECUTION_FLAG_DISABLE_META_COMMANDS = 2,
    CUMSUM_EXECUTION_FLAG_DESCRIPTORS_VOLATILE = 4
} cumsum_execution_flags;

/* DirectML's answers to a descriptor, as HRESULTs: 0 is S_OK, (int32_t)0x80070057 is E_INVALIDARG.
 */
typedef struct cumsum_directml_answer {
    int32_t create_operator;
    int32_t compile_operator; /* 0 if there was no operator to compile */
} cumsum_directml_answer;

/* DirectML on a device. */
typedef struct cumsum_directml cumsum_directml;

/*
 * Loads DirectML and makes its device.
 *
 * device       must stay open until cumsum_directml_close; it may be used for other things too
 * debug_layer  load DirectML's own validation layer, DirectML.Debug.dll beside DirectML.dll
 * directml     receives the result, which the caller gives to cumsum_directml_close; NULL on
 *              failure
 * diagnostic   may be NULL, here and below
 * Returns CUMSUM_OK; CUMSUM_NO_DEVICE if there is no DirectML, if it rejects this device, or if it
 * has no cumulative summation (before feature level 2.1); CUMSUM_OUT_OF_MEMORY;
 * CUMSUM_DEVICE_REMOVED; CUMSUM_DEVICE_FAILED.
 */
CUMSUM_D3D12_API cumsum_status cumsum_directml_open(cumsum_d3d12_device *device, bool debug_layer,
                                                    cumsum_directml **directml,
                                                    cumsum_diagnostic *diagnostic);

/* Frees DirectML's device; the Direct3D 12 device stays open. NULL is allowed. */
CUMSUM_D3D12_API void cumsum_directml_close(cumsum_directml *directml);

/* The highest DML_FEATURE_LEVEL, 0x6200 for 6.2; 0 if DirectML does not say. */
CUMSUM_D3D12_API uint32_t cumsum_directml_feature_level(const cumsum_directml *directml);

/*
 * How DirectML sums on this device, as far as its outputs show: sequentially. FLOAT16 is stored to
 * nearest even if the device has native 16-bit operations, and toward zero otherwise; the
 * accumulator is FLOAT16 if the device has them and ALLOW_HALF_PRECISION_COMPUTATION is set. The
 * driver decides whether FLOAT32 subnormals are kept; the result says PRESERVE. docs/devices.md
 * has the evidence.
 */
CUMSUM_D3D12_API cumsum_numerics cumsum_directml_numerics(const cumsum_directml *directml,
                                                          uint32_t execution_flags);

/*
 * Asks DirectML whether it accepts a descriptor, valid or not.
 *
 * desc         as for cumsum_validate; DirectML gets it unchanged
 * answer       receives the answers of CreateOperator and CompileOperator
 * Returns CUMSUM_OK, also if DirectML rejects the descriptor; CUMSUM_DEVICE_REMOVED;
 * CUMSUM_OUT_OF_MEMORY.
 */
CUMSUM_D3D12_API cumsum_status cumsum_directml_ask(cumsum_directml *directml,
                                                   const cumsum_operator_desc *desc,
                                                   uint32_t execution_flags,
                                                   cumsum_directml_answer *answer,
                                                   cumsum_diagnostic *diagnostic);

/*
 * Computes with Microsoft's operator. The arguments are those of cumsum_d3d12_execute without the
 * timing; in place works, and guard bands are checked, as there.
 *
 * numerics     the numerics that the output must have; NULL: any
 * Returns CUMSUM_OK; what cumsum_validate and cumsum_plan_execute return; CUMSUM_UNSUPPORTED if
 * numerics differ from cumsum_directml_numerics, or if DirectML has the operator but cannot compile
 * it for this device (64-bit integers on a device without them, for example); CUMSUM_OUT_OF_MEMORY;
 * CUMSUM_DEVICE_REMOVED, CUMSUM_DEVICE_TIMEOUT, CUMSUM_DEVICE_FAILED and CUMSUM_GUARD_BROKEN as for
 * cumsum_d3d12_execute. CUMSUM_DEVICE_FAILED is also returned if DirectML rejects a descriptor that
 * cumsum_validate accepts.
 */
CUMSUM_D3D12_API cumsum_status cumsum_directml_execute(
    cumsum_directml *directml, const cumsum_operator_desc *desc, const cumsum_numerics *numerics,
    uint32_t execution_flags, cumsum_feature_level level, const void *input,
    uint64_t input_in_bytes, void *output, uint64_t output_in_bytes, cumsum_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif

#endif
