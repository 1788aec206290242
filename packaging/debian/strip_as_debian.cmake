# SPDX-License-Identifier: MIT
# cpack runs this between installing and packing, after its own strip: it removes the sections that
# Debian's dh_strip removes too, above all the compiler's name and version.
find_program(strip strip REQUIRED)

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  set(staged ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component}${CPACK_PACKAGING_INSTALL_PREFIX})
  file(GLOB_RECURSE linked ${staged}/bin/* ${staged}/lib/*.so.*.*.*)
  file(GLOB_RECURSE archives ${staged}/lib/*.a)
  foreach(file IN LISTS linked)
    execute_process(COMMAND ${strip} --remove-section=.comment --remove-section=.note ${file}
                            COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  foreach(file IN LISTS archives)
    execute_process(COMMAND ${strip} --strip-debug --remove-section=.comment --remove-section=.note
                            --enable-deterministic-archives ${file} COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
endforeach()
