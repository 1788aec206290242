# SPDX-License-Identifier: MIT
# Conversions, the reference, plans.
cumsum_unit_test(test_half test_half.c real_arithmetic.c scan_case.c)

# Each store has its own test, because all floats take long and tests can run in parallel.
add_executable(test_half_all_floats test_half_all_floats.c hardware_half.c)
target_link_libraries(test_half_all_floats PRIVATE cumsum cumsum_flags)
cumsum_only_for_all(test_half_all_floats)
foreach(conversion nearest-even toward-zero ieee widen)
  add_test(NAME unit.test_half_all_floats.${conversion} COMMAND test_half_all_floats ${conversion})
  set_tests_properties(unit.test_half_all_floats.${conversion} PROPERTIES SKIP_RETURN_CODE 77
                                                                           LABELS exhaustive COST 15)
endforeach()

cumsum_unit_test(test_reference_examples test_reference_examples.c scan_case.c)
cumsum_unit_test(test_reference_orders test_reference_orders.c real_arithmetic.c scan_case.c)
target_link_libraries(test_reference_orders PRIVATE textbook_scans)
cumsum_unit_test(test_reference_lines test_reference_lines.c scan_case.c)
cumsum_unit_test(test_reference_exact test_reference_exact.c scan_case.c)
target_link_libraries(test_reference_exact PRIVATE PkgConfig::MPFR)
cumsum_unit_test(test_float64 test_float64.c scan_case.c)

find_package(Threads REQUIRED)
cumsum_unit_test(test_layouts test_layouts.c scan_case.c)
cumsum_unit_test(test_large_strides test_large_strides.c scan_case.c)
cumsum_unit_test(test_properties test_properties.c scan_case.c)
cumsum_unit_test(test_plan test_plan.c scan_case.c)
cumsum_unit_test(test_carry test_carry.c)
cumsum_unit_test(test_binding test_binding.c scan_case.c)
cumsum_unit_test(test_fp_environment test_fp_environment.c scan_case.c)
foreach(own test_cpuid test_int128)
  cumsum_unit_test(${own} ${own}.c)
  target_include_directories(${own} PRIVATE ${PROJECT_SOURCE_DIR}/src/cpu
                                            ${PROJECT_SOURCE_DIR}/src/tensor)
endforeach()
cumsum_unit_test(test_threads test_threads.c scan_case.c)
target_link_libraries(test_threads PRIVATE pthreadpool::pthreadpool Threads::Threads)

# Instrumented code needs more stack. So do kernels that are compiled quickly: their functions are
# not inlined.
if(NOT WIN32
   AND NOT CUMSUM_SANITIZE
   AND NOT CUMSUM_COVERAGE
   AND NOT CUMSUM_SMALL_KERNELS)
  cumsum_unit_test(test_stack test_stack.c scan_case.c)
  target_link_libraries(test_stack PRIVATE Threads::Threads)
  if(CUMSUM_SMALL_PORTABLE_KERNELS)
    target_compile_definitions(test_stack PRIVATE SKIPS_PORTABLE_KERNELS)
  endif()
endif()

# The library's objects, but with a plan.c whose malloc fails.
add_executable(
  test_out_of_memory
  test_out_of_memory.c ${PROJECT_SOURCE_DIR}/src/cpu/plan.c $<TARGET_OBJECTS:cumsum_tensor>
  $<FILTER:$<TARGET_OBJECTS:cumsum_cpu>,EXCLUDE,/plan\\.c>)
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/cpu/plan.c
                            PROPERTIES COMPILE_DEFINITIONS malloc=failing_malloc)
target_include_directories(
  test_out_of_memory PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src/cpu
                             ${PROJECT_SOURCE_DIR}/src/tensor)
target_link_libraries(test_out_of_memory PRIVATE cumsum_flags pthreadpool::pthreadpool
                                                 PkgConfig::CMOCKA m)
add_test(NAME unit.test_out_of_memory COMMAND test_out_of_memory)

# A plan's scratch memory. The test sees the library's internal functions.
add_executable(test_scratch test_scratch.c scan_case.c $<TARGET_OBJECTS:cumsum_tensor>
                            $<TARGET_OBJECTS:cumsum_cpu>)
target_include_directories(test_scratch PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src/cpu
                                                ${PROJECT_SOURCE_DIR}/src/tensor)
target_link_libraries(test_scratch PRIVATE cumsum_flags test_common pthreadpool::pthreadpool
                                           PkgConfig::CMOCKA m)
add_test(NAME unit.test_scratch COMMAND test_scratch)

# Sources of the library with a simulated clock (--wrap), and its substitute for pthreadpool.
add_executable(test_serial_pool test_serial_pool.c
                                ${PROJECT_SOURCE_DIR}/src/serial_pool/serial_pool.c)
target_include_directories(test_serial_pool BEFORE PRIVATE ${PROJECT_SOURCE_DIR}/src/serial_pool)
target_link_libraries(test_serial_pool PRIVATE cumsum_flags PkgConfig::CMOCKA)
add_test(NAME unit.test_serial_pool COMMAND test_serial_pool)
add_executable(test_wait test_wait.c ${PROJECT_SOURCE_DIR}/src/cpu/wait.c)
target_include_directories(test_wait PRIVATE ${PROJECT_SOURCE_DIR}/src/cpu)
if(NOT WIN32)
  target_link_options(test_wait PRIVATE LINKER:--wrap=timespec_get,--wrap=pthread_cond_timedwait)
endif()
target_link_libraries(test_wait PRIVATE cumsum_flags Threads::Threads PkgConfig::CMOCKA)
add_test(NAME unit.test_wait COMMAND test_wait)

# The header that converts DirectML's structures is compiled as C, as C++, and, if it is installed,
# with Microsoft's DirectML.h (C++ only).
enable_language(CXX)
find_path(DIRECTML_INCLUDE_DIR NAMES directx/DirectML.h)
mark_as_advanced(DIRECTML_INCLUDE_DIR)
add_executable(test_directml_c test_directml.c)
target_link_libraries(test_directml_c PRIVATE cumsum cumsum_flags)
add_test(NAME unit.test_directml.c11 COMMAND test_directml_c)
set(directml_cxx test_directml_cxx)
if(DIRECTML_INCLUDE_DIR)
  list(APPEND directml_cxx test_directml_microsoft)
endif()
foreach(target ${directml_cxx})
  configure_file(test_directml.c ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp COPYONLY)
  add_executable(${target} ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp)
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(${target} PRIVATE cumsum)
  target_compile_features(${target} PRIVATE cxx_std_17)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow)
  add_test(NAME unit.${target} COMMAND ${target})
endforeach()
if(DIRECTML_INCLUDE_DIR)
  target_compile_definitions(test_directml_microsoft PRIVATE CUMSUM_REAL_DIRECTML)
  target_include_directories(test_directml_microsoft SYSTEM
                             PRIVATE ${DIRECTML_INCLUDE_DIR} ${DIRECTML_INCLUDE_DIR}/directx
                                     ${DIRECTML_INCLUDE_DIR}/wsl/stubs)
endif()
cumsum_guards(cpu)
