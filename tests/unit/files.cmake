# SPDX-License-Identifier: MIT
# Reading and writing files.
if(NOT TARGET cumsum_tool_objects)
  return()
endif()

function(cumsum_files_test name)
  cumsum_unit_test(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE cumsum_tool_objects)
  target_compile_definitions(${name} PRIVATE TEST_NPY="${CMAKE_CURRENT_SOURCE_DIR}/npy")
endfunction()

# Case files for tests.
add_library(case_text STATIC case_text.c)
target_compile_definitions(case_text PRIVATE TEST_REJECT="${PROJECT_SOURCE_DIR}/tests/reject")
target_include_directories(case_text INTERFACE ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(case_text PRIVATE cumsum_flags PUBLIC cumsum_tool_objects reject_rows
                                                             check_shim)

cumsum_files_test(test_number_float test_number_float.c)
cumsum_files_test(test_number_store test_number_store.c)
cumsum_files_test(test_json test_json.c)
cumsum_files_test(test_file test_file.c scratch_folder.c)
cumsum_files_test(test_npy test_npy.c scratch_folder.c)
cumsum_guards(util)
cumsum_files_test(test_case_file test_case_file.c)
target_link_libraries(test_case_file PRIVATE case_text)
cumsum_files_test(test_case_file_values test_case_file_values.c scratch_folder.c)
target_link_libraries(test_case_file_values PRIVATE case_text)
cumsum_files_test(test_descriptor test_descriptor.c)
target_link_libraries(test_descriptor PRIVATE case_text)
cumsum_guards(case)
