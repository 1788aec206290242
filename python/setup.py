# SPDX-License-Identifier: MIT
"""Builds the wheel: setuptools packs the Python files, CMake builds the extension.

The extension contains the library, and works with every CPython from 3.11 on. The build needs the
source tree around this folder, CMake and a C compiler.
"""

import os
import pathlib
import re
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

try:
    from wheel.bdist_wheel import bdist_wheel
except ImportError:  # part of setuptools from version 70 on
    from setuptools.command.bdist_wheel import bdist_wheel

ROOT = pathlib.Path(__file__).resolve().parent.parent


def version():
    """The version of the library, from the top-level CMakeLists.txt."""
    lists = ROOT / "CMakeLists.txt"
    if not lists.exists():
        raise SystemExit(f"{lists} is missing: the package can only be built in the library's source tree")
    text = lists.read_text(encoding="utf-8")
    return re.search(r"^\s*VERSION (\d+\.\d+\.\d+)$", text, re.MULTILINE).group(1)


class BuildWithCMake(build_ext):
    """Configures and builds the extension in setuptools' temporary folder."""

    def build_extension(self, ext):
        build = pathlib.Path(self.build_temp).resolve()
        destination = pathlib.Path(self.get_ext_fullpath(ext.name)).resolve().parent
        options = {
            "BUILD_SHARED_LIBS": "OFF",
            "CMAKE_BUILD_TYPE": "Release",
            "CMAKE_POSITION_INDEPENDENT_CODE": "ON",
            "CUMSUM_BUILD_PYTHON": "ON",
            "CUMSUM_BUILD_TESTS": "OFF",
            "CUMSUM_BUILD_TOOL": "OFF",
            "CUMSUM_WITH_D3D12": "OFF",
            "CUMSUM_PYTHON_INSTALL_DIR": destination.parent,
            "Python3_EXECUTABLE": sys.executable,
        }
        more = os.environ.get("CMAKE_ARGS", "").split()
        configure = [f"-D{name}={value}" for name, value in options.items()] + more
        subprocess.run(["cmake", "-S", ROOT, "-B", build, *configure], check=True)
        jobs = str(os.cpu_count() or 1)
        subprocess.run(
            ["cmake", "--build", build, "--config", "Release", "-j", jobs, "-t", "cumsum_python"],
            check=True,
        )
        subprocess.run(["cmake", "--install", build, "--component", "python"], check=True)


class StableAbiWheel(bdist_wheel):
    """Names the wheel for the stable ABI of CPython 3.11, since setuptools would name one version."""

    def get_tag(self):
        _, _, platform = super().get_tag()
        return "cp311", "abi3", platform


setup(
    version=version(),
    ext_modules=[Extension("cumsum._cumsum", sources=[], py_limited_api=True)],
    cmdclass={"build_ext": BuildWithCMake, "bdist_wheel": StableAbiWheel},
)
