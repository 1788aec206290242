/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_STANDIN_EXPORTS_H
#define CUMSUM_TESTS_STANDIN_EXPORTS_H

/* What both libraries export under names of their own. */

#include "standin_objects.h"

#define STANDIN_EXPORT __attribute__((visibility("default")))

/* Writes the root signature down. */
HRESULT standin_serialize(const D3D12_ROOT_SIGNATURE_DESC *desc, D3D_ROOT_SIGNATURE_VERSION version,
                          ID3DBlob **blob);

#endif
