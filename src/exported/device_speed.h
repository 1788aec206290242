/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_EXPORTED_DEVICE_SPEED_H
#define CUMSUM_EXPORTED_DEVICE_SPEED_H

/*
 * The speed of a Direct3D 12 device, for this project's own programs. libcumsum-d3d12 exports these
 * functions, but its interface does not have them: the header is not installed, and any version may
 * change them.
 */

#include "directml_operator.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of repeated measurements, in nanoseconds. */
typedef struct cumsum_d3d12_times {
    uint64_t median;
    uint64_t least;
    uint64_t greatest;
} cumsum_d3d12_times;

/* Times by the device's timestamps, without the copies to and from it. Hot: a mean of executions
 * in one submission, after the same one; cold: after other data was read into the device's caches.
 */
typedef struct cumsum_d3d12_speed {
    cumsum_d3d12_times hot;
    cumsum_d3d12_times cold;
    cumsum_d3d12_times copy_hot; /* CopyBufferRegion of copied_bytes, from a buffer to another */
    cumsum_d3d12_times copy_cold;
    cumsum_d3d12_times shader_copy_hot; /* the same by a shader */
    cumsum_d3d12_times shader_copy_cold;
    uint64_t copied_bytes; /* the bytes of the output's elements */
    uint64_t left_tiles;   /* of 1024 elements, which the last execution's single pass left to the
                              dispatch behind it, since their threads had waited too long */
} cumsum_d3d12_speed;

/*
 * Executes like cumsum_d3d12_execute, whose arguments it has, and measures how fast that is, beside
 * copies of the same number of bytes. Before that the device is kept busy, since its clock is slow
 * after a pause.
 *
 * repetitions  1 to 1000
 * speed        receives the result
 * Returns what cumsum_d3d12_execute returns; CUMSUM_DEVICE_FAILED also if a tensor does not fit
 * into one buffer of the device.
 */
CUMSUM_D3D12_API cumsum_status cumsum_d3d12_measure(
    cumsum_d3d12_device *device, const cumsum_operator_desc *desc, const cumsum_numerics *numerics,
    cumsum_feature_level level, const void *input, uint64_t input_in_bytes, void *output,
    uint64_t output_in_bytes, uint32_t repetitions, cumsum_d3d12_speed *speed,
    cumsum_diagnostic *diagnostic);

/* Executes and measures, as cumsum_d3d12_measure does. The operator is created, compiled and
 * initialized once, which does not count. Returns what cumsum_directml_execute returns. */
CUMSUM_D3D12_API cumsum_status cumsum_directml_measure(
    cumsum_directml *directml, const cumsum_operator_desc *desc, const cumsum_numerics *numerics,
    uint32_t execution_flags, cumsum_feature_level level, const void *input,
    uint64_t input_in_bytes, void *output, uint64_t output_in_bytes, uint32_t repetitions,
    cumsum_d3d12_speed *speed, cumsum_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif

#endif
