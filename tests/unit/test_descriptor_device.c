/* SPDX-License-Identifier: MIT */
/* What cumsum descriptors says where DirectML agrees, and where it does not. */
#include <stdint.h>

#include "check.h"
#include "descriptors.h"

#define REJECTED ((int32_t)0x80070057)
#define FAILED   ((int32_t)0x80004005)

typedef struct fake_device {
    backend_device base;
    cumsum_status status;
    int32_t hresults[2];
    uint32_t flags_seen;
} fake_device;

static cumsum_status ask(backend_device *base, const cumsum_operator_desc *desc,
                         uint32_t execution_flags, int32_t hresults[2],
                         cumsum_diagnostic *diagnostic) {
    fake_device *fake = (fake_device *)base;
    (void)desc;
    (void)diagnostic;
    hresults[0] = fake->hresults[0];
    hresults[1] = fake->hresults[1];
    fake->flags_seen = execution_flags;
    return fake->status;
}

static const backend_methods methods = {.ask = ask};

static device_verdict verdict_of(int32_t create, int32_t compile) {
    fake_device fake = {.base.methods = &methods, .hresults = {create, compile}};
    const executor e = {.backend = BACKEND_DIRECTML, .device = &fake.base};
    const descriptor_line c = {.execution_flags = 5};
    device_verdict verdict;
    tool_error error;
    assert_int_equal(device_verdict_ask(&e, &c, &verdict, &error), TOOL_OK);
    assert_true(verdict.asked);
    assert_int_equal(fake.flags_seen, 5);
    return verdict;
}

static void expect(int32_t create, int32_t compile, bool valid, const char *expected) {
    const device_verdict verdict = verdict_of(create, compile);
    char words[DEVICE_WORDS];
    device_verdict_words(&verdict, valid, words);
    assert_string_equal(words, expected);
}

static void test_words(void) {
    expect(0, 0, true, ", as DirectML says");
    expect(REJECTED, 0, false, ", as DirectML says");
    expect(0, REJECTED, false, ", as DirectML says");
    expect(0, FAILED, true,
           ", as DirectML says, which cannot compile it for this device (0x80004005)");
    expect(REJECTED, 0, true, ", but DirectML answers 0x80070057 to CreateOperator");
    expect(0, REJECTED, true, ", but DirectML answers 0x80070057 to CompileOperator");
    expect(0, 0, false, ", but DirectML accepts it");
    expect(0, FAILED, false, ", but DirectML accepts it");
}

static void test_not_asked(void) {
    const executor cpu = {0};
    const descriptor_line c = {0};
    device_verdict verdict;
    char words[DEVICE_WORDS] = "?";
    tool_error error;
    assert_int_equal(device_verdict_ask(&cpu, &c, &verdict, &error), TOOL_OK);
    device_verdict_words(&verdict, true, words);
    assert_string_equal(words, "");
}

static void test_failure(void) {
    fake_device fake = {.base.methods = &methods, .status = CUMSUM_DEVICE_REMOVED};
    const executor e = {.backend = BACKEND_DIRECTML, .device = &fake.base};
    const descriptor_line c = {0};
    device_verdict verdict;
    tool_error error;
    assert_int_equal(device_verdict_ask(&e, &c, &verdict, &error), TOOL_ENVIRONMENT);
    assert_false(verdict.asked);
}

CHECK_GROUP(test_descriptor_device, T(test_words), T(test_not_asked), T(test_failure));
