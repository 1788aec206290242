# SPDX-License-Identifier: MIT
# The tool on a device: each case is a function of check_tool.sh.
foreach(case golden blocked judged debug_layer all run mismatch exact adapter info bench timeout
        missing fingerprint)
  cumsum_gpu_test(tool.${case} bash ${CMAKE_CURRENT_SOURCE_DIR}/check_tool.sh
                  $<TARGET_FILE:cumsum_tool> ${PROJECT_SOURCE_DIR}/tests ${case})
endforeach()
