# SPDX-License-Identifier: MIT
# The driver over Direct3D 12: adapters, buffers, dispatches, failures.
add_library(gpu_test_device STATIC test_device.c)
target_link_libraries(gpu_test_device PUBLIC cumsum_d3d12_internal cumsum_flags PkgConfig::CMOCKA)

add_executable(test_gpu_driver test_gpu_driver.c)
target_link_libraries(test_gpu_driver PRIVATE gpu_test_device)
cumsum_gpu_test(driver test_gpu_driver)
cumsum_gpu_test(driver.debug-layer test_gpu_driver --debug-layer)

# Without a device.
add_executable(test_gpu_api test_gpu_api.c fake_driver.c)
target_include_directories(test_gpu_api PRIVATE ${PROJECT_SOURCE_DIR}/src/gpu/scan)
target_link_libraries(test_gpu_api PRIVATE cumsum_d3d12_internal cumsum_flags PkgConfig::CMOCKA)
add_test(NAME unit.test_gpu_api COMMAND test_gpu_api)
