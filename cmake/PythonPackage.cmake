# SPDX-License-Identifier: MIT
# Decides whether to build the Python package, and for which interpreter. It tries python3 in the
# PATH and then /usr/bin/python3, and takes the first one that has version 3.11 or later, CPython's
# headers, NumPy and, if tests are built, pytest. -DPython3_EXECUTABLE=... names another one.
function(find_python_with_numpy)
  if(DEFINED Python3_EXECUTABLE OR CMAKE_CROSSCOMPILING OR NOT PROJECT_IS_TOP_LEVEL)
    return()
  endif()
  set(modules numpy)
  if(CUMSUM_BUILD_TESTS)
    set(modules "numpy, pytest")
  endif()
  set(has "import ${modules}, os, sysconfig, sys
header = sysconfig.get_path('include') + '/Python.h'
sys.exit(sys.version_info < (3, 11) or not os.path.exists(header))")
  find_program(python_in_path python3 NO_CACHE)
  foreach(python ${python_in_path} /usr/bin/python3)
    execute_process(COMMAND ${python} -c "${has}" RESULT_VARIABLE missing OUTPUT_QUIET ERROR_QUIET)
    if(missing EQUAL 0)
      set(Python3_EXECUTABLE
          ${python}
          CACHE FILEPATH "The interpreter that the Python package is built for")
      return()
    endif()
  endforeach()
endfunction()

find_python_with_numpy()
find_path(DLPACK_INCLUDE_DIR NAMES dlpack/dlpack.h)
mark_as_advanced(DLPACK_INCLUDE_DIR)
# With a sanitizer the extension needs the sanitizer's library in the interpreter. python/tests
# preloads gcc's address sanitizer. Others cannot be preloaded: with these the package is left out.
if(CUMSUM_SANITIZE AND NOT (CUMSUM_SANITIZE MATCHES "^address" AND CMAKE_C_COMPILER_ID STREQUAL "GNU"))
  set(python_default OFF)
elseif(Python3_EXECUTABLE AND DLPACK_INCLUDE_DIR AND PROJECT_IS_TOP_LEVEL)
  set(python_default ON)
else()
  set(python_default OFF)
  if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CROSSCOMPILING)
    message(STATUS "The Python package is left out: it needs python3 (3.11) with NumPy, "
                   "CPython's headers and, for tests, pytest; and DLPack's header "
                   "(tools/install-deps tests)")
  endif()
endif()
option(CUMSUM_BUILD_PYTHON "Build the Python package (needs CPython 3.11 and DLPack's header)"
       ${python_default})
if(CUMSUM_BUILD_PYTHON)
  if(NOT DLPACK_INCLUDE_DIR)
    message(FATAL_ERROR "The Python package needs dlpack/dlpack.h (Debian: libdlpack-dev); "
                        "-DCUMSUM_BUILD_PYTHON=OFF leaves it out")
  endif()
  find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter Development.Module)
endif()
