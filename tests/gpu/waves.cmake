# SPDX-License-Identifier: MIT
# HLSL's own sums of the lanes of a wave, as a process of --exec.
set(waves ${PROJECT_SOURCE_DIR}/examples/exec/waves)
add_executable(wave_plug ${waves}/wave_plug.c)
target_link_libraries(wave_plug PRIVATE cumsum_gpu_internal cumsum_flags)
if(UNIX)
  cumsum_gpu_test(waves bash ${CMAKE_CURRENT_SOURCE_DIR}/check_waves.sh ${CUMSUM_PROGRAM}
                  $<TARGET_FILE:wave_plug> ${waves})
endif()
