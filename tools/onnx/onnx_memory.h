/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_ONNX_MEMORY_H
#define CUMSUM_TOOLS_ONNX_MEMORY_H

#include <protobuf-c/protobuf-c.h>

/* What protobuf-c unpacks with. Where memory is out it ends the program: protobuf-c would answer as
 * it does to a message that is cut short. */
extern ProtobufCAllocator onnx_memory;

#endif
