# SPDX-License-Identifier: MIT
# The code behind the commands, and their output.
if(NOT TARGET cumsum_tool_objects)
  return()
endif()

# tool_tests(MODULE NAME...): tests of one file each.
macro(tool_tests module)
  foreach(name ${ARGN})
    cumsum_unit_test(${name} ${name}.c)
    target_link_libraries(${name} PRIVATE cumsum_tool_objects)
  endforeach()
  cumsum_guards(${module})
endmacro()
tool_tests(util test_child_process test_element_layout test_element_text test_jobs test_memory_limit)
tool_tests(judge test_error_steps test_hypotheses test_show_text)
tool_tests(cli test_validate_device)
cumsum_unit_test(test_workload test_workload.c)
target_link_libraries(test_workload PRIVATE cumsum_bench_objects)
cumsum_guards(bench)
set_tests_properties(unit.test_child_process PROPERTIES SKIP_RETURN_CODE 77)
set_tests_properties(unit.test_element_text PROPERTIES COST 9) # in an emulator
if(CMAKE_CROSSCOMPILING AND NOT WIN32)
  target_compile_definitions(test_child_process PRIVATE UNDER_EMULATOR)
endif()
if(CUMSUM_WITH_PTHREADPOOL AND NOT WIN32) # elsewhere no thread is tried
  cumsum_unit_test(test_pool_start test_pool_start.c)
  target_link_libraries(test_pool_start PRIVATE cumsum_threads pthreadpool::pthreadpool
                                                failing_memory)
  target_link_options(test_pool_start PRIVATE LINKER:--wrap=pthread_create,--wrap=sysconf)
endif()
cumsum_unit_test(test_flushing test_flushing.c case_text.c)
target_link_libraries(test_flushing PRIVATE cumsum_tool_objects)
cumsum_guards(backend)
foreach(name test_fingerprint test_order_file test_questions)
  cumsum_unit_test(${name} ${name}.c line_fakes.c)
  target_link_libraries(${name} PRIVATE cumsum_tool_objects textbook_scans)
endforeach()
cumsum_guards(characterize)
