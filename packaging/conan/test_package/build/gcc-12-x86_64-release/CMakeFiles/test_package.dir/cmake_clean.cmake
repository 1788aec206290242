file(REMOVE_RECURSE
  "CMakeFiles/test_package.dir/test_package.c.o"
  "CMakeFiles/test_package.dir/test_package.c.o.d"
  "test_package"
  "test_package.pdb"
)

# Per-language clean rules from dependency scanning.
foreach(lang C)
  include(CMakeFiles/test_package.dir/cmake_clean_${lang}.cmake OPTIONAL)
endforeach()
