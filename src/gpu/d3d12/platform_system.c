/* SPDX-License-Identifier: MIT */
/*
 * The platform of a system with Direct3D 12 of its own: d3d12.dll of Windows, libd3d12.so of WSL.
 * Both export the same functions and differ in the library's name and in how adapters are listed
 * (adapter_system).
 *
 * A session keeps the library and the whole list of adapters until it is closed, since the device
 * refers to its adapter.
 */
#include <stdlib.h>

#include "adapter_list.h"
#include "d3d12_abi.h"
#include "d3d12_guids.h"
#include "d3d12_session.h"
#include "host_system.h"

#ifdef CUMSUM_ABI_WINDOWS
#define D3D12_LIBRARY "d3d12.dll"
#define API_NAME      "Direct3D 12"
#else
#define D3D12_LIBRARY "libd3d12.so"
#define API_NAME      "Direct3D 12 (WSL)"
#endif

/* D3D_FEATURE_LEVEL_1_0_CORE, which not every d3dcommon.h declares: the level of devices that run
 * compute shaders and nothing else. */
#define LEVEL_CORE ((D3D_FEATURE_LEVEL)0x1000)

/* The functions that are looked up in the library. */
typedef HRESULT(WINAPI *create_device_function)(IUnknown *adapter, D3D_FEATURE_LEVEL level,
                                                REFIID iid, void **device);
typedef HRESULT(WINAPI *debug_function)(REFIID iid, void **debug);

/* The session's platform state. */
typedef struct system_state {
    void *library;
    void *adapter_library; /* stays loaded as long as the adapters' objects live */
    adapter_list adapters;
    create_device_function create_device;
    debug_function get_debug;
} system_state;

extern const adapter_system CUMSUM_ABI(adapter_system);

static void close_adapters(system_state *s) {
    for (size_t i = 0; i < s->adapters.count; i++)
        d3d12_release(s->adapters.at[i].object);
    s->adapters.count = 0;
    cumsum_library_close(s->adapter_library);
    s->adapter_library = NULL;
}

/* On failure the caller closes what was opened. */
static gpu_status open_adapters(system_state *s, gpu_failure *why) {
    const adapter_system *system = &CUMSUM_ABI(adapter_system);
    void (*create_factory)(void);
    const library_function function = {system->create_factory, &create_factory};
    const gpu_status status =
        cumsum_library_load(system->library, &function, 1, &s->adapter_library, why);
    if (status != GPU_OK)
        return status;
    const HRESULT hr = system->list(&s->adapters, create_factory);
    cumsum_adapters_order(&s->adapters);
    if (hr < 0)
        return cumsum_gpu_refuse_result(why, GPU_UNAVAILABLE, hr, "%s lists no adapter: 0x%08x",
                                        system->library, (unsigned)hr);
    return s->adapters.count
               ? GPU_OK
               : cumsum_gpu_refuse(why, GPU_UNAVAILABLE, "%s lists no adapter", system->library);
}

/* Loads Direct3D too, and drops it: a list of adapters alone does not make a usable platform. */
static gpu_status list_of_system(cumsum_d3d12_adapter *list, size_t room, size_t *count,
                                 gpu_failure *why) {
    system_state s = {0};
    gpu_status status = cumsum_library_load(D3D12_LIBRARY, NULL, 0, &s.library, why);
    if (status != GPU_OK)
        return status;
    cumsum_library_close(s.library);
    status = open_adapters(&s, why);
    cumsum_adapters_copy(&s.adapters, list, room, count);
    close_adapters(&s);
    return status;
}

/* Turns the debug layer on for all devices that the process makes from here on. Direct3D has the
 * function even if the layer is not installed; then it fails. */
static gpu_status enable_debug_layer(const system_state *s, gpu_failure *why) {
    void *debug = NULL;
    const HRESULT hr = s->get_debug(&iid_debug, &debug);
    if (hr < 0)
        return cumsum_gpu_refuse_result(
            why, GPU_UNAVAILABLE, hr,
            "Direct3D's debug layer is not installed (0x%08x); on Windows it is the optional "
            "feature Graphics Tools",
            (unsigned)hr);
    ID3D12Debug_EnableDebugLayer((ID3D12Debug *)debug);
    d3d12_release(debug);
    return GPU_OK;
}

/* A library that lacks one of these functions is not Direct3D 12, so it counts as unavailable. */
static gpu_status load_system(system_state *s, gpu_failure *why) {
    const library_function functions[] = {{"D3D12CreateDevice", &s->create_device},
                                          {"D3D12GetDebugInterface", &s->get_debug}};
    const gpu_status status = cumsum_library_load(D3D12_LIBRARY, functions, 2, &s->library, why);
    return status == GPU_OK ? open_adapters(s, why) : status;
}

/* Opens the adapter at feature level 11_0, the lowest of Direct3D 12, or as a device without
 * graphics. */
static gpu_status make_system_device(const system_state *s, const char *name,
                                     d3d12_session *session, gpu_failure *why) {
    const listed_adapter *chosen = NULL;
    const gpu_status status = cumsum_adapters_choose(&s->adapters, name, &chosen, why);
    if (status != GPU_OK)
        return status;
    IUnknown *adapter = chosen->object;
    HRESULT hr = s->create_device(adapter, D3D_FEATURE_LEVEL_11_0, &iid_device, &session->device);
    if (hr < 0)
        hr = s->create_device(adapter, LEVEL_CORE, &iid_device, &session->device);
    if (hr < 0)
        return cumsum_gpu_refuse_result(why, GPU_REJECTED, hr,
                                        "D3D12CreateDevice of '%s' returned 0x%08x",
                                        chosen->adapter.name, (unsigned)hr);
    session->adapter = chosen->adapter;
    session->max_buffer = chosen->max_buffer;
    return GPU_OK;
}

/* Also called for a session that was opened in part. */
static void close_system(d3d12_session *session) {
    system_state *s = session->platform;
    d3d12_release(session->device);
    close_adapters(s);
    cumsum_library_close(s->library);
    free(s);
    *session = (d3d12_session){0};
}

/* The adapters are the host's and can be released. Device and library stay. */
static void abandon_system(d3d12_session *session) {
    system_state *s = session->platform;
    close_adapters(s);
    free(s);
    *session = (d3d12_session){0};
}

static gpu_status open_system(const cumsum_d3d12_options *options, d3d12_session *session,
                              gpu_failure *why) {
    system_state *s = calloc(1, sizeof *s);
    *session = (d3d12_session){.platform = s};
    if (!s)
        return cumsum_gpu_refuse(why, GPU_OUT_OF_MEMORY, "no memory for a device");
    gpu_status status = load_system(s, why);
    if (status == GPU_OK && options->debug_layer)
        status = enable_debug_layer(s, why);
    if (status == GPU_OK)
        status = make_system_device(s, options->adapter, session, why);
    if (status != GPU_OK)
        close_system(session);
    return status;
}

extern const d3d12_platform CUMSUM_ABI(platform);
const d3d12_platform CUMSUM_ABI(platform) = {.api = API_NAME,
                                             .adapters = list_of_system,
                                             .open = open_system,
                                             .close = close_system,
                                             .abandon = abandon_system};
