/* SPDX-License-Identifier: MIT */
#include "binding.h"

#include "diagnose.h"

#include <stddef.h>

/* One side of a binding, so that input and output are checked by the same lines. */
typedef struct side {
    const char *name;
    uintptr_t address;
    uint64_t bound;     /* bytes that may be accessed */
    uint64_t total;     /* TotalTensorSizeInBytes */
    uint64_t occupied;  /* bytes from the first to the last element */
    uint32_t alignment; /* bytes */
} side;

static side input_side(const cumsum_problem *problem, const cumsum_binding *binding) {
    return (side){.name = CUMSUM_INPUT_NAME,
                  .address = (uintptr_t)binding->input,
                  .bound = binding->input_in_bytes,
                  .total = problem->input_size,
                  .occupied = problem->input_extent * problem->element_size,
                  .alignment = problem->input_alignment};
}

static side output_side(const cumsum_problem *problem, const cumsum_binding *binding) {
    return (side){.name = CUMSUM_OUTPUT_NAME,
                  .address = (uintptr_t)binding->output,
                  .bound = binding->output_in_bytes,
                  .total = problem->output_size,
                  .occupied = problem->output_extent * problem->element_size,
                  .alignment = problem->output_alignment};
}

static cumsum_status broken(cumsum_diagnostic *diagnostic, const side *s, const char *field,
                            uint64_t value, uint64_t limit, const char *rule) {
    return cumsum_diagnose(diagnostic, &(cumsum_broken_rule){.status = CUMSUM_INVALID_BINDING,
                                                             .tensor = s->name,
                                                             .field = field,
                                                             .dimension = -1,
                                                             .value = value,
                                                             .limit = limit,
                                                             .show_limit = true,
                                                             .rule = rule});
}

static cumsum_status check_side(const side *s, cumsum_diagnostic *diagnostic) {
    if (s->bound < s->total)
        return broken(diagnostic, s, "SizeInBytes", s->bound, s->total,
                      "must be at least TotalTensorSizeInBytes");
    if (s->bound > UINTPTR_MAX - s->address)
        return broken(diagnostic, s, "SizeInBytes", s->bound, UINTPTR_MAX - s->address,
                      "must not reach past the end of the address space");
    /* An alignment is a power of two. */
    if (s->address & (s->alignment - 1))
        return broken(diagnostic, s, "Address", s->address, s->alignment,
                      "must be a multiple of the element size and of "
                      "GuaranteedBaseOffsetAlignment");
    return CUMSUM_OK;
}

/* Ranges that do not wrap overlap where each begins before the other ends. */
static bool overlap(const side *a, const side *b) {
    return a->address < b->address + b->occupied && b->address < a->address + a->occupied;
}

static cumsum_status check_overlap(const cumsum_problem *problem, const side *input,
                                   const side *output, cumsum_diagnostic *diagnostic) {
    const bool in_place = input->address == output->address && problem->same_layout;
    if (in_place || !overlap(input, output))
        return CUMSUM_OK;
    return broken(diagnostic, output, "Address", output->address, input->address,
                  input->address == output->address
                      ? "must differ from InputTensor's, unless both tensors have the same strides "
                        "and total size"
                      : "must not lie in memory that partly overlaps InputTensor's");
}

cumsum_status cumsum_binding_check(const cumsum_problem *problem, const cumsum_binding *binding,
                                   cumsum_diagnostic *diagnostic) {
    if (!binding->input)
        return cumsum_diagnose_argument(diagnostic, "input", 0, "NULL", "must be given");
    if (!binding->output)
        return cumsum_diagnose_argument(diagnostic, "output", 0, "NULL", "must be given");
    const side input = input_side(problem, binding);
    const side output = output_side(problem, binding);
    cumsum_status status = check_side(&input, diagnostic);
    if (status == CUMSUM_OK)
        status = check_side(&output, diagnostic);
    return status == CUMSUM_OK ? check_overlap(problem, &input, &output, diagnostic) : status;
}
