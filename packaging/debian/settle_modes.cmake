# SPDX-License-Identifier: MIT
# cpack runs this last before packing: it sets the file modes that Debian wants, so that the
# packages do not depend on the umask. Debian's shared libraries are not executable.
set(all_read OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
set(all_execute OWNER_EXECUTE GROUP_EXECUTE WORLD_EXECUTE)

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  set(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component})
  file(GLOB_RECURSE entries LIST_DIRECTORIES ON ${root}/*)
  foreach(entry IN LISTS entries)
    if(IS_SYMLINK ${entry})
      continue()
    elseif(IS_DIRECTORY ${entry} OR entry MATCHES "/bin/[^/]+$")
      file(CHMOD ${entry} PERMISSIONS ${all_read} ${all_execute})
    else()
      file(CHMOD ${entry} PERMISSIONS ${all_read})
    endif()
  endforeach()
  file(CHMOD ${root} PERMISSIONS ${all_read} ${all_execute})
endforeach()
