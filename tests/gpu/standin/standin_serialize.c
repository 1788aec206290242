/* SPDX-License-Identifier: MIT */
#include "standin_exports.h"

static void write_down(const D3D12_ROOT_SIGNATURE_DESC *desc) {
    standin.root_parameters = desc->NumParameters;
    for (UINT i = 0; i < desc->NumParameters && i < 8; i++) {
        const D3D12_ROOT_PARAMETER *p = &desc->pParameters[i];
        standin.root_types[i] = (uint32_t)p->ParameterType;
        if (p->ParameterType == D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS) {
            standin.root_registers[i] = p->Constants.ShaderRegister;
            standin.root_constants = p->Constants.Num32BitValues;
        } else {
            standin.root_registers[i] = p->Descriptor.ShaderRegister;
        }
    }
}

HRESULT standin_serialize(const D3D12_ROOT_SIGNATURE_DESC *desc, D3D_ROOT_SIGNATURE_VERSION version,
                          ID3DBlob **blob) {
    HRESULT hr = standin_result("SerializeRootSignature");
    if (version != D3D_ROOT_SIGNATURE_VERSION_1)
        standin_complain("another version of root signature");
    *blob = NULL;
    if (hr < 0)
        return hr;
    write_down(desc);
    void *made;
    standin_make_blob(&made);
    *blob = made;
    return S_OK;
}
