# SPDX-License-Identifier: MIT
# Planted defects of the oracle's fast paths and of its threads, in a copy of it
# (planted_defects.cmake), for test_oracle_defects.
set(PLANTED_FROM ${PROJECT_SOURCE_DIR}/src/oracle)
set(PLANTED_TO ${CMAKE_CURRENT_BINARY_DIR}/planted_oracle)
file(GLOB planted_files RELATIVE ${PLANTED_FROM} ${PLANTED_FROM}/*.c ${PLANTED_FROM}/*.h
     ${PLANTED_FROM}/*/*.c ${PLANTED_FROM}/*/*.h)
include(${PROJECT_SOURCE_DIR}/tests/common/planted_defects.cmake)
include(judge_defect_list.cmake)
cumsum_write_planted()

# The copy is built as the original is, but at -O1, which takes half the time.
file(READ ${PLANTED_FROM}/CMakeLists.txt text)
string(REPLACE cumsum_oracle planted_oracle text "${text}")
string(REPLACE "-O3" "-O1" text "${text}")
string(REPLACE "../tensor" "${PROJECT_SOURCE_DIR}/src/tensor" text "${text}")
file(CONFIGURE OUTPUT ${PLANTED_TO}/CMakeLists.txt CONTENT "${text}" @ONLY)
set(PTHREADPOOL_INCLUDE_DIR ${pthreadpool_INCLUDE_DIR})
add_library(planted_oracle OBJECT)
add_subdirectory(${PLANTED_TO} planted_oracle_build)
target_link_libraries(planted_oracle PRIVATE cumsum_flags)
target_include_directories(planted_oracle PRIVATE ${PROJECT_SOURCE_DIR}/include)
target_compile_definitions(planted_oracle PRIVATE CUMSUM_BUILDING)
target_compile_options(planted_oracle PRIVATE -w) # defects look odd
set_target_properties(planted_oracle PROPERTIES C_EXTENSIONS OFF)

cumsum_judge_trial_test(test_oracle_defects planted_oracle)
target_sources(test_oracle_defects PRIVATE pieces_trial.c vector_trial.c)
target_compile_definitions(test_oracle_defects
                           PRIVATE $<TARGET_PROPERTY:planted_oracle,COMPILE_DEFINITIONS>)
target_include_directories(test_oracle_defects PRIVATE ${PLANTED_TO})

# The calibration of doubt finds rules that accuse too little or too much.
add_executable(test_oracle_doubt_rules test_oracle_doubt.c doubt_scans.c
                                       $<TARGET_OBJECTS:cumsum_tensor>
                                       $<TARGET_OBJECTS:planted_oracle>)
target_compile_definitions(test_oracle_doubt_rules PRIVATE DOUBT_PLANTED_RULES)
target_include_directories(test_oracle_doubt_rules PRIVATE ${PROJECT_SOURCE_DIR}/include
                                                           ${PLANTED_TO})
target_link_libraries(test_oracle_doubt_rules PRIVATE cumsum_flags test_common
                                                      pthreadpool::pthreadpool m)
foreach(rule IN ITEMS explains-all explains-nothing explains-no-drift jumps-wide)
  add_test(NAME unit.test_oracle_doubt_rules.planted-${rule}
           COMMAND test_oracle_doubt_rules 3 rule-${rule})
  set_tests_properties(unit.test_oracle_doubt_rules.planted-${rule}
                       PROPERTIES PASS_REGULAR_EXPRESSION "FAIL: [^\n]* elements, ")
endforeach()

# The trials of sums find what is wrong in their judgement.
add_executable(test_sum_defects test_sum_defects.c ${SUM_TRIAL} $<TARGET_OBJECTS:cumsum_tensor>
                                $<TARGET_OBJECTS:planted_oracle>)
target_include_directories(test_sum_defects PRIVATE ${PROJECT_SOURCE_DIR}/include ${PLANTED_TO})
target_link_libraries(test_sum_defects PRIVATE cumsum_flags test_common pthreadpool::pthreadpool
                                               PkgConfig::CMOCKA m)
add_test(NAME unit.test_sum_defects COMMAND test_sum_defects)

# Trials of composed orders find what is wrong in them.
add_executable(test_level_defects test_order_trials.c $<TARGET_OBJECTS:cumsum_tensor>
                                  $<TARGET_OBJECTS:planted_oracle>)
target_compile_definitions(test_level_defects PRIVATE PLANTED_LEVELS)
target_include_directories(test_level_defects PRIVATE ${PROJECT_SOURCE_DIR}/include ${ORACLE_FOLDERS}
                                                      ${PROJECT_SOURCE_DIR}/src/tensor ${PLANTED_TO})
target_link_libraries(test_level_defects PRIVATE cumsum_flags test_common pthreadpool::pthreadpool m)
add_test(NAME unit.test_level_defects COMMAND test_level_defects)
cumsum_only_for_all(planted_oracle test_oracle_defects test_oracle_doubt_rules
                    test_sum_defects test_level_defects)
