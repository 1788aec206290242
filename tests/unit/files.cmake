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

cumsum_files_test(test_number_float test_number_float.c)
cumsum_files_test(test_number_store test_number_store.c)
cumsum_files_test(test_json test_json.c)
cumsum_files_test(test_file test_file.c scratch_folder.c)
cumsum_files_test(test_npy test_npy.c scratch_folder.c)
cumsum_files_test(test_reject_resources test_reject_resources.c case_text.c)
cumsum_files_test(test_reject_operators test_reject_operators.c case_text.c)
cumsum_files_test(test_reject_commands test_reject_commands.c case_text.c)
cumsum_files_test(test_case_file test_case_file.c case_text.c)
cumsum_files_test(test_case_file_values test_case_file_values.c case_text.c scratch_folder.c)
cumsum_files_test(test_descriptor test_descriptor.c case_text.c)
