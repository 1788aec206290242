# SPDX-License-Identifier: MIT
# Descriptors: their names, sizes, overlaps and validation.
cumsum_check(check unit test_names test_tensor_size test_overlap test_validation)
cumsum_guards(tensor NEEDS check)
