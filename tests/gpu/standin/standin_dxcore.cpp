// SPDX-License-Identifier: MIT
// libdxcore.so of WSL, made from Microsoft's declarations of its interfaces. If the driver calls a
// method by a wrong place in the table, another method runs here, and a test fails.
#include <unknwn.h>

#include <cstring>
#include <directx/dxcore.h>

extern "C" {
#include "standin_control.h"
}

namespace {

struct AdapterFacts {
    const char *name;
    bool hardware;
    uint64_t version;
    uint32_t vendor;
    uint64_t memory;
};

// The software adapter is listed first, and the driver must put it last.
const AdapterFacts facts[] = {
    {"Stand-in Software", false, 0x0001000200030004, 0x1414, 0},
    {"Stand-in Hardware", true, 0x001F000F0015A2B3, 0x10DE, uint64_t(8) << 30}};

template <class Interface> class Object : public Interface {
  public:
    virtual ~Object() {
        standin_get_control()->live_objects--;
    }
    Object() {
        standin_get_control()->live_objects++;
    }
    HRESULT STDMETHODCALLTYPE QueryInterface(REFIID, void **object) override {
        *object = nullptr;
        return E_NOINTERFACE;
    }
    ULONG STDMETHODCALLTYPE AddRef() override {
        return ++references;
    }
    ULONG STDMETHODCALLTYPE Release() override {
        ULONG left = --references;
        if (!left)
            delete this;
        return left;
    }

  private:
    ULONG references = 1;
};

void complain(const char *text) {
    if (!standin_get_control()->complaint)
        standin_get_control()->complaint = text;
}

// A method that the driver has no use for: its place in the table is another's.
#define NOT_CALLED(type, name, parameters)                                                         \
    type STDMETHODCALLTYPE name parameters override {                                              \
        complain("the method " #name);                                                             \
        return {};                                                                                 \
    }

class Adapter final : public Object<IDXCoreAdapter> {
  public:
    explicit Adapter(uint32_t index) : fact(facts[index % 2]) {
    }
    NOT_CALLED(bool, IsValid, ())
    NOT_CALLED(bool, IsAttributeSupported, (REFGUID))
    NOT_CALLED(bool, IsPropertySupported, (DXCoreAdapterProperty))
    HRESULT STDMETHODCALLTYPE GetProperty(DXCoreAdapterProperty property, size_t size,
                                          void *data) override {
        const DXCoreHardwareID id = {fact.vendor, 0x2204, 0, 0};
        switch (property) {
        case DXCoreAdapterProperty::DriverDescription:
            return give(size, data, fact.name, std::strlen(fact.name) + 1);
        case DXCoreAdapterProperty::DriverVersion:
            return give(size, data, &fact.version, sizeof fact.version);
        case DXCoreAdapterProperty::HardwareID:
            return give(size, data, &id, sizeof id);
        case DXCoreAdapterProperty::DedicatedAdapterMemory:
            return give(size, data, &fact.memory, sizeof fact.memory);
        case DXCoreAdapterProperty::IsHardware:
            return give(size, data, &fact.hardware, sizeof fact.hardware);
        default:
            complain("a property that is not used");
            return E_INVALIDARG;
        }
    }
    NOT_CALLED(HRESULT, GetPropertySize, (DXCoreAdapterProperty, size_t *))
    NOT_CALLED(bool, IsQueryStateSupported, (DXCoreAdapterState))
    NOT_CALLED(HRESULT, QueryState, (DXCoreAdapterState, size_t, const void *, size_t, void *))
    NOT_CALLED(bool, IsSetStateSupported, (DXCoreAdapterState))
    NOT_CALLED(HRESULT, SetState, (DXCoreAdapterState, size_t, const void *, size_t, const void *))
    NOT_CALLED(HRESULT, GetFactory, (REFIID, void **))

  private:
    static HRESULT give(size_t size, void *data, const void *from, size_t bytes) {
        if (size < bytes)
            return E_INVALIDARG;
        std::memcpy(data, from, bytes);
        return S_OK;
    }
    const AdapterFacts &fact;
};

class List final : public Object<IDXCoreAdapterList> {
  public:
    HRESULT STDMETHODCALLTYPE GetAdapter(uint32_t index, REFIID iid, void **adapter) override {
        if (iid != IID_IDXCoreAdapter)
            complain("the IID of an adapter");
        *adapter = new Adapter(index);
        return S_OK;
    }
    uint32_t STDMETHODCALLTYPE GetAdapterCount() override {
        return standin_get_control()->adapters;
    }
    NOT_CALLED(bool, IsStale, ())
    NOT_CALLED(HRESULT, GetFactory, (REFIID, void **))
    NOT_CALLED(HRESULT, Sort, (uint32_t, const DXCoreAdapterPreference *))
    NOT_CALLED(bool, IsAdapterPreferenceSupported, (DXCoreAdapterPreference))
};

class Factory final : public Object<IDXCoreAdapterFactory> {
  public:
    HRESULT STDMETHODCALLTYPE CreateAdapterList(uint32_t count, const GUID *attributes, REFIID iid,
                                                void **list) override {
        if (count != 1 || *attributes != DXCORE_ADAPTER_ATTRIBUTE_D3D12_CORE_COMPUTE ||
            iid != IID_IDXCoreAdapterList)
            complain("arguments of CreateAdapterList");
        *list = new List;
        return S_OK;
    }
    NOT_CALLED(HRESULT, GetAdapterByLuid, (const LUID &, REFIID, void **))
    NOT_CALLED(bool, IsNotificationTypeSupported, (DXCoreNotificationType))
    NOT_CALLED(HRESULT, RegisterEventNotification,
               (IUnknown *, DXCoreNotificationType, PFN_DXCORE_NOTIFICATION_CALLBACK, void *,
                uint32_t *))
    NOT_CALLED(HRESULT, UnregisterEventNotification, (uint32_t))
};

} // namespace

extern "C" __attribute__((visibility("default"))) HRESULT
DXCoreCreateAdapterFactory(REFIID iid, void **factory) {
    if (iid != IID_IDXCoreAdapterFactory)
        complain("the IID of the factory");
    const standin_control *control = standin_get_control();
    *factory = nullptr;
    if (control->failing_call && !std::strcmp(control->failing_call, "CreateAdapterFactory"))
        return control->failing_result;
    *factory = new Factory;
    return S_OK;
}
