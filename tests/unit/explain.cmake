# SPDX-License-Identifier: MIT
# What a judgement says of wrong and doubtful outputs.
foreach(name test_explain test_hypotheses test_error_steps)
  cumsum_unit_test(${name} ${name}.c)
endforeach()
cumsum_tests_all(test_error_steps)
cumsum_guards(explain)
