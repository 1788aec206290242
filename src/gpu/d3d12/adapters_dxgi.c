/* SPDX-License-Identifier: MIT */
/*
 * The adapters of Windows, through DXGI: the fastest first where Windows knows it (from version
 * 1803 on), otherwise the one that the desktop is shown on.
 */
#define CINTERFACE
#include "adapter_list.h"
#include "d3d12_abi.h"
#include "d3d12_session.h"

#include <dxgi1_6.h>

#define FLAG_SOFTWARE 2u /* DXGI_ADAPTER_FLAG_SOFTWARE */

static const IID iid_factory1 = {
    0x770aae78, 0xf26f, 0x4dba, {0xa8, 0x29, 0x25, 0x3c, 0x83, 0xd1, 0xb3, 0x87}};
static const IID iid_factory6 = {
    0xc1b6694f, 0xff09, 0x44a9, {0xb0, 0x3c, 0x77, 0x90, 0x0a, 0x0a, 0x1d, 0x17}};
static const IID iid_adapter1 = {
    0x29038f61, 0x3839, 0x4626, {0x91, 0xfd, 0x08, 0x68, 0x79, 0x01, 0x1a, 0x05}};
static const IID iid_dxgi_device = {
    0x54ec77fa, 0x1377, 0x44e6, {0x8c, 0x32, 0x88, 0xfd, 0x5f, 0x44, 0xc8, 0x4c}};

/* The driver's version, which DXGI tells with the answer to this question; 0 if it does not. */
static uint64_t read_version(IDXGIAdapter1 *object) {
    LARGE_INTEGER version;
    if (IDXGIAdapter1_CheckInterfaceSupport(object, &iid_dxgi_device, &version) < 0)
        return 0;
    return (uint64_t)version.QuadPart;
}

static listed_adapter describe_dxgi(IDXGIAdapter1 *object) {
    cumsum_d3d12_adapter a = {.name = "unnamed"};
    DXGI_ADAPTER_DESC1 desc;
    if (IDXGIAdapter1_GetDesc1(object, &desc) >= 0) {
        WideCharToMultiByte(CP_UTF8, 0, desc.Description, -1, a.name, sizeof a.name, NULL, NULL);
        a.name[sizeof a.name - 1] = '\0';
        a.vendor_id = desc.VendorId;
        a.device_id = desc.DeviceId;
        a.dedicated_memory_in_bytes = desc.DedicatedVideoMemory;
        a.software = (desc.Flags & FLAG_SOFTWARE) != 0;
    }
    cumsum_adapter_version(&a, read_version(object));
    return (listed_adapter){a, object, D3D12_PROMISED_VIEW};
}

/* Adapter number i; by_speed is NULL on a Windows that does not know it. */
static HRESULT get_adapter(IDXGIFactory1 *factory, IDXGIFactory6 *by_speed, UINT i,
                           void **adapter) {
    if (by_speed)
        return IDXGIFactory6_EnumAdapterByGpuPreference(
            by_speed, i, DXGI_GPU_PREFERENCE_HIGH_PERFORMANCE, &iid_adapter1, adapter);
    return IDXGIFactory1_EnumAdapters1(factory, i, (IDXGIAdapter1 **)adapter);
}

static int32_t list_dxgi(adapter_list *list, void (*create_factory)(void)) {
    void *made = NULL;
    void *by_speed = NULL;
    void *adapter;
    HRESULT hr = ((HRESULT(WINAPI *)(REFIID, void **))create_factory)(&iid_factory1, &made);
    if (hr < 0)
        return hr;
    IDXGIFactory1 *factory = made;
    if (IDXGIFactory1_QueryInterface(factory, &iid_factory6, &by_speed) < 0)
        by_speed = NULL;
    while (list->count < GPU_MAX_ADAPTERS &&
           get_adapter(factory, by_speed, (UINT)list->count, &adapter) >= 0)
        list->at[list->count++] = describe_dxgi(adapter);
    d3d12_release(by_speed);
    d3d12_release(factory);
    return hr;
}

extern const adapter_system CUMSUM_ABI(adapter_system);
const adapter_system CUMSUM_ABI(adapter_system) = {"dxgi.dll", "CreateDXGIFactory1", list_dxgi};
