# SPDX-License-Identifier: MIT
# The labels of the tests, and what tools/test builds for them.
#
# Each test has the label of the module that it guards: `ctest -L '^oracle$'` runs the tests of
# src/oracle, and the target tests-oracle builds what they need. tools/test leaves out the tests with
# these labels (and builds tests-oracle-short), tools/test --all runs them, too:
#
#     exhaustive   takes minutes or gigabytes, or tries more cases of what a short test tries
#     variant      builds the project again: with another compiler, its flags, or as a package
#     planted      tests a test: a planted defect must be found
set(CUMSUM_MODULES
    # libraries
    tensor cpu oracle explain gpu include
    # the program
    util case suite backend judge characterize sweep cli
    # beside it
    anyorder bench python web docs proofs package)
# Names of tests of tests.
set(CUMSUM_PLANTED "defect|[-.]faults?$|planted|mutants|[.]broken$|refuses|stale")

# cumsum_guards(MODULE... [NEEDS TARGET...]): the tests that the current folder has added since its
# last call guard these modules. They need the targets that it has added since, and those named. A test
# that exits with 77 is skipped.
function(cumsum_guards)
  cmake_parse_arguments(PARSE_ARGV 0 guards "" "" "NEEDS")
  foreach(module IN LISTS guards_UNPARSED_ARGUMENTS)
    if(NOT module IN_LIST CUMSUM_MODULES)
      message(FATAL_ERROR "cumsum_guards: there is no module ${module}")
    endif()
  endforeach()
  get_property(tests DIRECTORY PROPERTY TESTS)
  get_property(labelled DIRECTORY PROPERTY CUMSUM_LABELLED)
  foreach(test IN LISTS tests)
    if(test IN_LIST labelled)
      continue()
    endif()
    set_property(TEST ${test} APPEND PROPERTY LABELS ${guards_UNPARSED_ARGUMENTS})
    set_property(TEST ${test} PROPERTY SKIP_RETURN_CODE 77)
    if(test MATCHES "${CUMSUM_PLANTED}")
      set_property(TEST ${test} APPEND PROPERTY LABELS planted)
    endif()
  endforeach()
  set_property(DIRECTORY PROPERTY CUMSUM_LABELLED ${tests})
  get_property(targets DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
  get_property(taken DIRECTORY PROPERTY CUMSUM_TAKEN)
  set_property(DIRECTORY PROPERTY CUMSUM_TAKEN ${targets})
  set(programs ${guards_NEEDS})
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    get_target_property(excluded ${target} EXCLUDE_FROM_ALL)
    if(NOT target IN_LIST taken AND NOT type MATCHES "UTILITY|INTERFACE" AND NOT excluded)
      list(APPEND programs ${target})
    endif()
  endforeach()
  foreach(module IN LISTS guards_UNPARSED_ARGUMENTS)
    set_property(GLOBAL APPEND PROPERTY CUMSUM_NEEDED_BY_${module} ${programs})
  endforeach()
endfunction()

# cumsum_only_for_all(TARGET...): no test of tools/test needs these targets, only tools/test --all.
function(cumsum_only_for_all)
  set_property(GLOBAL APPEND PROPERTY CUMSUM_ONLY_FOR_ALL ${ARGN})
endfunction()

# cumsum_check_labels(FOLDER): every test of the folder and of those below it guards a module.
function(cumsum_check_labels folder)
  get_property(tests DIRECTORY ${folder} PROPERTY TESTS)
  get_property(labelled DIRECTORY ${folder} PROPERTY CUMSUM_LABELLED)
  foreach(test IN LISTS tests)
    if(NOT test IN_LIST labelled)
      message(FATAL_ERROR "The test ${test} has no label: call cumsum_guards in ${folder}")
    endif()
  endforeach()
  get_property(folders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(below IN LISTS folders)
    cumsum_check_labels(${below})
  endforeach()
endfunction()

# After all tests: the targets tests-MODULE; for tools/test, tests-MODULE-short, and tests-short, which
# has them all.
function(cumsum_end_tests)
  cumsum_check_labels(${PROJECT_SOURCE_DIR})
  get_property(only_for_all GLOBAL PROPERTY CUMSUM_ONLY_FOR_ALL)
  add_custom_target(tests-short)
  foreach(module IN LISTS CUMSUM_MODULES)
    add_custom_target(tests-${module}-short)
    add_custom_target(tests-${module})
    add_dependencies(tests-short tests-${module}-short)
    get_property(needed GLOBAL PROPERTY CUMSUM_NEEDED_BY_${module})
    list(REMOVE_DUPLICATES needed)
    foreach(target IN LISTS needed)
      if(NOT TARGET ${target}) # this build leaves it out
        continue()
      endif()
      add_dependencies(tests-${module} ${target})
      if(NOT target IN_LIST only_for_all)
        add_dependencies(tests-${module}-short ${target})
      endif()
    endforeach()
  endforeach()
endfunction()
