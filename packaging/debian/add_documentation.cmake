# SPDX-License-Identifier: MIT
# Run by cpack between installing and packing: what Debian wants in each package beside the files,
# compressed manual pages, and its modes.
find_program(gzip gzip REQUIRED)
get_filename_component(source ${CMAKE_CURRENT_LIST_DIR}/../.. ABSOLUTE)

# gzip -n leaves name and time out: the same bytes every time.
function(compress file)
  execute_process(COMMAND ${gzip} -9nf ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} variable)
  set(staged ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component}${CPACK_PACKAGING_INSTALL_PREFIX})
  set(doc ${staged}/share/doc/${CPACK_DEBIAN_${variable}_PACKAGE_NAME})
  file(COPY ${CMAKE_CURRENT_LIST_DIR}/copyright DESTINATION ${doc})
  configure_file(${CMAKE_CURRENT_LIST_DIR}/changelog ${doc}/changelog.Debian COPYONLY)
  configure_file(${source}/CHANGELOG.md ${doc}/changelog COPYONLY)
  compress(${doc}/changelog.Debian)
  compress(${doc}/changelog)
  if(component STREQUAL "development")
    file(COPY ${source}/docs/numerics.md ${source}/docs/validation.md ${source}/docs/oracle.md
         DESTINATION ${doc})
  elseif(component STREQUAL "tool")
    file(COPY ${source}/docs/command-line.md ${source}/docs/file-format.md ${source}/docs/suite.md
         DESTINATION ${doc})
  endif()
  file(GLOB pages ${staged}/share/man/man*/*.[1-9])
  foreach(page IN LISTS pages)
    compress(${page})
  endforeach()
  # Debian's libraries are not executable files.
  file(GLOB_RECURSE libraries ${staged}/lib/*.so.*)
  foreach(library IN LISTS libraries)
    if(NOT IS_SYMLINK ${library})
      file(CHMOD ${library} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
    endif()
  endforeach()
endforeach()
