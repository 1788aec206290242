# Load the debug and release variables
file(GLOB DATA_FILES "${CMAKE_CURRENT_LIST_DIR}/cumsum-*-data.cmake")

foreach(f ${DATA_FILES})
    include(${f})
endforeach()

# Create the targets for all the components
foreach(_COMPONENT ${cumsum_COMPONENT_NAMES} )
    if(NOT TARGET ${_COMPONENT})
        add_library(${_COMPONENT} INTERFACE IMPORTED)
        message(${cumsum_MESSAGE_MODE} "Conan: Component target declared '${_COMPONENT}'")
    endif()
endforeach()

if(NOT TARGET cumsum::cumsum)
    add_library(cumsum::cumsum INTERFACE IMPORTED)
    message(${cumsum_MESSAGE_MODE} "Conan: Target declared 'cumsum::cumsum'")
endif()
# Load the debug and release library finders
file(GLOB CONFIG_FILES "${CMAKE_CURRENT_LIST_DIR}/cumsum-Target-*.cmake")

foreach(f ${CONFIG_FILES})
    include(${f})
endforeach()