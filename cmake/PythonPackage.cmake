# SPDX-License-Identifier: MIT
# Decides whether to have the Python package in the build, and for which interpreter it is tested. It
# tries python3 in the PATH and then /usr/bin/python3, and takes the first one that has version 3.11 or
# later, NumPy and, if tests are built, pytest. -DPython3_EXECUTABLE=... names another one.
function(find_python_with_numpy)
  if(DEFINED Python3_EXECUTABLE OR CMAKE_CROSSCOMPILING OR NOT PROJECT_IS_TOP_LEVEL)
    return()
  endif()
  set(modules numpy)
  if(CUMSUM_BUILD_TESTS)
    set(modules "numpy, pytest")
  endif()
  find_program(python_in_path python3 NO_CACHE)
  foreach(python ${python_in_path} /usr/bin/python3)
    execute_process(COMMAND ${python} -c "import ${modules}, sys; sys.exit(sys.version_info < (3, 11))"
                    RESULT_VARIABLE missing OUTPUT_QUIET ERROR_QUIET)
    if(missing EQUAL 0)
      set(Python3_EXECUTABLE
          ${python}
          CACHE FILEPATH "The interpreter that the Python package is tested with")
      return()
    endif()
  endforeach()
endfunction()

find_python_with_numpy()
# With a sanitizer the library needs the sanitizer's own in the interpreter. python/tests preloads
# gcc's address sanitizer. Others cannot be preloaded: with these the package is left out.
if(CUMSUM_SANITIZE AND NOT (CUMSUM_SANITIZE MATCHES "^address" AND CMAKE_C_COMPILER_ID STREQUAL "GNU"))
  set(python_default OFF)
elseif(Python3_EXECUTABLE AND BUILD_SHARED_LIBS AND PROJECT_IS_TOP_LEVEL)
  set(python_default ON)
else()
  set(python_default OFF)
  if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CROSSCOMPILING)
    message(STATUS "The Python package is left out: it needs the shared library, and python3 (3.11) "
                   "with NumPy and, for tests, pytest (tools/install-deps tests)")
  endif()
endif()
option(CUMSUM_BUILD_PYTHON "Build the Python package (needs CPython 3.11 and NumPy)" ${python_default})
if(CUMSUM_BUILD_PYTHON)
  if(NOT BUILD_SHARED_LIBS)
    message(FATAL_ERROR "The Python package loads the shared library: BUILD_SHARED_LIBS must be ON, "
                        "or -DCUMSUM_BUILD_PYTHON=OFF leaves the package out")
  endif()
  find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter)
endif()
