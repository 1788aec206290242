# SPDX-License-Identifier: MIT
# The tool on a device: each case is a function of check_tool.sh.
foreach(case golden blocked judged debug_layer all run mismatch exact adapter info bench timeout
        missing fingerprint)
  cumsum_gpu_test(tool.${case} bash ${CMAKE_CURRENT_SOURCE_DIR}/check_tool.sh
                  ${CUMSUM_PROGRAM} ${PROJECT_SOURCE_DIR}/tests ${case} ${CUMSUM_BENCH_PROGRAM})
endforeach()

if(UNIX)
  add_test(NAME gpu.kit COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/check_kit.sh
                                ${PROJECT_SOURCE_DIR}/packaging/gpu-kit/run)
  set_tests_properties(gpu.kit PROPERTIES SKIP_RETURN_CODE 77 LABELS exhaustive)
endif()

# A sweep, and minimizing cases that find broken shaders.
if(CUMSUM_DRAWS_FOUND)
  cumsum_gpu_test(tool.sweep bash ${CMAKE_CURRENT_SOURCE_DIR}/check_tool.sh
                  ${CUMSUM_PROGRAM} ${PROJECT_SOURCE_DIR}/tests sweep)
  add_executable(minimize_shaders minimize_shaders.c broken_scans.c)
  target_link_libraries(minimize_shaders PRIVATE cumsum_tool_objects gpu_shader_file gpu_test_device)
  cumsum_gpu_test(minimize-shaders minimize_shaders)

  # What docs/gpu.md says of the costs of the tool's benchmark cases.
  add_executable(test_scan_costs test_scan_costs.c bytecode_flow.c fake_driver.c)
  target_include_directories(test_scan_costs PRIVATE ${PROJECT_SOURCE_DIR}/src/gpu/scan)
  target_link_libraries(test_scan_costs PRIVATE cumsum_bench_objects cumsum_d3d12_internal
                                                cumsum_flags PkgConfig::CMOCKA)
  add_test(NAME unit.test_scan_costs COMMAND test_scan_costs ${PROJECT_SOURCE_DIR}/docs/gpu.md)
endif()
