# Avoid multiple calls to find_package to append duplicated properties to the targets
include_guard()########### VARIABLES #######################################################################
#############################################################################################
set(cumsum_FRAMEWORKS_FOUND_RELEASE "") # Will be filled later
conan_find_apple_frameworks(cumsum_FRAMEWORKS_FOUND_RELEASE "${cumsum_FRAMEWORKS_RELEASE}" "${cumsum_FRAMEWORK_DIRS_RELEASE}")

set(cumsum_LIBRARIES_TARGETS "") # Will be filled later


######## Create an interface target to contain all the dependencies (frameworks, system and conan deps)
if(NOT TARGET cumsum_DEPS_TARGET)
    add_library(cumsum_DEPS_TARGET INTERFACE IMPORTED)
endif()

set_property(TARGET cumsum_DEPS_TARGET
             APPEND PROPERTY INTERFACE_LINK_LIBRARIES
             $<$<CONFIG:Release>:${cumsum_FRAMEWORKS_FOUND_RELEASE}>
             $<$<CONFIG:Release>:${cumsum_SYSTEM_LIBS_RELEASE}>
             $<$<CONFIG:Release>:pthreadpool::pthreadpool;cpuinfo::cpuinfo>)

####### Find the libraries declared in cpp_info.libs, create an IMPORTED target for each one and link the
####### cumsum_DEPS_TARGET to all of them
conan_package_library_targets("${cumsum_LIBS_RELEASE}"    # libraries
                              "${cumsum_LIB_DIRS_RELEASE}" # package_libdir
                              "${cumsum_BIN_DIRS_RELEASE}" # package_bindir
                              "${cumsum_LIBRARY_TYPE_RELEASE}"
                              "${cumsum_IS_HOST_WINDOWS_RELEASE}"
                              cumsum_DEPS_TARGET
                              cumsum_LIBRARIES_TARGETS  # out_libraries_targets
                              "_RELEASE"
                              "cumsum"    # package_name
                              "${cumsum_NO_SONAME_MODE_RELEASE}")  # soname

# FIXME: What is the result of this for multi-config? All configs adding themselves to path?
set(CMAKE_MODULE_PATH ${cumsum_BUILD_DIRS_RELEASE} ${CMAKE_MODULE_PATH})

########## COMPONENTS TARGET PROPERTIES Release ########################################

    ########## COMPONENT cumsum::cumsum #############

        set(cumsum_cumsum_cumsum_FRAMEWORKS_FOUND_RELEASE "")
        conan_find_apple_frameworks(cumsum_cumsum_cumsum_FRAMEWORKS_FOUND_RELEASE "${cumsum_cumsum_cumsum_FRAMEWORKS_RELEASE}" "${cumsum_cumsum_cumsum_FRAMEWORK_DIRS_RELEASE}")

        set(cumsum_cumsum_cumsum_LIBRARIES_TARGETS "")

        ######## Create an interface target to contain all the dependencies (frameworks, system and conan deps)
        if(NOT TARGET cumsum_cumsum_cumsum_DEPS_TARGET)
            add_library(cumsum_cumsum_cumsum_DEPS_TARGET INTERFACE IMPORTED)
        endif()

        set_property(TARGET cumsum_cumsum_cumsum_DEPS_TARGET
                     APPEND PROPERTY INTERFACE_LINK_LIBRARIES
                     $<$<CONFIG:Release>:${cumsum_cumsum_cumsum_FRAMEWORKS_FOUND_RELEASE}>
                     $<$<CONFIG:Release>:${cumsum_cumsum_cumsum_SYSTEM_LIBS_RELEASE}>
                     $<$<CONFIG:Release>:${cumsum_cumsum_cumsum_DEPENDENCIES_RELEASE}>
                     )

        ####### Find the libraries declared in cpp_info.component["xxx"].libs,
        ####### create an IMPORTED target for each one and link the 'cumsum_cumsum_cumsum_DEPS_TARGET' to all of them
        conan_package_library_targets("${cumsum_cumsum_cumsum_LIBS_RELEASE}"
                              "${cumsum_cumsum_cumsum_LIB_DIRS_RELEASE}"
                              "${cumsum_cumsum_cumsum_BIN_DIRS_RELEASE}" # package_bindir
                              "${cumsum_cumsum_cumsum_LIBRARY_TYPE_RELEASE}"
                              "${cumsum_cumsum_cumsum_IS_HOST_WINDOWS_RELEASE}"
                              cumsum_cumsum_cumsum_DEPS_TARGET
                              cumsum_cumsum_cumsum_LIBRARIES_TARGETS
                              "_RELEASE"
                              "cumsum_cumsum_cumsum"
                              "${cumsum_cumsum_cumsum_NO_SONAME_MODE_RELEASE}")


        ########## TARGET PROPERTIES #####################################
        set_property(TARGET cumsum::cumsum
                     APPEND PROPERTY INTERFACE_LINK_LIBRARIES
                     $<$<CONFIG:Release>:${cumsum_cumsum_cumsum_OBJECTS_RELEASE}>
                     $<$<CONFIG:Release>:${cumsum_cumsum_cumsum_LIBRARIES_TARGETS}>
                     )

        if("${cumsum_cumsum_cumsum_LIBS_RELEASE}" STREQUAL "")
            # If the component is not declaring any "cpp_info.components['foo'].libs" the system, frameworks etc are not
            # linked to the imported targets and we need to do it to the global target
            set_property(TARGET cumsum::cumsum
                         APPEND PROPERTY INTERFACE_LINK_LIBRARIES
                         cumsum_cumsum_cumsum_DEPS_TARGET)
        endif()

        set_property(TARGET cumsum::cumsum APPEND PROPERTY INTERFACE_LINK_OPTIONS
                     $<$<CONFIG:Release>:${cumsum_cumsum_cumsum_LINKER_FLAGS_RELEASE}>)
        set_property(TARGET cumsum::cumsum APPEND PROPERTY INTERFACE_INCLUDE_DIRECTORIES
                     $<$<CONFIG:Release>:${cumsum_cumsum_cumsum_INCLUDE_DIRS_RELEASE}>)
        set_property(TARGET cumsum::cumsum APPEND PROPERTY INTERFACE_LINK_DIRECTORIES
                     $<$<CONFIG:Release>:${cumsum_cumsum_cumsum_LIB_DIRS_RELEASE}>)
        set_property(TARGET cumsum::cumsum APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS
                     $<$<CONFIG:Release>:${cumsum_cumsum_cumsum_COMPILE_DEFINITIONS_RELEASE}>)
        set_property(TARGET cumsum::cumsum APPEND PROPERTY INTERFACE_COMPILE_OPTIONS
                     $<$<CONFIG:Release>:${cumsum_cumsum_cumsum_COMPILE_OPTIONS_RELEASE}>)

    ########## AGGREGATED GLOBAL TARGET WITH THE COMPONENTS #####################
    set_property(TARGET cumsum::cumsum APPEND PROPERTY INTERFACE_LINK_LIBRARIES cumsum::cumsum)

########## For the modules (FindXXX)
set(cumsum_LIBRARIES_RELEASE cumsum::cumsum)
