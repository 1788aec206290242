#!/bin/sh
# SPDX-License-Identifier: MIT
# compare_with_readme.sh EXAMPLE README: checks that the one ```c block of the README is equal to
# the example without its first two lines, the licence and the title.
sed '1,2d' "$1" >example.$$
awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$2" >readme.$$
diff -u example.$$ readme.$$
status=$?
rm -f example.$$ readme.$$
exit $status
