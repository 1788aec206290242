# SPDX-License-Identifier: MIT
# The library without the oracle: conversion, validation, the reference, plans.
cumsum_unit_test(test_half test_half.c rounding_model.c scan_case.c)

# All floats take a while each, so each store is an entry of its own that can run beside the others.
add_executable(test_half_all_floats test_half_all_floats.c hardware_half.c)
target_link_libraries(test_half_all_floats PRIVATE cumsum cumsum_flags)
foreach(conversion nearest-even toward-zero ieee widen)
  add_test(NAME unit.test_half_all_floats.${conversion} COMMAND test_half_all_floats ${conversion})
  set_tests_properties(unit.test_half_all_floats.${conversion} PROPERTIES SKIP_RETURN_CODE 77
                                                                           LABELS exhaustive)
endforeach()

cumsum_unit_test(test_names test_names.c)
cumsum_unit_test(test_tensor_size test_tensor_size.c)
cumsum_unit_test(test_overlap test_overlap.c scan_case.c)
cumsum_unit_test(test_validation test_validation.c scan_case.c)

pkg_check_modules(MPFR REQUIRED IMPORTED_TARGET mpfr)
cumsum_unit_test(test_reference_examples test_reference_examples.c scan_case.c)
cumsum_unit_test(test_reference_orders test_reference_orders.c order_model.c rounding_model.c
                 scan_case.c)
cumsum_unit_test(test_reference_exact test_reference_exact.c scan_case.c)
target_link_libraries(test_reference_exact PRIVATE PkgConfig::MPFR)

find_package(Threads REQUIRED)
cumsum_unit_test(test_layouts test_layouts.c scan_case.c)
cumsum_unit_test(test_properties test_properties.c scan_case.c)
cumsum_unit_test(test_plan test_plan.c scan_case.c)
cumsum_unit_test(test_binding test_binding.c scan_case.c)
cumsum_unit_test(test_fp_environment test_fp_environment.c scan_case.c)
cumsum_unit_test(test_threads test_threads.c scan_case.c)
target_link_libraries(test_threads PRIVATE pthreadpool::pthreadpool Threads::Threads)
