# SPDX-License-Identifier: MIT
# The scans: on a device against the reference, and their planning on a driver made for tests.
# Cases are those of the kernel checker.
set(kernel_checker ${PROJECT_SOURCE_DIR}/tests/kernels)
add_library(
  gpu_cases STATIC
  ${kernel_checker}/caller_mode.c
  ${kernel_checker}/case_choices.c
  ${kernel_checker}/case_memory.c
  ${kernel_checker}/data_pattern.c
  ${kernel_checker}/describe_case.c
  ${kernel_checker}/difference.c
  ${kernel_checker}/expected_output.c
  ${kernel_checker}/groups_large.c
  ${kernel_checker}/groups_layouts.c
  ${kernel_checker}/groups_lines.c
  ${kernel_checker}/groups_numerics.c
  ${kernel_checker}/guarded_memory.c
  ${kernel_checker}/kernel_case.c
  ${kernel_checker}/pattern_float16.c
  ${kernel_checker}/pattern_float32.c
  ${kernel_checker}/pattern_integer.c)
target_include_directories(gpu_cases PUBLIC ${kernel_checker})
find_package(Threads REQUIRED)
target_link_libraries(gpu_cases PUBLIC cumsum cumsum_flags pthreadpool::pthreadpool Threads::Threads)

add_executable(check_scans check_scans.c)
target_include_directories(check_scans PRIVATE ${PROJECT_SOURCE_DIR}/src/gpu/scan)
target_link_libraries(check_scans PRIVATE gpu_cases gpu_test_device)

# cumsum_scan_test(GROUP COUNT [OPTIONS...]): so many cases of a group, in both orders.
function(cumsum_scan_test name)
  cumsum_gpu_test(scan.${name} check_scans ${ARGN})
endfunction()
cumsum_scan_test(layouts layouts 1500)
cumsum_scan_test(permutations permutations 600)
cumsum_scan_test(lines lines 600)
cumsum_scan_test(lengths lengths 400)
cumsum_scan_test(alignments alignments 400)
cumsum_scan_test(numerics numerics 800)
cumsum_scan_test(exactness exactness 300)
cumsum_scan_test(in-place in-place 400)
cumsum_scan_test(colliding colliding 100)
cumsum_scan_test(chunks layouts 300 --chunk 16)
cumsum_scan_test(pieces layouts 400 --max-buffer 1)

# Source and bytecode agree; and the check finds a source that has changed.
add_test(NAME gpu.bytecode COMMAND ${CMAKE_COMMAND} -D FOLDER=${PROJECT_SOURCE_DIR}/src/gpu/shaders
                                   -P ${CMAKE_CURRENT_SOURCE_DIR}/check_bytecode.cmake)
add_test(NAME gpu.bytecode.stale
         COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/stale_bytecode.sh ${CMAKE_COMMAND}
                 ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src/gpu/shaders)
