# SPDX-License-Identifier: MIT
# The oracle's tests look inside it: they compile its objects, since the library hides them.
set(ORACLE ${PROJECT_SOURCE_DIR}/src/oracle)
set(ORACLE_FOLDERS ${ORACLE} ${ORACLE}/exact ${ORACLE}/rule ${ORACLE}/screen ${ORACLE}/orders
                   ${ORACLE}/doubt ${ORACLE}/sums)
function(cumsum_oracle_test name)
  cumsum_unit_test(${name} ${ARGN} ${ORACLE}/exact/arithmetic.c
                   ${ORACLE}/exact/exact_prefix.c ${ORACLE}/exact/reachable.c
                   ${ORACLE}/rule/bound.c ${ORACLE}/rule/rule.c
                   ${ORACLE}/rule/wider.c)
  target_include_directories(${name} PRIVATE ${ORACLE_FOLDERS} ${PROJECT_SOURCE_DIR}/src/tensor)
endfunction()

cumsum_oracle_test(test_oracle_trees test_oracle_trees.c real_arithmetic.c)
cumsum_tests_all(test_oracle_trees)
cumsum_oracle_test(test_oracle_exact test_oracle_exact.c)
target_link_libraries(test_oracle_exact PRIVATE PkgConfig::MPFR)
cumsum_unit_test(test_oracle_faults test_oracle_faults.c)
cumsum_unit_test(test_oracle_orders test_oracle_orders.c)
target_link_libraries(test_oracle_orders PRIVATE textbook_scans)
cumsum_unit_test(test_sum_orders test_sum_orders.c)
cumsum_unit_test(test_composed_orders test_composed_orders.c)
target_link_libraries(test_composed_orders PRIVATE textbook_scans)
# The textbook scans once more, of double.
set(TEXTBOOK_SCANS ${PROJECT_SOURCE_DIR}/tests/common/textbook_scans.c)
set_source_files_properties(${TEXTBOOK_SCANS} PROPERTIES COMPILE_DEFINITIONS float=double)
cumsum_unit_test(test_oracle_types test_oracle_types.c ${TEXTBOOK_SCANS})
target_include_directories(test_oracle_types PRIVATE ${PROJECT_SOURCE_DIR}/tests/common)
cumsum_unit_test(test_ulp test_ulp.c)
cumsum_unit_test(test_oracle_tensor test_oracle_tensor.c)
target_link_libraries(test_oracle_tensor PRIVATE PkgConfig::MPFR)
cumsum_oracle_test(test_oracle_bounds test_oracle_bounds.c)
target_link_libraries(test_oracle_bounds PRIVATE PkgConfig::MPFR)

# The library's objects, linked so that their allocations can be made to fail.
add_executable(test_oracle_memory test_oracle_memory.c $<TARGET_OBJECTS:cumsum_tensor>
                                  $<TARGET_OBJECTS:cumsum_oracle>)
target_include_directories(test_oracle_memory PRIVATE ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(test_oracle_memory PRIVATE failing_memory cumsum_flags test_common
                                                 pthreadpool::pthreadpool check_shim m)
add_test(NAME unit.test_oracle_memory COMMAND test_oracle_memory)

# All numbers of 16 bits, and all binary32 numbers that are stored in them.
cumsum_only_for_all(test_all_16_bits)
add_executable(test_all_16_bits test_all_16_bits.c)
target_include_directories(test_all_16_bits PRIVATE ${ORACLE}/exact ${PROJECT_SOURCE_DIR}/src/tensor)
target_link_libraries(test_all_16_bits PRIVATE cumsum cumsum_flags m)
foreach(format binary16 bfloat16)
  foreach(what store ulp)
    add_test(NAME unit.test_all_16_bits.${what}-${format} COMMAND test_all_16_bits ${what} ${format})
    set_tests_properties(unit.test_all_16_bits.${what}-${format} PROPERTIES LABELS exhaustive COST 45)
  endforeach()
endforeach()

# Every order of 100,000 inputs: ctest -C Exhaustive -R unit.test_oracle_reachable.all
cumsum_oracle_test(test_oracle_reachable test_oracle_reachable.c real_arithmetic.c)
if(TARGET test_oracle_reachable)
  add_test(NAME unit.test_oracle_reachable.all CONFIGURATIONS Exhaustive
           COMMAND test_oracle_reachable 100000)
  set_tests_properties(unit.test_oracle_reachable.all PROPERTIES LABELS exhaustive TIMEOUT 14400)
endif()

# Sums: every tree of a few terms, and random trees of tensors.
cumsum_unit_test(test_oracle_sums test_oracle_sums.c real_arithmetic.c)

# Doubt: all trees of neighbours of short lines, and right and wrong scans of many kinds of data.
cumsum_unit_test(test_oracle_neighbours test_oracle_neighbours.c)
add_test(NAME unit.test_oracle_neighbours.all CONFIGURATIONS Exhaustive
         COMMAND test_oracle_neighbours 5000000 4)
set_tests_properties(unit.test_oracle_neighbours.all PROPERTIES LABELS exhaustive TIMEOUT 14400)
cumsum_unit_test(test_oracle_doubt test_oracle_doubt.c doubt_scans.c real_arithmetic.c)
# The same in pieces, against one call.
add_test(NAME unit.test_oracle_doubt.pieces COMMAND test_oracle_doubt 2 pieces)
add_test(NAME unit.test_oracle_doubt.long-pieces COMMAND test_oracle_doubt 3 pieces)
set_tests_properties(unit.test_oracle_doubt.long-pieces PROPERTIES LABELS exhaustive)
# Faults in sequential sums of lines of up to 2^20 elements.
add_test(NAME unit.test_oracle_doubt.steps COMMAND test_oracle_doubt 4 steps)
add_test(NAME unit.test_oracle_doubt.long-steps COMMAND test_oracle_doubt 5 steps)
set_tests_properties(unit.test_oracle_doubt.long-steps PROPERTIES LABELS exhaustive)
# Lines of 20,000 elements.
add_test(NAME unit.test_oracle_doubt.long COMMAND test_oracle_doubt 3)
set_tests_properties(unit.test_oracle_doubt.long PROPERTIES LABELS exhaustive)
add_test(NAME unit.test_oracle_doubt.planted COMMAND test_oracle_doubt 2 planted)
set_tests_properties(unit.test_oracle_doubt.planted
                     PROPERTIES PASS_REGULAR_EXPRESSION "FAIL: [^\n]* is missed: ")
add_test(NAME unit.test_oracle_doubt.all CONFIGURATIONS Exhaustive COMMAND test_oracle_doubt 6)
set_tests_properties(unit.test_oracle_doubt.all PROPERTIES LABELS exhaustive TIMEOUT 14400)

# The fast paths against the loop over outputs. The objects of the oracle have the switch.
set(JUDGE_TRIAL judge_trial.c judge_trial_data.c judge_trial_outputs.c)
function(cumsum_judge_trial_test name)
  add_executable(${name} ${name}.c ${JUDGE_TRIAL} $<TARGET_OBJECTS:cumsum_tensor>
                         $<TARGET_OBJECTS:cumsum_oracle>)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/include ${ORACLE_FOLDERS}
                                             ${PROJECT_SOURCE_DIR}/src/tensor)
  target_link_libraries(${name} PRIVATE cumsum_flags test_common pthreadpool::pthreadpool
                                        check_shim m)
  add_test(NAME unit.${name} COMMAND ${name} ${ARGN})
endfunction()
set(fewer_outputs 1000000)
if(CUMSUM_COVERAGE OR CUMSUM_SANITIZE OR CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR)
  set(fewer_outputs 300000)
endif()
cumsum_judge_trial_test(test_oracle_threads)
# Every tree and every choice of a million short lines: ctest -C Exhaustive -R
# unit.test_oracle_profiles.all
cumsum_judge_trial_test(test_oracle_profiles)
target_sources(test_oracle_profiles PRIVATE real_arithmetic.c)
add_test(NAME unit.test_oracle_profiles.all CONFIGURATIONS Exhaustive
         COMMAND test_oracle_profiles 1000000)
set_tests_properties(unit.test_oracle_profiles.all PROPERTIES LABELS exhaustive TIMEOUT 14400)
cumsum_judge_trial_test(test_oracle_fast ${fewer_outputs})
target_compile_definitions(test_oracle_fast
                           PRIVATE $<TARGET_PROPERTY:cumsum_oracle,COMPILE_DEFINITIONS>)
add_test(NAME unit.test_oracle_fast.more COMMAND test_oracle_fast 3000000)
set_tests_properties(unit.test_oracle_fast.more PROPERTIES LABELS exhaustive)
# 10 million outputs: ctest -C Exhaustive -R unit.test_oracle_fast.all
add_test(NAME unit.test_oracle_fast.all CONFIGURATIONS Exhaustive
         COMMAND test_oracle_fast 10000000 1000000)
set_tests_properties(unit.test_oracle_fast.all PROPERTIES LABELS exhaustive TIMEOUT 14400)
# The memory of carries and of verdicts in pieces.
add_executable(test_pieces_memory test_pieces_memory.c $<TARGET_OBJECTS:cumsum_tensor>
                                  $<TARGET_OBJECTS:cumsum_cpu> $<TARGET_OBJECTS:cumsum_oracle>)
target_include_directories(test_pieces_memory PRIVATE ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(test_pieces_memory PRIVATE failing_memory cumsum_flags
                                                 pthreadpool::pthreadpool check_shim m)
add_test(NAME unit.test_pieces_memory COMMAND test_pieces_memory)
# Verdicts in pieces against those of one call.
cumsum_judge_trial_test(test_judging)
add_test(NAME unit.test_judging.long COMMAND test_judging long)
set_tests_properties(unit.test_judging.long PROPERTIES LABELS exhaustive)
cumsum_guards(oracle)
