# SPDX-License-Identifier: MIT
# cpack runs this after it has made the packages: dpkg-deb makes them again. CPack's packages have
# modes that depend on the umask. Those with a library also have scripts that call ldconfig,
# although Debian's policy (8.1.1) wants only the trigger, which they have too.
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
