/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_ONNX_MODEL_H
#define CUMSUM_TOOLS_ONNX_MODEL_H

#include "model.h"
#include "onnx_graph.h"

/* A data set as a model, its tensors taken from the files of a folder; for model_free. What
 * onnx_tensor_read returns; TOOL_MALFORMED too where the tensors do not go together. */
tool_status onnx_model_read(const onnx_graph *graph, const char *folder, model **out,
                            tool_error *error);

#endif
