# SPDX-License-Identifier: MIT
# The scans on a device, compared with the reference. The cases are the kernel checker's.
set(kernel_checker ${PROJECT_SOURCE_DIR}/tests/kernels)
file(GLOB case_groups CONFIGURE_DEPENDS ${kernel_checker}/groups_*.c)
add_library(
  gpu_cases STATIC
  ${kernel_checker}/caller_mode.c
  ${kernel_checker}/case_choices.c
  ${kernel_checker}/case_memory.c
  ${kernel_checker}/compare_case.c
  ${kernel_checker}/data_pattern.c
  ${kernel_checker}/describe_case.c
  ${case_groups}
  ${kernel_checker}/kernel_case.c
  ${kernel_checker}/pattern_float.c
  ${kernel_checker}/pattern_integer.c)
target_include_directories(gpu_cases PUBLIC ${kernel_checker})
find_package(Threads REQUIRED)
target_link_libraries(gpu_cases PUBLIC cumsum cumsum_flags test_common pthreadpool::pthreadpool
                                       Threads::Threads)

# Calls of Direct3D, in the calling convention of the device that the tests run on.
add_library(gpu_recorded_scan STATIC recorded_scan.c recorder_d3d12.c)
target_include_directories(gpu_recorded_scan PRIVATE ${PROJECT_SOURCE_DIR}/src/gpu/d3d12)
target_link_libraries(gpu_recorded_scan PUBLIC cumsum_gpu_internal cumsum_flags)
target_include_directories(gpu_recorded_scan SYSTEM PRIVATE ${DIRECTX_INCLUDE_DIR}
                                                            ${DIRECTX_INCLUDE_DIR}/wsl/stubs)
if(CUMSUM_WITH_CUDA)
  target_sources(gpu_recorded_scan PRIVATE recorder_cuda.c)
  target_include_directories(gpu_recorded_scan PRIVATE ${PROJECT_SOURCE_DIR}/src/gpu/cuda)
  target_compile_definitions(gpu_recorded_scan PRIVATE TEST_CUDA)
endif()
target_compile_definitions(
  gpu_recorded_scan PRIVATE CUMSUM_ABI_$<IF:$<TARGET_EXISTS:cumsum_gpu_vkd3d>,VKD3D,WSL>)

add_executable(check_scans check_scans.c scan_groups.c)
target_link_libraries(check_scans PRIVATE gpu_cases gpu_recorded_scan gpu_shader_file
                                          gpu_test_device m)

# cumsum_scan_test(NAME GROUP COUNT [OPTIONS...]): COUNT cases of a group, in both orders.
function(cumsum_scan_test name)
  cumsum_gpu_test(scan.${name} check_scans ${ARGN})
endfunction()
# cumsum_more_scan_test(NAME GROUP COUNT [OPTIONS...]): the same, for tools/test --all.
function(cumsum_more_scan_test name)
  cumsum_scan_test(${name} ${ARGN})
  set_tests_properties(gpu.scan.${name} PROPERTIES LABELS exhaustive)
endfunction()
# cumsum_scan_tests(NAME SAMPLE GROUP COUNT [OPTIONS...]): so does NAME.all, for tools/test --all. NAME
# tries SAMPLE cases, which the seed chooses (CUMSUM_TEST_SEED).
function(cumsum_scan_tests name sample group)
  cumsum_more_scan_test(${name}.all ${group} ${ARGN})
  list(REMOVE_AT ARGN 0)
  cumsum_scan_test(${name} ${group} ${sample} ${ARGN})
endfunction()
cumsum_scan_tests(layouts 100 layouts 1500)
cumsum_scan_tests(permutations 50 permutations 600)
cumsum_scan_tests(lines 120 lines 600)
# Lines of up to 65,535 elements: with 24 segments in a chunk, as lavapipe stops a thread that adds up
# more than 50 of subnormal numbers one by one (docs/shaders.md).
cumsum_scan_tests(lengths 100 lengths 400 --chunk 24576)
cumsum_scan_tests(alignments 100 alignments 400)
cumsum_scan_tests(numerics 100 numerics 800)
cumsum_scan_tests(exactness 40 exactness 300)
cumsum_scan_tests(in-place 50 in-place 400)
cumsum_scan_tests(access-patterns 20 access-patterns 150)
cumsum_more_scan_test(colliding colliding 100)
cumsum_scan_tests(tiles 20 tiles 200)
cumsum_more_scan_test(tiles.single tiles 150 --groups 256)
cumsum_more_scan_test(tiles.left tiles 100 --groups 256 --chunk 16)
cumsum_more_scan_test(tiles.looks tiles 60 --groups 256 --chunk 1024)
cumsum_scan_tests(levels 2 levels 8)
cumsum_more_scan_test(levels.left levels 8 --groups 256 --chunk 16)
cumsum_scan_tests(columns 4 columns 20)
cumsum_scan_tests(grids 1 grids 3)
cumsum_scan_tests(wide 15 wide 40)
cumsum_scan_test(wide.staged wide 20 --groups 1024)
cumsum_more_scan_test(chunks.wide wide 24 --chunk 16)
cumsum_scan_tests(chunks 30 layouts 300 --chunk 16)
cumsum_scan_tests(segments 8 segments 80 --groups 1024)
cumsum_more_scan_test(segments.chunks segments 80 --groups 1024 --chunk 2048)
cumsum_validated_test(scan.validated check_scans tiles 20)
cumsum_scan_tests(processor.layouts 80 layouts 400 --groups 0)
cumsum_more_scan_test(processor.lines lines 200 --groups 0)
cumsum_more_scan_test(processor.lengths lengths 100 --groups 0)
cumsum_more_scan_test(processor.numerics numerics 200 --groups 0)
cumsum_more_scan_test(processor.in-place in-place 200 --groups 0)
cumsum_scan_tests(processor.tiles 20 tiles 80 --groups 0)
cumsum_more_scan_test(processor.levels levels 3 --groups 0)
cumsum_more_scan_test(processor.wide wide 20 --groups 0)
cumsum_scan_tests(pieces 40 layouts 400 --max-buffer 1)
cumsum_more_scan_test(pieces.tiles tiles 10 --max-buffer 1)
cumsum_more_scan_test(pieces.segments segments 10 --groups 1024 --max-buffer 40000)
cumsum_more_scan_test(pieces.levels levels 2 --max-buffer 1000000)

# Each kernel of each element type has dispatches; and one without any is found.
cumsum_scan_test(kernels planned 35 --groups 64 --kernels gpu)
cumsum_scan_test(kernels.processor planned 35 --groups 0 --kernels processor)
cumsum_scan_test(kernels.missing wide 20 --groups 64 --kernels gpu)
set_tests_properties(gpu.scan.kernels.missing
                     PROPERTIES PASS_REGULAR_EXPRESSION "FAIL  blocked_single of INT64: no dispatch")

# As on a device that flushes subnormals.
cumsum_scan_tests(flushing 60 numerics 800 --shaders flushing)
cumsum_more_scan_test(flushing.wide wide 200 --shaders flushing)
cumsum_more_scan_test(flushing.tiles tiles 150 --groups 256 --shaders flushing)

# The same scans in a command list of the caller's; and the check must find an input that is bound
# beside its place.
cumsum_scan_tests(record.layouts 6 layouts 60 --record 0)
cumsum_scan_tests(record.in-place 6 in-place 25 --record 0)
cumsum_more_scan_test(record.wide wide 8 --record 0)
cumsum_more_scan_test(record.tiles tiles 8 --record 0)
cumsum_more_scan_test(record.segments segments 3 --groups 1024 --record 0)
cumsum_more_scan_test(record.levels levels 1 --record 0)
cumsum_more_scan_test(record.colliding colliding 10 --record 0)
cumsum_validated_test(scan.record.validated check_scans tiles 3 --record 0)
set_tests_properties(gpu.scan.record.validated PROPERTIES LABELS exhaustive)
cumsum_more_scan_test(record.shifted layouts 20 --record 16)

# The check must find a planted defect.
cumsum_scan_test(broken layouts 200 --broken network)

# Shaders and bytecode are those of the list, and have the properties that the bits depend on.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_Interpreter_FOUND)
  add_test(NAME gpu.bytecode COMMAND Python3::Interpreter -B ${CMAKE_CURRENT_SOURCE_DIR}/check_bytecode.py
                                     ${PROJECT_SOURCE_DIR})
endif()

# binary16 arithmetic: one number in 4096, or in 512. All numbers, and larger tensors, are checked by hand.
foreach(program check_halves check_large)
  add_executable(${program} ${program}.c)
  target_include_directories(${program} PRIVATE ${PROJECT_SOURCE_DIR}/src/gpu/scan)
  target_link_libraries(${program} PRIVATE gpu_test_device)
endforeach()
foreach(what sums stores)
  cumsum_gpu_test(halves.${what} check_halves ${what} 4096)
  cumsum_gpu_test(halves.${what}.more check_halves ${what} 512)
  set_tests_properties(gpu.halves.${what}.more PROPERTIES LABELS exhaustive)
endforeach()
# Interleaved lines of more than 2^20 elements.
cumsum_gpu_test(scan.large.columns check_large FLOAT16 blocked columns 33 1100001 1)
# A single pass that leaves all tiles but the first, and counts them; and other kernels.
cumsum_gpu_test(scan.left.all check_large FLOAT32 blocked rows 1 70000 256 2 16)
cumsum_gpu_test(scan.left.none check_large FLOAT32 sequential rows 1 70000 256 1 16384)
set_tests_properties(gpu.scan.left.all PROPERTIES PASS_REGULAR_EXPRESSION "68 tiles left.* agree")
set_tests_properties(gpu.scan.left.none PROPERTIES PASS_REGULAR_EXPRESSION ", 0 tiles left.* agree")

# The variants of bench: each has the bits of the default, in all numerics and both directions, in
# lines of a tile and less, where subnormal numbers are flushed, and where tiles are left; and the
# rows of cumsum_bench.
if(TARGET gpu_variant_kernels AND TARGET standin_cuda)
  file(STRINGS ${PROJECT_SOURCE_DIR}/bench/variants.txt variants REGEX "^[a-z]")
  list(TRANSFORM variants REPLACE " .*" "")
  list(REMOVE_DUPLICATES variants)
  target_sources(check_scans PRIVATE ${PROJECT_SOURCE_DIR}/bench/variants.c)
  target_include_directories(check_scans PRIVATE ${PROJECT_SOURCE_DIR}/bench)
  add_dependencies(check_scans gpu_variant_kernels)
  target_compile_definitions(check_scans PRIVATE TEST_VARIANTS="${PROJECT_BINARY_DIR}/bench/variants")
  foreach(variant ${variants})
    cumsum_cuda_scans(variant.${variant} tiles 6 --groups 256 --variant ${variant})
    cumsum_cuda_scans(variant.${variant}.lengths lengths 12 --groups 256 --variant ${variant})
    cumsum_cuda_scans(variant.${variant}.subnormals subnormals 24 --groups 256 --variant ${variant})
    cumsum_cuda_scans(variant.${variant}.left tiles 4 --groups 256 --chunk 1023 --variant ${variant})
  endforeach()
  foreach(variant halves pairs together together4) # all roundings of stores
    cumsum_cuda_scans(variant.${variant}.numerics numerics 60 --groups 256 --variant ${variant})
  endforeach()
  foreach(variant ticket together lookback) # lines of several groups of tiles
    cumsum_cuda_scans(variant.${variant}.levels levels 4 --groups 256 --chunk 1023 --variant ${variant})
  endforeach()
  cumsum_cuda_test(variants bash ${CMAKE_CURRENT_SOURCE_DIR}/check_variants.sh ${CUMSUM_BENCH_PROGRAM}
                   ${PROJECT_BINARY_DIR}/bench/variants)
endif()
