/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_ONNX_MESSAGE_H
#define CUMSUM_TOOLS_ONNX_MESSAGE_H

/* Between the files of this folder: what they have to do with protobuf's messages. */

#include "onnx_messages.pb-c.h"
#include "onnx_tensor.h"

/* A message that is part of another one, or has been read. */
tool_status onnx_tensor_convert(const Onnx__TensorProto *message, const char *name,
                                onnx_tensor *out, tool_error *error);

/* Allocates out->bytes and copies the elements of a message whose type and sizes are known. */
tool_status onnx_tensor_fill(const Onnx__TensorProto *message, const char *name, onnx_tensor *out,
                             tool_error *error);

#endif
