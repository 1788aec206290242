/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_MUTANT_DEVICE_H
#define CUMSUM_TESTS_MUTANT_DEVICE_H

/* What a device does that computes with a mutant: the body of an `execute` of backend_methods, for
 * the tests that sweep mutants and that minimize their failures. */

#include "backend.h"
#include "case_name.h"
#include "mutant.h"

/* Executes the work of a case. A device is given tensors without what is before them in their
 * buffers; the spec says where the buffers start. */
static inline cumsum_status mutant_execute(const mutant *m, const case_spec *spec,
                                           const backend_work *work) {
    const uint64_t input_offset = spec->input.offset, output_offset = spec->output.offset;
    mutant_view view = mutant_view_of(work->desc, work->numerics, spec->in_place);
    view.input.offset = input_offset;
    view.output.offset = output_offset;
    mutant_run(m, view,
               &(mutant_buffers){.input = (const unsigned char *)work->input - input_offset,
                                 .input_size = work->input_in_bytes + input_offset,
                                 .output = (unsigned char *)work->output - output_offset,
                                 .output_size = work->output_in_bytes + output_offset});
    return CUMSUM_OK;
}

#endif
