# SPDX-License-Identifier: MIT
# cumsum_add_sweep(NAME LISTS LIST... [SHARDS N] [PROGRAM FILE] [OPTIONS OPTION...]): tests of CTest
# that run cases of the conformance suite, in N shards (default 1), which `ctest -j` runs at once:
#
#     find_package(cumsum REQUIRED)
#     cumsum_add_sweep(my_scan LISTS quick SHARDS 8 OPTIONS --exec $<TARGET_FILE:my_plug>)
#
# The tests NAME.1 to NAME.N are the shards. Each fails if a case of it does, and is skipped if none
# ran. NAME.report, behind them, makes the page NAME.html of all in the current binary folder.
# PROGRAM is the program `cumsum`, if it is not the installed one.
function(cumsum_add_sweep name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SHARDS;PROGRAM" "LISTS;OPTIONS")
  if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES OR NOT arg_LISTS)
    message(FATAL_ERROR "cumsum_add_sweep(${name}): LISTS must be given, and only SHARDS, PROGRAM and "
                        "OPTIONS besides: ${arg_UNPARSED_ARGUMENTS} ${arg_KEYWORDS_MISSING_VALUES}")
  endif()
  if(NOT DEFINED arg_SHARDS)
    set(arg_SHARDS 1)
  elseif(NOT arg_SHARDS MATCHES "^[1-9][0-9]?[0-9]?[0-9]?$")
    message(FATAL_ERROR "cumsum_add_sweep(${name}): SHARDS is ${arg_SHARDS}, and must be 1 to 9999")
  endif()
  if(NOT arg_PROGRAM)
    find_program(CUMSUM_PROGRAM cumsum HINTS ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../../bin
                                             ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../../../bin)
    if(NOT CUMSUM_PROGRAM)
      message(FATAL_ERROR "cumsum_add_sweep(${name}): there is no program cumsum; it is the component "
                          "tool of the installation, and Debian's package cumsum")
    endif()
    set(arg_PROGRAM ${CUMSUM_PROGRAM})
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR})
  foreach(shard RANGE 1 ${arg_SHARDS})
    list(APPEND shards ${name}.${shard})
    list(APPEND results ${folder}/${name}.${shard}.jsonl)
  endforeach()
  # A sweep overwrites no results.
  add_test(NAME ${name}.begin COMMAND ${CMAKE_COMMAND} -E rm -f ${results})
  set_tests_properties(${name}.begin PROPERTIES FIXTURES_SETUP ${name})
  foreach(shard RANGE 1 ${arg_SHARDS})
    add_test(NAME ${name}.${shard}
             COMMAND ${arg_PROGRAM} sweep --quiet --shard ${shard}/${arg_SHARDS} --output
                     ${folder}/${name}.${shard}.jsonl ${arg_OPTIONS} ${arg_LISTS})
  endforeach()
  set_tests_properties(${shards} PROPERTIES FIXTURES_REQUIRED ${name} SKIP_RETURN_CODE 77)
  add_test(NAME ${name}.report COMMAND ${arg_PROGRAM} compare ${results} --report ${folder}/${name}.html)
  set_tests_properties(${name}.report PROPERTIES DEPENDS "${shards}" SKIP_RETURN_CODE 77)
endfunction()
