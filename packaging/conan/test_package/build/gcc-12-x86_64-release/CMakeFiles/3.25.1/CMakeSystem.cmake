set(CMAKE_HOST_SYSTEM "Linux-6.18.44-fc-v669")
set(CMAKE_HOST_SYSTEM_NAME "Linux")
set(CMAKE_HOST_SYSTEM_VERSION "6.18.44-fc-v669")
set(CMAKE_HOST_SYSTEM_PROCESSOR "x86_64")

include("/tmp/wt-pack/packaging/conan/test_package/build/gcc-12-x86_64-release/generators/conan_toolchain.cmake")

set(CMAKE_SYSTEM "Linux-6.18.44-fc-v669")
set(CMAKE_SYSTEM_NAME "Linux")
set(CMAKE_SYSTEM_VERSION "6.18.44-fc-v669")
set(CMAKE_SYSTEM_PROCESSOR "x86_64")

set(CMAKE_CROSSCOMPILING "FALSE")

set(CMAKE_SYSTEM_LOADED 1)
