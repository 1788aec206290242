# SPDX-License-Identifier: MIT
# The commands of the tool and what they show.
option(CUMSUM_WITH_CPUINFO "Processor details in cumsum info (needs cpuinfo)" ON)
list(APPEND CMAKE_MODULE_PATH ${PROJECT_SOURCE_DIR}/cmake)
find_package(pthreadpool MODULE REQUIRED)
target_link_libraries(cumsum_tool_objects PRIVATE pthreadpool::pthreadpool m)

target_sources(
  cumsum_tool_objects
  PRIVATE backends.c
          bench_data.c
          bench_judge.c
          bench_measure.c
          bench_time.c
          buffer_state.c
          cmd_info.c
          cmd_judge.c
          cmd_run.c
          cmd_validate.c
          cmd_verify.c
          compare.c
          describe.c
          element.c
          executor.c
          judge_result.c
          judgement_fields.c
          judgement_words.c
          layout.c
          memory.c
          option_words.c
          options.c
          options_table.c
          options_value.c
          progress.c
          report.c
          recorded.c
          report_fields.c
          run_array.c
          show_judgement.c
          show_line.c
          show_values.c
          text.c
          usage_error.c
          verify_kernels.c
          verify_result.c
          write_output.c)

if(CUMSUM_WITH_LIBXML2)
  pkg_check_modules(LIBXML2 REQUIRED IMPORTED_TARGET libxml-2.0)
  target_sources(cumsum_tool_objects PRIVATE report_junit.c)
  target_link_libraries(cumsum_tool_objects PRIVATE PkgConfig::LIBXML2)
  set(CUMSUM_LIBXML2_TEXT ", libxml2 ${LIBXML2_VERSION}")
else()
  target_sources(cumsum_tool_objects PRIVATE report_no_junit.c)
endif()

# The tool does its job without cpuinfo; info then knows less.
if(CUMSUM_WITH_CPUINFO)
  pkg_check_modules(CPUINFO IMPORTED_TARGET libcpuinfo)
endif()
if(CUMSUM_WITH_CPUINFO AND CPUINFO_FOUND)
  target_sources(cumsum_tool_objects PRIVATE processor_cpuinfo.c)
  target_link_libraries(cumsum_tool_objects PRIVATE PkgConfig::CPUINFO)
  set(CUMSUM_CPUINFO_TEXT ", cpuinfo")
  set(CUMSUM_CPUINFO_FOUND ON)
else()
  target_sources(cumsum_tool_objects PRIVATE processor_unknown.c)
  set(CUMSUM_CPUINFO_FOUND OFF)
endif()

configure_file(build_info.h.in ${CMAKE_CURRENT_BINARY_DIR}/build_info.h @ONLY)
target_include_directories(cumsum_tool_objects PRIVATE ${CMAKE_CURRENT_BINARY_DIR})

install(FILES ${PROJECT_SOURCE_DIR}/docs/man/cumsum.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
