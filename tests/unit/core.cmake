# SPDX-License-Identifier: MIT
# Conversions, the reference, plans.
cumsum_check(
  check
  unit
  test_half
  test_reference
  test_large_strides
  test_plan
  test_carry
  test_segments
  test_binding
  test_cpuid
  test_int128
  test_threads
  test_scratch
  test_wait)
if(NOT WIN32)
  target_link_options(check PRIVATE LINKER:--wrap=timespec_get,--wrap=pthread_cond_timedwait)
endif()

# The library's substitute for pthreadpool, which the other programs have.
cumsum_check_program(check_serial_pool)
target_sources(check_serial_pool PRIVATE ${PROJECT_SOURCE_DIR}/src/serial_pool/serial_pool.c)
target_include_directories(check_serial_pool BEFORE PRIVATE ${PROJECT_SOURCE_DIR}/src/serial_pool)
cumsum_check(check_serial_pool unit test_serial_pool)

# The header that converts DirectML's structures is compiled as C, as C++, and, if it is installed,
# with Microsoft's DirectML.h (C++ only).
enable_language(CXX)
find_path(DIRECTML_INCLUDE_DIR NAMES directx/DirectML.h)
mark_as_advanced(DIRECTML_INCLUDE_DIR)
add_executable(test_directml_c test_directml.c)
target_link_libraries(test_directml_c PRIVATE cumsum cumsum_flags)
add_test(NAME unit.test_directml.c11 COMMAND test_directml_c)
set(directml_cxx test_directml_cxx)
if(DIRECTML_INCLUDE_DIR)
  list(APPEND directml_cxx test_directml_microsoft)
endif()
foreach(target ${directml_cxx})
  configure_file(test_directml.c ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp COPYONLY)
  add_executable(${target} ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp)
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(${target} PRIVATE cumsum)
  target_compile_features(${target} PRIVATE cxx_std_17)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow)
  add_test(NAME unit.${target} COMMAND ${target})
endforeach()
if(DIRECTML_INCLUDE_DIR)
  target_compile_definitions(test_directml_microsoft PRIVATE CUMSUM_REAL_DIRECTML)
  target_include_directories(test_directml_microsoft SYSTEM
                             PRIVATE ${DIRECTML_INCLUDE_DIR} ${DIRECTML_INCLUDE_DIR}/directx
                                     ${DIRECTML_INCLUDE_DIR}/wsl/stubs)
endif()
cumsum_guards(cpu NEEDS check)
