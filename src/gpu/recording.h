/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_RECORDING_H
#define CUMSUM_GPU_RECORDING_H

/* Plans of an operator on a device of the caller's, and recordings of them: what
 * cumsum_d3d12_record and cumsum_cuda_launch share. */

#include "scan.h"

typedef struct gpu_plan {
    gpu_device *gpu;
    gpu_scanner *scanner;
    cumsum_problem problem;
    cumsum_numerics numerics; /* as the device computes */
    uint64_t scratch;         /* bytes */
} gpu_plan;

/* Performs every check of cumsum_plan_create. `given` may be NULL; *numerics receives those that
 * the shaders compute with. */
cumsum_status cumsum_gpu_read(cumsum_problem *problem, cumsum_numerics *numerics,
                              const cumsum_operator_desc *desc, const cumsum_numerics *given,
                              cumsum_feature_level level, cumsum_diagnostic *diagnostic);

/* Opens the device of a plan. *most receives the bytes of a tensor and of the scratch memory that a
 * shader can address. */
typedef gpu_status gpu_plan_open(void *device, gpu_device **gpu, uint64_t *most, gpu_failure *why);

/* Makes a plan and its shaders, after every check of cumsum_plan_create. *plan is NULL on failure.
 * `device` goes to `open`. */
cumsum_status cumsum_gpu_plan_create(gpu_plan_open *open, void *device,
                                     const cumsum_operator_desc *desc,
                                     const cumsum_numerics *numerics, cumsum_feature_level level,
                                     gpu_plan **plan, cumsum_diagnostic *diagnostic);

/* NULL is allowed, and a plan that was made in part. */
void cumsum_gpu_plan_destroy(gpu_plan *plan);

/* Memory of the caller's for a recording. */
typedef struct gpu_given {
    const char *name;    /* of the tensor, for messages, as the next */
    const char *field;   /* of its place in `memory` */
    const void *memory;  /* parts of different memory do not overlap */
    gpu_binding binding; /* with the place as its offset */
    uint64_t size;       /* bytes */
    uint64_t end;        /* of the memory */
    uint64_t needed;     /* bytes that it must have */
    uint64_t occupied;   /* bytes that are accessed */
    uint64_t alignment;  /* of the place */
} gpu_given;

enum {
    GIVEN_INPUT,
    GIVEN_OUTPUT,
    GIVEN_SCRATCH, /* not looked at if the plan needs none */
    GIVEN_COUNT
};

/* What a plan asks of the three. tensor_alignment: at least. */
void cumsum_gpu_ask(const gpu_plan *plan, const char *field, uint64_t tensor_alignment,
                    uint64_t scratch_alignment, gpu_given given[GIVEN_COUNT]);

/* Checks all that was given, and records into `target` (gpu_driver.record). Nothing is recorded
 * before everything was checked. */
cumsum_status cumsum_gpu_record(const gpu_plan *plan, void *target, gpu_given given[GIVEN_COUNT],
                                cumsum_diagnostic *diagnostic);

#endif
