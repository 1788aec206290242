# SPDX-License-Identifier: MIT
# Tests that the build for Windows leaves out: those that use POSIX (folders, mapped memory, symbolic
# links), and those that compare exact sums with MPFR, which Debian does not have for Windows.
set(not_on_windows
    test_file
    test_large_strides
    test_case_file_values
    test_array_member
    test_npy
    test_oracle_bounds
    test_oracle_exact
    test_oracle_tensor
    test_tool_pieces)
set(why_not_on_windows "needs POSIX or MPFR; run by the other builds")
add_library(PkgConfig::MPFR INTERFACE IMPORTED)
