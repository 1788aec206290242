# The sources are the tree that contains this port. A port in a registry must fetch a release
# instead, with vcpkg_from_github(OUT_SOURCE_PATH SOURCE_PATH ...).
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

vcpkg_check_features(
  OUT_FEATURE_OPTIONS FEATURE_OPTIONS
  FEATURES
    tool CUMSUM_BUILD_TOOL
    d3d12 CUMSUM_WITH_D3D12)
vcpkg_find_acquire_program(PKGCONFIG)

vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    ${FEATURE_OPTIONS}
    "-DPKG_CONFIG_EXECUTABLE=${PKGCONFIG}"
    -DCUMSUM_BUILD_TESTS=OFF
    -DCUMSUM_BUILD_PYTHON=OFF
    -DCUMSUM_INSTALL=ON
  OPTIONS_DEBUG
    -DCUMSUM_BUILD_TOOL=OFF
  MAYBE_UNUSED_VARIABLES PKG_CONFIG_EXECUTABLE)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/cumsum)
vcpkg_fixup_pkgconfig()
vcpkg_copy_pdbs()
if("tool" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES cumsum AUTO_CLEAN)
endif()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
