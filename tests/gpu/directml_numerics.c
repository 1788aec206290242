/* SPDX-License-Identifier: MIT */
/* The numerics that the DirectML backend accepts on a device, and those that it rejects. */
#include "directml_fixture.h"

/* Only DirectML's own numerics, which depend on the device, are accepted. */
static void test_numerics(void) {
    open_standin();
    const bool native = cumsum_d3d12_info(device)->native_16bit_shader_ops;
    const uint32_t narrow = CUMSUM_EXECUTION_FLAG_ALLOW_HALF_PRECISION_COMPUTATION;
    const cumsum_numerics plain = cumsum_directml_numerics(directml, 0);
    const cumsum_numerics allowed = cumsum_directml_numerics(directml, narrow);
    assert_int_equal(plain.half_accumulator, CUMSUM_HALF_ACCUMULATOR_FLOAT32);
    assert_int_equal(plain.half_store,
                     native ? CUMSUM_HALF_STORE_NEAREST_EVEN : CUMSUM_HALF_STORE_TOWARD_ZERO);
    assert_int_equal(allowed.half_accumulator,
                     native ? CUMSUM_HALF_ACCUMULATOR_FLOAT16 : CUMSUM_HALF_ACCUMULATOR_FLOAT32);
    assert_int_equal(execute_with(&plain, 0, NULL), CUMSUM_OK);
    assert_int_equal(execute_with(&allowed, narrow, NULL), CUMSUM_OK);
    assert_int_equal(standin->executed, 2);
    cumsum_numerics other = plain;
    other.half_accumulator = CUMSUM_HALF_ACCUMULATOR_FLOAT16;
    assert_int_equal(execute_with(&other, 0, NULL), CUMSUM_UNSUPPORTED);
    assert_non_null(strstr(why.message, "half_accumulator is FLOAT16"));
    assert_int_equal(execute_with(&plain, narrow, NULL), native ? CUMSUM_UNSUPPORTED : CUMSUM_OK);
    static const char *const stores[] = {"NEAREST_EVEN", "TOWARD_ZERO", "IEEE"};
    for (int i = 0; i < 3; i++) {
        other = plain;
        other.half_store = (cumsum_half_store)i;
        const bool does = other.half_store == plain.half_store;
        assert_int_equal(execute_with(&other, 0, NULL), does ? CUMSUM_OK : CUMSUM_UNSUPPORTED);
        assert_true(does || strstr(why.message, stores[i]));
    }
    other = plain;
    other.order = CUMSUM_ORDER_BLOCKED;
    assert_int_equal(execute_with(&other, 0, NULL), CUMSUM_UNSUPPORTED);
    assert_non_null(strstr(why.message, "order"));
}

/* For FLOAT32 only the order and subnormals matter, for integers nothing does. */
static void test_numerics_of_other_types(void) {
    static const uint32_t four[] = {1, 4};
    cumsum_numerics wanted = {.half_store = CUMSUM_HALF_STORE_IEEE};
    open_standin();
    buffers[0].sizes = buffers[1].sizes = four;
    buffers[0].data_type = buffers[1].data_type = CUMSUM_DATA_TYPE_FLOAT32;
    assert_int_equal(execute_with(&wanted, 0, NULL), CUMSUM_OK);
    wanted.denormals = CUMSUM_DENORMALS_FLUSH;
    assert_int_equal(execute_with(&wanted, 0, NULL), CUMSUM_UNSUPPORTED);
    assert_non_null(strstr(why.message, "denormals is FLUSH"));
    buffers[0].data_type = buffers[1].data_type = CUMSUM_DATA_TYPE_INT32;
    assert_int_equal(execute_with(&wanted, 0, NULL), CUMSUM_OK);
}

DIRECTML_GROUP(directml_numerics, T(test_numerics), T(test_numerics_of_other_types));
