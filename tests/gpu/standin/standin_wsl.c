/* SPDX-License-Identifier: MIT */
/* libd3d12.so of WSL: its functions, in Linux's calling convention. */
#include "standin_objects.h"

STANDIN_EXPORT HRESULT D3D12CreateDevice(IUnknown *adapter, D3D_FEATURE_LEVEL level, REFIID iid,
                                         void **device) {
    standin.adapter = adapter;
    standin.level = (uint32_t)level;
    if (standin.lowest_level && standin.lowest_level != (uint32_t)level)
        return E_INVALIDARG;
    return standin_make_device(iid, device);
}

STANDIN_EXPORT HRESULT D3D12GetDebugInterface(REFIID iid, void **debug) {
    *debug = NULL;
    standin_expect_iid(iid, &IID_ID3D12Debug, "the IID of the debug layer");
    return standin.no_debug_layer ? (HRESULT)0x887A002D : standin_make_debug(debug);
}
