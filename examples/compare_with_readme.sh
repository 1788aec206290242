#!/bin/sh
# SPDX-License-Identifier: MIT
# compare_with_readme.sh EXAMPLE README: the README's one ```c block is the example, less its
# licence line and title.
sed '1,2d' "$1" >example.$$
awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$2" >readme.$$
diff -u example.$$ readme.$$
status=$?
rm -f example.$$ readme.$$
exit $status
