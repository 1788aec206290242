/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_DIRECTML_OPERATOR_H
#define CUMSUM_DIRECTML_OPERATOR_H

/*
 * Microsoft's own operator, DML_OPERATOR_CUMULATIVE_SUMMATION, on an open Direct3D 12 device: what
 * it computes, and what it says of a descriptor.
 *
 *     cumsum_d3d12_open -> cumsum_directml_open -> cumsum_directml_execute, as often as needed
 *     -> cumsum_directml_close -> cumsum_d3d12_close
 *
 * DirectML is loaded by cumsum_directml_open: DirectML.dll on Windows, libdirectml.so in WSL. It is
 * Microsoft's, and not part of this library; where it is missing, the answer is CUMSUM_NO_DEVICE.
 */

#include <cumsum/d3d12.h>

#ifdef __cplusplus
extern "C" {
#endif

/* DML_EXECUTION_FLAGS, to be combined. */
typedef enum cumsum_execution_flags {
    CUMSUM_EXECUTION_FLAG_NONE = 0,
    CUMSUM_EXECUTION_FLAG_ALLOW_HALF_PRECISION_COMPUTATION = 1,
    CUMSUM_EXECUTION_FLAG_DISABLE_META_COMMANDS = 2,
    CUMSUM_EXECUTION_FLAG_DESCRIPTORS_VOLATILE = 4
} cumsum_execution_flags;

/* HRESULTs; 0 is S_OK, 0x80070057 as a negative number is E_INVALIDARG. */
typedef struct cumsum_directml_answer {
    int32_t create_operator;
    int32_t compile_operator; /* 0 where there was no operator to compile */
} cumsum_directml_answer;

/* DirectML on a device. */
typedef struct cumsum_directml cumsum_directml;

/*
 * Loads DirectML and makes its device.
 *
 * device       open, and stays so until cumsum_directml_close; it may be used for other things too
 * debug_layer  DirectML's own; it needs DirectML.Debug.dll beside DirectML.dll
 * directml     receives the result, to be given to cumsum_directml_close; NULL on failure
 * diagnostic   may be NULL, here and below
 * Returns CUMSUM_OK; CUMSUM_INVALID_ARGUMENT for a null pointer; CUMSUM_NO_DEVICE where there is no
 * DirectML, it does not take this device, or has no cumulative summation (before feature level
 * 2.1); CUMSUM_OUT_OF_MEMORY; CUMSUM_DEVICE_REMOVED; CUMSUM_DEVICE_FAILED.
 */
CUMSUM_D3D12_API cumsum_status cumsum_directml_open(cumsum_d3d12_device *device, bool debug_layer,
                                                    cumsum_directml **directml,
                                                    cumsum_diagnostic *diagnostic);

/* Frees it; the Direct3D 12 device stays. NULL is allowed. */
CUMSUM_D3D12_API void cumsum_directml_close(cumsum_directml *directml);

/* The highest DML_FEATURE_LEVEL, 0x6200 for 6.2; 0 where it does not say, and for NULL. */
CUMSUM_D3D12_API uint32_t cumsum_directml_feature_level(const cumsum_directml *directml);

/*
 * How DirectML sums on this device, as far as it shows: one element after the other. FLOAT16 is
 * rounded to nearest even where the device has native 16-bit operations, and toward zero elsewhere;
 * its sums are kept in FLOAT16 where the device has them and ALLOW_HALF_PRECISION_COMPUTATION is
 * set. Whether FLOAT32 subnormals are kept is the driver's choice; the answer says PRESERVE.
 * docs/directml.md has the evidence.
 */
CUMSUM_D3D12_API cumsum_numerics cumsum_directml_numerics(const cumsum_directml *directml,
                                                          uint32_t execution_flags);

/*
 * What DirectML says of a descriptor, valid or not.
 *
 * desc         as cumsum_validate takes it; it is handed to DirectML as it is
 * answer       receives the answers of CreateOperator and CompileOperator
 * Returns CUMSUM_OK, also where DirectML rejects; CUMSUM_INVALID_ARGUMENT for a null pointer;
 * CUMSUM_DEVICE_REMOVED; CUMSUM_OUT_OF_MEMORY.
 */
CUMSUM_D3D12_API cumsum_status cumsum_directml_ask(cumsum_directml *directml,
                                                   const cumsum_operator_desc *desc,
                                                   uint32_t execution_flags,
                                                   cumsum_directml_answer *answer,
                                                   cumsum_diagnostic *diagnostic);

/*
 * Computes with Microsoft's operator. The arguments, in place included, are those of
 * cumsum_d3d12_execute, and guard bands are looked at as there.
 *
 * numerics     what the output has to be. NULL: whatever comes. Otherwise CUMSUM_UNSUPPORTED where
 *              cumsum_directml_numerics says something else.
 * timing       may be NULL; the operator alone, without its initialization
 * Returns CUMSUM_OK; what cumsum_validate and cumsum_plan_execute return; CUMSUM_UNSUPPORTED also
 * where DirectML has the operator but cannot compile it for this device (64-bit integers on a
 * device without them, say); CUMSUM_OUT_OF_MEMORY; CUMSUM_DEVICE_REMOVED, CUMSUM_DEVICE_TIMEOUT,
 * CUMSUM_DEVICE_FAILED and CUMSUM_GUARD_BROKEN as for cumsum_d3d12_execute. CUMSUM_DEVICE_FAILED is
 * also the answer where DirectML rejects a descriptor that cumsum_validate accepts.
 */
CUMSUM_D3D12_API cumsum_status cumsum_directml_execute(
    cumsum_directml *directml, const cumsum_operator_desc *desc, const cumsum_numerics *numerics,
    uint32_t execution_flags, cumsum_feature_level level, const void *input,
    uint64_t input_in_bytes, void *output, uint64_t output_in_bytes, cumsum_d3d12_timing *timing,
    cumsum_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif

#endif
