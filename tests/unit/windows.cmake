# SPDX-License-Identifier: MIT
# Tests that the build for Windows leaves out: those that use POSIX (folders, mapped memory, symbolic
# links).
set(not_on_windows
    test_file
    test_large_strides
    test_case_file_values
    test_array_member
    test_npy
    test_tool_pieces)
set(why_not_on_windows "needs POSIX; run by the other builds")
