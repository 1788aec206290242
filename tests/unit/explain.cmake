# SPDX-License-Identifier: MIT
# What a judgement says of wrong and suspect outputs.
cumsum_check(check unit test_explain test_hypotheses test_error_steps)
cumsum_check_run(unit.test_error_steps.all check test_error_steps all)
set_tests_properties(unit.test_error_steps.all PROPERTIES LABELS exhaustive)
cumsum_guards(explain NEEDS check)
