# SPDX-License-Identifier: MIT
# cpack runs this between installing and packing: it adds the copyright, the changelogs and the
# documents that Debian wants in each package, and compresses them and the manual pages.
find_program(gzip gzip REQUIRED)
get_filename_component(source ${CMAKE_CURRENT_LIST_DIR}/../.. ABSOLUTE)

# gzip -n omits name and time, so that the packages are reproducible.
function(compress file)
  execute_process(COMMAND ${gzip} -9nf ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} variable)
  set(staged ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component}${CPACK_PACKAGING_INSTALL_PREFIX})
  set(doc ${staged}/share/doc/${CPACK_DEBIAN_${variable}_PACKAGE_NAME})
  file(COPY ${CMAKE_CURRENT_LIST_DIR}/copyright DESTINATION ${doc})
  file(READ ${CMAKE_CURRENT_LIST_DIR}/changelog changes)
  string(REPLACE "${CPACK_CUMSUM_NO_CONTACT}" "${CPACK_PACKAGE_CONTACT}" changes "${changes}")
  file(WRITE ${doc}/changelog.Debian "${changes}")
  configure_file(${source}/CHANGELOG.md ${doc}/changelog COPYONLY)
  compress(${doc}/changelog.Debian)
  compress(${doc}/changelog)
  if(component STREQUAL "development")
    file(COPY ${source}/docs/numerics.md ${source}/docs/validation.md ${source}/docs/oracle.md
         DESTINATION ${doc})
  elseif(component STREQUAL "tool")
    foreach(page command-line file-format gpu numerics onnx oracle suite validation)
      file(COPY ${source}/docs/${page}.md DESTINATION ${doc})
    endforeach()
  endif()
  file(GLOB pages ${staged}/share/man/man*/*.[1-9])
  foreach(page IN LISTS pages)
    compress(${page})
  endforeach()
endforeach()
