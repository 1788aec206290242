# SPDX-License-Identifier: MIT
# The tool on a device: each case is a function of check_tool.sh.
foreach(case golden all exact adapter info bench timeout missing fingerprint)
  cumsum_gpu_test(tool.${case} bash ${CMAKE_CURRENT_SOURCE_DIR}/check_tool.sh
                  ${CUMSUM_PROGRAM} ${PROJECT_SOURCE_DIR}/tests ${case} ${CUMSUM_BENCH_PROGRAM})
endforeach()

if(UNIX)
  add_test(NAME gpu.kit COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/check_kit.sh
                                ${PROJECT_SOURCE_DIR}/packaging/gpu-kit/run)
endif()

# A sweep.
if(CUMSUM_DRAWS_FOUND)
  cumsum_gpu_test(tool.sweep bash ${CMAKE_CURRENT_SOURCE_DIR}/check_tool.sh
                  ${CUMSUM_PROGRAM} ${PROJECT_SOURCE_DIR}/tests sweep)
endif()
