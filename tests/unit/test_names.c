/* SPDX-License-Identifier: MIT */
/* The names of enum values, and of numbers that are none. */
#include "check.h"

#include <cumsum/cumsum.h>

#include <stddef.h>
#include <string.h>

static void test_statuses(void) {
    assert_string_equal(cumsum_status_string(CUMSUM_OK), "ok");
    assert_string_equal(cumsum_status_string(CUMSUM_INVALID_DESCRIPTOR), "invalid descriptor");
    assert_string_equal(cumsum_status_string((cumsum_status)77), "unknown status");
    for (int a = CUMSUM_OK; a <= CUMSUM_GUARD_BROKEN; a++)
        for (int b = CUMSUM_OK; b < a; b++)
            assert_string_not_equal(cumsum_status_string((cumsum_status)a),
                                    cumsum_status_string((cumsum_status)b));
}

/* Numbers that are none. */
static void test_data_types(void) {
    static const int none[] = {-1, 14, 255, 257};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        assert_string_equal(cumsum_data_type_name((cumsum_data_type)none[i]), "UNKNOWN");
        assert_int_equal(cumsum_data_type_size((cumsum_data_type)none[i]), 0);
    }
    assert_int_equal(cumsum_data_type_size(CUMSUM_DATA_TYPE_INT4), 0);
    assert_string_equal(cumsum_kernel_name((cumsum_kernel)6), "unknown");
}

/* A kernel is available, or there is a reason. The reference and AUTO are always available. */
static void test_kernel_availability(void) {
    for (int k = CUMSUM_KERNEL_AUTO; k <= CUMSUM_KERNEL_NEON + 1; k++) {
        const char *reason = NULL;
        const bool available = cumsum_kernel_available((cumsum_kernel)k, &reason);
        assert_int_equal(available, reason == NULL);
        assert_int_equal(available, cumsum_kernel_available((cumsum_kernel)k, NULL));
    }
    assert_true(cumsum_kernel_available(CUMSUM_KERNEL_AUTO, NULL));
    assert_true(cumsum_kernel_available(CUMSUM_KERNEL_REFERENCE, NULL));
    assert_false(cumsum_kernel_available((cumsum_kernel)(CUMSUM_KERNEL_NEON + 1), NULL));
}

CHECK_GROUP(test_names, T(test_statuses), T(test_data_types), T(test_kernel_availability));
