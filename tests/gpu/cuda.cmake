# SPDX-License-Identifier: MIT
# CUDA, over a stand-in for libcuda.so.1 that runs the kernels on the host. The shaders of
# broken_shaders/ are compiled like the library's.
if(NOT CUMSUM_WITH_CUDA OR CMAKE_CROSSCOMPILING)
  return()
endif()
file(GLOB broken CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/broken_shaders/*.hlsl)
file(GLOB shaders CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/gpu/shaders/*.hlsl)
set(ptx_folder ${CMAKE_CURRENT_BINARY_DIR}/broken_shaders)
cumsum_shaders_as_ptx(${ptx_folder} broken_ptx ${broken})
add_custom_target(broken_ptx DEPENDS ${broken_ptx})
target_compile_definitions(gpu_shader_file PRIVATE TEST_PTX="${CMAKE_CURRENT_BINARY_DIR}")
add_dependencies(gpu_shader_file broken_ptx)
target_compile_definitions(gpu_test_device PRIVATE TEST_CUDA)
find_package(Threads REQUIRED)

# Each kernel, also of the variants, as an object for the host.
set(folder ${CMAKE_CURRENT_BINARY_DIR}/standin-cuda)
file(MAKE_DIRECTORY ${folder} ${ptx_folder})
set(objects)
function(cumsum_kernel_for_host source name)
  add_custom_command(
    OUTPUT ${folder}/${name}.o
    COMMAND ${CUMSUM_PTX_PYTHON} -B ${PROJECT_SOURCE_DIR}/src/gpu/cuda/convert.py ${source} ${name}
            ${ARGN} > ${folder}/${name}.cpp
    COMMAND
      ${CUMSUM_PTX_CLANG} -std=c++17 -O1 -fPIC -ffp-contract=off
      $<$<STREQUAL:${CMAKE_SYSTEM_PROCESSOR},x86_64>:-mf16c> -Wno-ignored-attributes
      -Wno-unknown-attributes -include ${CMAKE_CURRENT_SOURCE_DIR}/standin/standin_gpu.h
      -I${PROJECT_SOURCE_DIR}/src/gpu/cuda -c -o ${folder}/${name}.o ${folder}/${name}.cpp
    DEPENDS ${source} ${CUMSUM_SHADER_PARTS} standin/standin_gpu.h
    COMMENT "${name} for the host"
    COMMAND_EXPAND_LISTS VERBATIM)
  set(objects ${objects} ${folder}/${name}.o PARENT_SCOPE)
endfunction()
foreach(source ${shaders} ${broken})
  cumsum_shader_kernels(${source} kernels)
  foreach(kernel ${kernels})
    string(REPLACE ":" ";" arguments ${kernel})
    cumsum_kernel_for_host(${source} ${arguments})
  endforeach()
endforeach()
get_property(variant_kernels GLOBAL PROPERTY CUMSUM_VARIANT_KERNELS)
foreach(kernel ${variant_kernels})
  string(REPLACE ":" ";" arguments ${kernel})
  cumsum_kernel_for_host(${PROJECT_SOURCE_DIR}/src/gpu/shaders/${arguments})
endforeach()
add_library(standin_cuda SHARED standin/standin_cuda.c ${objects})
target_link_libraries(standin_cuda PRIVATE cumsum_flags Threads::Threads ${CMAKE_DL_LIBS})
target_compile_definitions(standin_cuda PRIVATE _GNU_SOURCE) # dladdr, MAP_ANONYMOUS
if(CUMSUM_SANITIZE)
  target_compile_options(standin_cuda PRIVATE -fno-sanitize=all) # threads change their stacks
endif()
set_target_properties(standin_cuda PROPERTIES PREFIX "" SUFFIX "" OUTPUT_NAME libcuda.so.1
                                              LIBRARY_OUTPUT_DIRECTORY ${folder})

# cumsum_cuda_test(NAME PROGRAM [ARGUMENTS...]): the test gpu.cuda.NAME over the stand-in.
set(cuda_standin LD_LIBRARY_PATH=${folder})
function(cumsum_cuda_test test program)
  add_test(NAME gpu.cuda.${test} COMMAND ${program} ${ARGN})
  set_tests_properties(gpu.cuda.${test} PROPERTIES ENVIRONMENT ${cuda_standin})
endfunction()

add_executable(test_cuda test_cuda.c ${PROJECT_SOURCE_DIR}/bench/variants.c)
add_dependencies(test_cuda gpu_variant_kernels)
target_include_directories(test_cuda PRIVATE standin ${PROJECT_SOURCE_DIR}/bench
                                             ${PROJECT_SOURCE_DIR}/src/gpu/scan)
target_compile_definitions(test_cuda PRIVATE _DEFAULT_SOURCE # setenv
                                             TEST_VARIANTS="${PROJECT_BINARY_DIR}/bench/variants")
target_link_libraries(test_cuda PRIVATE cumsum_gpu_internal cumsum_flags failing_memory check_frame
                                        standin_cuda Threads::Threads)
cumsum_cuda_test(launch test_cuda)
cumsum_cuda_test(example cuda_launch)
cumsum_cuda_test(tool bash ${CMAKE_CURRENT_SOURCE_DIR}/check_cuda.sh ${CUMSUM_PROGRAM}
                 ${PROJECT_SOURCE_DIR})

# NVIDIA's assembler takes the kernels of the library and of the variants.
add_test(NAME gpu.cuda.assembled COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/check_ptx.sh
                                         ${PROJECT_BINARY_DIR}/src/gpu/ptx
                                         ${PROJECT_BINARY_DIR}/bench/variants)
set_tests_properties(gpu.cuda.assembled PROPERTIES LABELS exhaustive)

# cumsum_cuda_scans(NAME GROUP COUNT [OPTIONS...]): COUNT cases of a group of check_scans.
function(cumsum_cuda_scans name group count)
  cumsum_cuda_test(scan.${name} check_scans ${group} ${count} --cuda ${ARGN})
endfunction()
cumsum_cuda_scans(layouts layouts 200)
cumsum_cuda_scans(numerics numerics 200)
cumsum_cuda_scans(alignments alignments 100)
cumsum_cuda_scans(in-place in-place 100)
cumsum_cuda_scans(tiles tiles 30)
cumsum_cuda_scans(single tiles 30 --groups 256)
cumsum_cuda_scans(left tiles 20 --groups 256 --chunk 1023)
cumsum_cuda_scans(levels levels 1)
cumsum_cuda_scans(columns columns 3)
cumsum_cuda_scans(segments segments 8 --groups 1024)
cumsum_cuda_scans(pieces layouts 40 --max-buffer 1)
cumsum_cuda_scans(kernels planned 35 --groups 64 --kernels gpu)
# By cumsum_cuda_launch; and an input beside its place is found.
cumsum_cuda_scans(launch.layouts layouts 100 --record 0)
cumsum_cuda_scans(launch.lines lines 60 --record 0)
cumsum_cuda_scans(launch.in-place in-place 60 --record 0)
cumsum_cuda_scans(launch.tiles tiles 10 --record 0)
cumsum_cuda_scans(launch.colliding colliding 10 --record 0)
cumsum_cuda_scans(launch.shifted layouts 20 --record 16)
cumsum_cuda_scans(broken layouts 200 --broken network)
