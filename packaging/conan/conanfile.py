# SPDX-License-Identifier: MIT
"""Conan 2 recipe of the libraries: `conan create packaging/conan`."""

import os

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir

required_conan_version = ">=2.4"  # the first version with the attribute `languages`

SOURCES = ["CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "src/*"]


class CumsumConan(ConanFile):
    name = "cumsum"
    description = ("DirectML's cumulative summation on the CPU, bit for bit, "
                   "and an oracle that judges it")
    license = "MIT"
    topics = ("prefix-sum", "cumulative-sum", "directml", "numerics")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {
        "shared": [True, False],
        "fPIC": [True, False],
        "with_pthreadpool": [True, False],
        "with_d3d12": [True, False],
    }
    default_options = {
        "shared": False,
        "fPIC": True,
        "with_pthreadpool": True,
        "with_d3d12": False,
    }
    implements = ["auto_shared_fpic"]
    languages = "C"

    def set_version(self):
        text = load(self, os.path.join(self._root, "CMakeLists.txt"))
        self.version = text.split("VERSION ", 2)[2].split()[0]

    @property
    def _root(self):
        return os.path.join(self.recipe_folder, os.pardir, os.pardir)

    def export_sources(self):
        for pattern in SOURCES:
            copy(self, pattern, self._root, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        if self.options.with_pthreadpool:
            self.requires("pthreadpool/cci.20231129")
        if self.options.with_d3d12 and self.settings.os != "Windows":
            self.requires("directx-headers/1.610.2")

    def validate(self):
        if self.settings.arch not in ("x86_64", "armv8"):
            raise ConanInvalidConfiguration(f"{self.ref} supports only x86_64 and armv8")
        if self.settings.compiler == "msvc":
            raise ConanInvalidConfiguration(f"{self.ref} has not been tested with cl (docs/building.md)")
        if self.options.with_d3d12 and self.settings.os not in ("Windows", "Linux"):
            raise ConanInvalidConfiguration("Direct3D 12 is available only on Windows and Linux")

    def build_requirements(self):
        self.tool_requires("cmake/[>=3.25]")

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["CUMSUM_BUILD_TOOL"] = False
        toolchain.cache_variables["CUMSUM_BUILD_TESTS"] = False
        toolchain.cache_variables["CUMSUM_BUILD_PYTHON"] = False
        toolchain.cache_variables["CUMSUM_INSTALL"] = True
        for option in ("pthreadpool", "d3d12"):
            toolchain.cache_variables[f"CUMSUM_WITH_{option.upper()}"] = bool(
                self.options.get_safe(f"with_{option}"))
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()
        rmdir(self, os.path.join(self.package_folder, "lib", "cmake"))
        rmdir(self, os.path.join(self.package_folder, "lib", "pkgconfig"))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "cumsum")
        core = self.cpp_info.components["core"]
        core.set_property("cmake_target_name", "cumsum::cumsum")
        core.set_property("pkg_config_name", "cumsum")
        core.libs = ["cumsum"]
        if self.options.shared:
            core.defines = ["CUMSUM_SHARED"]
        if self.options.with_pthreadpool:
            core.requires.append("pthreadpool::pthreadpool")
        if self.settings.os in ("Linux", "FreeBSD"):
            core.system_libs = ["m", "pthread"]
        if self.options.with_d3d12:
            self._d3d12_info(self.cpp_info.components["d3d12"])

    def _d3d12_info(self, d3d12):
        d3d12.set_property("cmake_target_name", "cumsum::d3d12")
        d3d12.set_property("pkg_config_name", "cumsum-d3d12")
        d3d12.libs = ["cumsum-d3d12"]
        d3d12.requires = ["core"]
        if self.settings.os == "Linux":
            d3d12.requires.append("directx-headers::directx-headers")
            d3d12.system_libs = ["dl"]
