# SPDX-License-Identifier: MIT
# Reading and writing files.
if(NOT TARGET cumsum_tool_objects)
  return()
endif()

# Case files for tests.
add_library(case_text STATIC case_text.c)
target_compile_definitions(case_text PRIVATE TEST_REJECT="${PROJECT_SOURCE_DIR}/tests/reject")
target_include_directories(case_text INTERFACE ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(case_text PRIVATE cumsum_flags PUBLIC cumsum_tool_objects reject_rows check_frame)
target_link_libraries(check_tools PRIVATE case_text textbook_scans cumsum_bench_objects m)

set_source_files_properties(test_npy.c test_array_member.c test_case_file_values.c
                            PROPERTIES COMPILE_DEFINITIONS TEST_NPY="${CMAKE_CURRENT_SOURCE_DIR}/npy")
cumsum_check(check_tools unit test_file test_npy test_array_member test_json)
cumsum_guards(util NEEDS check_tools)
cumsum_check(check_tools unit test_case_file_values)
cumsum_guards(case NEEDS check_tools)
