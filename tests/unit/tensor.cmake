# SPDX-License-Identifier: MIT
# Descriptors: their names, sizes, overlaps and validation.
cumsum_unit_test(test_names test_names.c)
cumsum_unit_test(test_tensor_size test_tensor_size.c)
cumsum_unit_test(test_overlap test_overlap.c scan_case.c)
cumsum_unit_test(test_validation test_validation.c scan_case.c)
cumsum_guards(tensor)
