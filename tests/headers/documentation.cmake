# SPDX-License-Identifier: MIT
# The target `docs` makes HTML pages of the public headers with doxygen, and fails on a warning. The
# comments of the headers are the only source.
find_package(Doxygen QUIET)
if(NOT DOXYGEN_FOUND)
  message(STATUS "No pages of the headers: doxygen is missing")
  return()
endif()
set(DOXYGEN_PROJECT_NAME cumsum)
set(DOXYGEN_PROJECT_NUMBER ${PROJECT_VERSION})
set(DOXYGEN_STRIP_FROM_PATH ${PROJECT_SOURCE_DIR}/include)
set(DOXYGEN_STRIP_FROM_INC_PATH ${PROJECT_SOURCE_DIR}/include)
set(DOXYGEN_FILTER_PATTERNS
    "*.h=${CMAKE_CURRENT_SOURCE_DIR}/comments_for_doxygen")
set(DOXYGEN_OPTIMIZE_OUTPUT_FOR_C YES)
set(DOXYGEN_JAVADOC_AUTOBRIEF YES)
# A member whose name says everything has no comment.
set(DOXYGEN_EXTRACT_ALL YES)
set(DOXYGEN_WARN_NO_PARAMDOC NO)
set(DOXYGEN_WARN_AS_ERROR FAIL_ON_WARNINGS)
set(DOXYGEN_QUIET YES)
set(DOXYGEN_HAVE_DOT NO)
set(DOXYGEN_HTML_TIMESTAMP NO)
set(DOXYGEN_PREDEFINED "CUMSUM_API=" "CUMSUM_D3D12_API=" "DIRECTML_H=" "DML_TARGET_VERSION=0x6400")
set(DOXYGEN_MACRO_EXPANSION YES)
doxygen_add_docs(docs ${PROJECT_SOURCE_DIR}/include/cumsum)
add_test(NAME header.documentation
         COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/check_documentation.sh ${DOXYGEN_EXECUTABLE}
                 ${CMAKE_CURRENT_BINARY_DIR} ${PROJECT_SOURCE_DIR})
