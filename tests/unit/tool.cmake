# SPDX-License-Identifier: MIT
# The code behind the commands, and their output.
if(NOT TARGET cumsum_tool_objects)
  return()
endif()

cumsum_check(check_tools unit test_child_process test_element_layout test_element_text test_jobs
             test_memory_limit)
set_tests_properties(unit.test_element_text PROPERTIES COST 9) # in an emulator
set_property(TARGET check_tools APPEND PROPERTY CHECK_GROUPS answering_child)
if(CMAKE_CROSSCOMPILING AND NOT WIN32)
  set_source_files_properties(test_child_process.c PROPERTIES COMPILE_DEFINITIONS UNDER_EMULATOR)
endif()
cumsum_guards(util NEEDS check_tools)
cumsum_check(check_tools unit test_tool_pieces)
cumsum_guards(cli NEEDS check_tools)
cumsum_check(check_tools unit test_workload)
cumsum_guards(bench NEEDS check_tools)
if(CUMSUM_WITH_PTHREADPOOL AND NOT WIN32) # elsewhere no thread is tried
  cumsum_check(check unit test_pool_start)
  target_link_libraries(check PRIVATE cumsum_threads)
  target_link_options(check PRIVATE LINKER:--wrap=pthread_create,--wrap=sysconf)
endif()
cumsum_guards(backend NEEDS check check_tools)
cumsum_check(check_tools unit test_fingerprint)
cumsum_check_run(unit.test_fingerprint.all check_tools test_fingerprint all) # more
set_tests_properties(unit.test_fingerprint.all PROPERTIES LABELS exhaustive)
cumsum_guards(characterize NEEDS check_tools)
