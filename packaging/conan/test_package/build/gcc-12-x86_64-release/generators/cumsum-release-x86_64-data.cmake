########### AGGREGATED COMPONENTS AND DEPENDENCIES FOR THE MULTI CONFIG #####################
#############################################################################################

list(APPEND cumsum_COMPONENT_NAMES cumsum::cumsum)
list(REMOVE_DUPLICATES cumsum_COMPONENT_NAMES)
if(DEFINED cumsum_FIND_DEPENDENCY_NAMES)
  list(APPEND cumsum_FIND_DEPENDENCY_NAMES pthreadpool cpuinfo)
  list(REMOVE_DUPLICATES cumsum_FIND_DEPENDENCY_NAMES)
else()
  set(cumsum_FIND_DEPENDENCY_NAMES pthreadpool cpuinfo)
endif()
set(pthreadpool_FIND_MODE "NO_MODULE")
set(cpuinfo_FIND_MODE "NO_MODULE")

########### VARIABLES #######################################################################
#############################################################################################
set(cumsum_PACKAGE_FOLDER_RELEASE "/tmp/pack-conan/home/p/b/cumsufd0ae018376ba/p")
set(cumsum_BUILD_MODULES_PATHS_RELEASE )


set(cumsum_INCLUDE_DIRS_RELEASE "${cumsum_PACKAGE_FOLDER_RELEASE}/include")
set(cumsum_RES_DIRS_RELEASE )
set(cumsum_DEFINITIONS_RELEASE )
set(cumsum_SHARED_LINK_FLAGS_RELEASE )
set(cumsum_EXE_LINK_FLAGS_RELEASE )
set(cumsum_OBJECTS_RELEASE )
set(cumsum_COMPILE_DEFINITIONS_RELEASE )
set(cumsum_COMPILE_OPTIONS_C_RELEASE )
set(cumsum_COMPILE_OPTIONS_CXX_RELEASE )
set(cumsum_LIB_DIRS_RELEASE "${cumsum_PACKAGE_FOLDER_RELEASE}/lib")
set(cumsum_BIN_DIRS_RELEASE )
set(cumsum_LIBRARY_TYPE_RELEASE STATIC)
set(cumsum_IS_HOST_WINDOWS_RELEASE 0)
set(cumsum_LIBS_RELEASE cumsum)
set(cumsum_SYSTEM_LIBS_RELEASE m pthread)
set(cumsum_FRAMEWORK_DIRS_RELEASE )
set(cumsum_FRAMEWORKS_RELEASE )
set(cumsum_BUILD_DIRS_RELEASE )
set(cumsum_NO_SONAME_MODE_RELEASE FALSE)


# COMPOUND VARIABLES
set(cumsum_COMPILE_OPTIONS_RELEASE
    "$<$<COMPILE_LANGUAGE:CXX>:${cumsum_COMPILE_OPTIONS_CXX_RELEASE}>"
    "$<$<COMPILE_LANGUAGE:C>:${cumsum_COMPILE_OPTIONS_C_RELEASE}>")
set(cumsum_LINKER_FLAGS_RELEASE
    "$<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,SHARED_LIBRARY>:${cumsum_SHARED_LINK_FLAGS_RELEASE}>"
    "$<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,MODULE_LIBRARY>:${cumsum_SHARED_LINK_FLAGS_RELEASE}>"
    "$<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:${cumsum_EXE_LINK_FLAGS_RELEASE}>")


set(cumsum_COMPONENTS_RELEASE cumsum::cumsum)
########### COMPONENT cumsum::cumsum VARIABLES ############################################

set(cumsum_cumsum_cumsum_INCLUDE_DIRS_RELEASE "${cumsum_PACKAGE_FOLDER_RELEASE}/include")
set(cumsum_cumsum_cumsum_LIB_DIRS_RELEASE "${cumsum_PACKAGE_FOLDER_RELEASE}/lib")
set(cumsum_cumsum_cumsum_BIN_DIRS_RELEASE )
set(cumsum_cumsum_cumsum_LIBRARY_TYPE_RELEASE STATIC)
set(cumsum_cumsum_cumsum_IS_HOST_WINDOWS_RELEASE 0)
set(cumsum_cumsum_cumsum_RES_DIRS_RELEASE )
set(cumsum_cumsum_cumsum_DEFINITIONS_RELEASE )
set(cumsum_cumsum_cumsum_OBJECTS_RELEASE )
set(cumsum_cumsum_cumsum_COMPILE_DEFINITIONS_RELEASE )
set(cumsum_cumsum_cumsum_COMPILE_OPTIONS_C_RELEASE "")
set(cumsum_cumsum_cumsum_COMPILE_OPTIONS_CXX_RELEASE "")
set(cumsum_cumsum_cumsum_LIBS_RELEASE cumsum)
set(cumsum_cumsum_cumsum_SYSTEM_LIBS_RELEASE m pthread)
set(cumsum_cumsum_cumsum_FRAMEWORK_DIRS_RELEASE )
set(cumsum_cumsum_cumsum_FRAMEWORKS_RELEASE )
set(cumsum_cumsum_cumsum_DEPENDENCIES_RELEASE pthreadpool::pthreadpool cpuinfo::cpuinfo)
set(cumsum_cumsum_cumsum_SHARED_LINK_FLAGS_RELEASE )
set(cumsum_cumsum_cumsum_EXE_LINK_FLAGS_RELEASE )
set(cumsum_cumsum_cumsum_NO_SONAME_MODE_RELEASE FALSE)

# COMPOUND VARIABLES
set(cumsum_cumsum_cumsum_LINKER_FLAGS_RELEASE
        $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,SHARED_LIBRARY>:${cumsum_cumsum_cumsum_SHARED_LINK_FLAGS_RELEASE}>
        $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,MODULE_LIBRARY>:${cumsum_cumsum_cumsum_SHARED_LINK_FLAGS_RELEASE}>
        $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:${cumsum_cumsum_cumsum_EXE_LINK_FLAGS_RELEASE}>
)
set(cumsum_cumsum_cumsum_COMPILE_OPTIONS_RELEASE
    "$<$<COMPILE_LANGUAGE:CXX>:${cumsum_cumsum_cumsum_COMPILE_OPTIONS_CXX_RELEASE}>"
    "$<$<COMPILE_LANGUAGE:C>:${cumsum_cumsum_cumsum_COMPILE_OPTIONS_C_RELEASE}>")