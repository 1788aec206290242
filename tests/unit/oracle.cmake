# SPDX-License-Identifier: MIT
set(ORACLE ${PROJECT_SOURCE_DIR}/src/oracle)
target_sources(check PRIVATE doubt_scans.c judge_trial.c judge_trial_data.c judge_trial_outputs.c)
target_include_directories(check PRIVATE ${ORACLE} ${ORACLE}/exact ${ORACLE}/rule ${ORACLE}/screen
                                         ${ORACLE}/orders ${ORACLE}/doubt ${ORACLE}/sums)
# oracle_more(GROUP NAME ARGUMENT...): the test unit.GROUP.NAME, which tries more.
function(oracle_more group name)
  cumsum_check_run(unit.${group}.${name} check ${group} ${ARGN})
  set_tests_properties(unit.${group}.${name} PROPERTIES LABELS exhaustive)
endfunction()
# oracle_all(GROUP ARGUMENT...): the test unit.GROUP.all of ctest -C Exhaustive, which takes hours.
function(oracle_all group)
  get_target_property(groups check CHECK_GROUPS)
  if(group IN_LIST groups)
    add_test(NAME unit.${group}.all CONFIGURATIONS Exhaustive COMMAND check ${group} ${ARGN})
    set_tests_properties(unit.${group}.all PROPERTIES LABELS exhaustive TIMEOUT 14400)
  endif()
endfunction()

cumsum_check(
  check
  unit
  test_oracle_faults
  test_oracle_orders
  test_sum_orders
  test_ulp
  test_oracle_tensor
  test_oracle_bounds
  test_oracle_reachable
  test_oracle_sums
  test_oracle_doubt
  test_oracle_threads
  test_pieces_memory
  test_judging)
oracle_more(test_oracle_reachable more 20000)
set_property(TARGET check APPEND PROPERTY CHECK_GROUPS reachable_table)
# Every order of 100,000 inputs, and so on.
oracle_all(test_oracle_reachable 100000)
oracle_all(test_oracle_doubt 6)

# Scans and faults in pieces, against one call; in sequential sums of lines of up to 2^20 elements; in
# lines of 20,000 elements.
cumsum_check_run(unit.test_oracle_doubt.pieces check test_oracle_doubt 2 pieces)
oracle_more(test_oracle_doubt long-pieces 3 pieces)
cumsum_check_run(unit.test_oracle_doubt.steps check test_oracle_doubt 4 steps)
oracle_more(test_oracle_doubt long-steps 5 steps)
oracle_more(test_oracle_doubt long 3)
cumsum_check_run(unit.test_oracle_doubt.planted check test_oracle_doubt 2 planted)
set_tests_properties(unit.test_oracle_doubt.planted
                     PROPERTIES PASS_REGULAR_EXPRESSION "FAIL: [^\n]* is missed: ")
oracle_more(test_judging long long)

# The fast paths against the loop over outputs.
set(fewer_outputs 3000000)
if(CUMSUM_COVERAGE OR CUMSUM_SANITIZE OR CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR)
  set(fewer_outputs 600000)
endif()
target_sources(check PRIVATE test_oracle_fast.c test_all_16_bits.c)
set_property(TARGET check APPEND PROPERTY CHECK_GROUPS test_oracle_fast test_all_16_bits)
cumsum_check_run(unit.test_oracle_fast check test_oracle_fast ${fewer_outputs})
oracle_more(test_oracle_fast more 12000000 50000)
oracle_all(test_oracle_fast 10000000 1000000)

# All numbers of 16 bits, and all binary32 numbers that are stored in them.
foreach(format binary16 bfloat16)
  foreach(what store ulp)
    oracle_more(test_all_16_bits ${what}-${format} ${what} ${format})
    set_tests_properties(unit.test_all_16_bits.${what}-${format} PROPERTIES COST 45)
  endforeach()
endforeach()

cumsum_guards(oracle NEEDS check)
