# Avoid multiple calls to find_package to append duplicated properties to the targets
include_guard()########### VARIABLES #######################################################################
#############################################################################################
set(pthreadpool_FRAMEWORKS_FOUND_RELEASE "") # Will be filled later
conan_find_apple_frameworks(pthreadpool_FRAMEWORKS_FOUND_RELEASE "${pthreadpool_FRAMEWORKS_RELEASE}" "${pthreadpool_FRAMEWORK_DIRS_RELEASE}")

set(pthreadpool_LIBRARIES_TARGETS "") # Will be filled later


######## Create an interface target to contain all the dependencies (frameworks, system and conan deps)
if(NOT TARGET pthreadpool_DEPS_TARGET)
    add_library(pthreadpool_DEPS_TARGET INTERFACE IMPORTED)
endif()

set_property(TARGET pthreadpool_DEPS_TARGET
             APPEND PROPERTY INTERFACE_LINK_LIBRARIES
             $<$<CONFIG:Release>:${pthreadpool_FRAMEWORKS_FOUND_RELEASE}>
             $<$<CONFIG:Release>:${pthreadpool_SYSTEM_LIBS_RELEASE}>
             $<$<CONFIG:Release>:>)

####### Find the libraries declared in cpp_info.libs, create an IMPORTED target for each one and link the
####### pthreadpool_DEPS_TARGET to all of them
conan_package_library_targets("${pthreadpool_LIBS_RELEASE}"    # libraries
                              "${pthreadpool_LIB_DIRS_RELEASE}" # package_libdir
                              "${pthreadpool_BIN_DIRS_RELEASE}" # package_bindir
                              "${pthreadpool_LIBRARY_TYPE_RELEASE}"
                              "${pthreadpool_IS_HOST_WINDOWS_RELEASE}"
                              pthreadpool_DEPS_TARGET
                              pthreadpool_LIBRARIES_TARGETS  # out_libraries_targets
                              "_RELEASE"
                              "pthreadpool"    # package_name
                              "${pthreadpool_NO_SONAME_MODE_RELEASE}")  # soname

# FIXME: What is the result of this for multi-config? All configs adding themselves to path?
set(CMAKE_MODULE_PATH ${pthreadpool_BUILD_DIRS_RELEASE} ${CMAKE_MODULE_PATH})

########## GLOBAL TARGET PROPERTIES Release ########################################
    set_property(TARGET pthreadpool::pthreadpool
                 APPEND PROPERTY INTERFACE_LINK_LIBRARIES
                 $<$<CONFIG:Release>:${pthreadpool_OBJECTS_RELEASE}>
                 $<$<CONFIG:Release>:${pthreadpool_LIBRARIES_TARGETS}>
                 )

    if("${pthreadpool_LIBS_RELEASE}" STREQUAL "")
        # If the package is not declaring any "cpp_info.libs" the package deps, system libs,
        # frameworks etc are not linked to the imported targets and we need to do it to the
        # global target
        set_property(TARGET pthreadpool::pthreadpool
                     APPEND PROPERTY INTERFACE_LINK_LIBRARIES
                     pthreadpool_DEPS_TARGET)
    endif()

    set_property(TARGET pthreadpool::pthreadpool
                 APPEND PROPERTY INTERFACE_LINK_OPTIONS
                 $<$<CONFIG:Release>:${pthreadpool_LINKER_FLAGS_RELEASE}>)
    set_property(TARGET pthreadpool::pthreadpool
                 APPEND PROPERTY INTERFACE_INCLUDE_DIRECTORIES
                 $<$<CONFIG:Release>:${pthreadpool_INCLUDE_DIRS_RELEASE}>)
    # Necessary to find LINK shared libraries in Linux
    set_property(TARGET pthreadpool::pthreadpool
                 APPEND PROPERTY INTERFACE_LINK_DIRECTORIES
                 $<$<CONFIG:Release>:${pthreadpool_LIB_DIRS_RELEASE}>)
    set_property(TARGET pthreadpool::pthreadpool
                 APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS
                 $<$<CONFIG:Release>:${pthreadpool_COMPILE_DEFINITIONS_RELEASE}>)
    set_property(TARGET pthreadpool::pthreadpool
                 APPEND PROPERTY INTERFACE_COMPILE_OPTIONS
                 $<$<CONFIG:Release>:${pthreadpool_COMPILE_OPTIONS_RELEASE}>)

########## For the modules (FindXXX)
set(pthreadpool_LIBRARIES_RELEASE pthreadpool::pthreadpool)
