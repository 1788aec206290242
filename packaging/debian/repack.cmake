# SPDX-License-Identifier: MIT
# Run by cpack when the packages are made: has dpkg-deb make them again. CPack's own have modes in
# them that depend on the umask, and scripts that call ldconfig in those with a library, where
# Debian's policy (8.1.1) wants the trigger, which is there, alone.
find_program(dpkg_deb dpkg-deb REQUIRED)

foreach(package IN LISTS CPACK_PACKAGE_FILES)
  set(tree ${CPACK_TEMPORARY_DIRECTORY}/repacked)
  file(REMOVE_RECURSE ${tree})
  execute_process(COMMAND ${dpkg_deb} --raw-extract ${package} ${tree} COMMAND_ERROR_IS_FATAL ANY)
  if(EXISTS ${tree}/DEBIAN/triggers)
    file(REMOVE ${tree}/DEBIAN/postinst ${tree}/DEBIAN/postrm)
  endif()
  file(CHMOD ${tree} ${tree}/DEBIAN PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ
                                                GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  execute_process(COMMAND ${dpkg_deb} -Z${CPACK_DEBIAN_COMPRESSION_TYPE} --root-owner-group --build
                          ${tree} ${package} COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
endforeach()
