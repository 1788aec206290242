/* SPDX-License-Identifier: MIT */
/*
 * The rules for the memory that an execution is given: docs/validation.md, "Bindings". They are
 * checked for the input, then for the output, then for both together.
 *
 * Invariant: no sum of an address and a size wraps, since a range that reaches past the end of the
 * address space is rejected before ranges are compared.
 */
#include "binding.h"

#include "diagnose.h"

#include <stddef.h>

/* An operand: the input or the output, with the memory that it is bound to. */
typedef struct operand {
    const char *name;
    uintptr_t address;
    uint64_t bound;     /* bytes that may be accessed */
    uint64_t total;     /* TotalTensorSizeInBytes */
    uint64_t occupied;  /* bytes from the first to the last element */
    uint32_t alignment; /* bytes */
} operand;

static operand input_operand(const cumsum_problem *problem, const cumsum_binding *binding) {
    return (operand){.name = CUMSUM_INPUT_NAME,
                     .address = (uintptr_t)binding->input,
                     .bound = binding->input_in_bytes,
                     .total = problem->input_size,
                     .occupied = problem->input_extent * problem->element_size,
                     .alignment = problem->input_alignment};
}

static operand output_operand(const cumsum_problem *problem, const cumsum_binding *binding) {
    return (operand){.name = CUMSUM_OUTPUT_NAME,
                     .address = (uintptr_t)binding->output,
                     .bound = binding->output_in_bytes,
                     .total = problem->output_size,
                     .occupied = problem->output_extent * problem->element_size,
                     .alignment = problem->output_alignment};
}

static cumsum_status check_operand(const operand *o, cumsum_diagnostic *diagnostic) {
    if (o->bound < o->total)
        return cumsum_diagnose_binding(diagnostic, o->name, "SizeInBytes", o->bound, o->total,
                                       "must be at least TotalTensorSizeInBytes");
    if (o->bound > UINTPTR_MAX - o->address)
        return cumsum_diagnose_binding(diagnostic, o->name, "SizeInBytes", o->bound,
                                       UINTPTR_MAX - o->address,
                                       "must not reach past the end of the address space");
    /* An alignment is a power of two. */
    if (o->address & (o->alignment - 1))
        return cumsum_diagnose_binding(diagnostic, o->name, "Address", o->address, o->alignment,
                                       "must be a multiple of the element size and of "
                                       "GuaranteedBaseOffsetAlignment");
    return CUMSUM_OK;
}

/* Two ranges overlap if each begins before the other ends. */
static bool overlap(const operand *a, const operand *b) {
    return a->address < b->address + b->occupied && b->address < a->address + a->occupied;
}

/* In place needs equal strides and total sizes, so that each output element lies exactly on its own
 * input element. The ranges compared are those that elements occupy, not TotalTensorSizeInBytes. */
static cumsum_status check_overlap(const cumsum_problem *problem, const operand *input,
                                   const operand *output, cumsum_diagnostic *diagnostic) {
    const bool in_place = input->address == output->address && problem->same_layout;
    if (in_place || !overlap(input, output))
        return CUMSUM_OK;
    return cumsum_diagnose_binding(
        diagnostic, output->name, "Address", output->address, input->address,
        input->address == output->address
            ? "must differ from InputTensor's, unless both tensors have the same strides "
              "and total size"
            : "must not lie in memory that partly overlaps InputTensor's");
}

cumsum_status cumsum_binding_check_input(const cumsum_problem *problem,
                                         const cumsum_binding *binding,
                                         cumsum_diagnostic *diagnostic) {
    if (!binding->input)
        return cumsum_diagnose_argument(diagnostic, "input", 0, "NULL", "must be given");
    const operand input = input_operand(problem, binding);
    return check_operand(&input, diagnostic);
}

cumsum_status cumsum_binding_check(const cumsum_problem *problem, const cumsum_binding *binding,
                                   cumsum_diagnostic *diagnostic) {
    if (!binding->input)
        return cumsum_diagnose_argument(diagnostic, "input", 0, "NULL", "must be given");
    if (!binding->output)
        return cumsum_diagnose_argument(diagnostic, "output", 0, "NULL", "must be given");
    const operand input = input_operand(problem, binding);
    const operand output = output_operand(problem, binding);
    cumsum_status status = check_operand(&input, diagnostic);
    if (status == CUMSUM_OK)
        status = check_operand(&output, diagnostic);
    return status == CUMSUM_OK ? check_overlap(problem, &input, &output, diagnostic) : status;
}
