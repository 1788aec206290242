# SPDX-License-Identifier: MIT
"""Builds the wheel and the source distribution: CMake builds and installs the package, setuptools
packs it.

Debian 12 has no backend that drives CMake (scikit-build-core comes with Debian 13), and the build
must work without downloads. Nothing is written into the source tree.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

HERE = pathlib.Path(__file__).resolve().parent
# A source distribution has the library's sources beside this file, the repository around its folder.
ROOT = HERE if (HERE / "src").exists() else HERE.parent
# What a source distribution contains: the first in the same places, the second in its root.
LIBRARY = ["CMakeLists.txt", "cmake", "include", "src", "threads"]
PACKAGE = ["CMakeLists.txt", "cumsum", "extension"]
FRONT = ["LICENSE", "README.md", "pyproject.toml", "setup.py"]

if sysconfig.get_config_var("Py_GIL_DISABLED"):
    raise SystemExit(
        "cumsum needs a CPython with the global interpreter lock: free-threaded ones lack the "
        "stable ABI for which it is built"
    )


def version():
    """The version of the library, from the top-level CMakeLists.txt."""
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"^\s*VERSION (\d+\.\d+\.\d+)$", text, re.MULTILINE).group(1)


class BuildWithCMake(build_ext):
    """Configures and builds in setuptools' temporary folder, and installs all files of the package."""

    def run(self):
        if self.inplace:
            raise SystemExit(
                "cumsum cannot be installed with --editable; to work on it, build it with CMake and "
                "set PYTHONPATH=build/release/python"
            )
        super().run()

    def build_extension(self, ext):
        build = pathlib.Path(self.build_temp).resolve()
        destination = pathlib.Path(self.get_ext_fullpath(ext.name)).resolve().parent
        options = {
            "BUILD_SHARED_LIBS": "OFF",
            "CMAKE_BUILD_TYPE": "Release",
            "CUMSUM_BUILD_PYTHON": "ON",
            "CUMSUM_BUILD_TESTS": "OFF",
            "CUMSUM_BUILD_TOOL": "OFF",
            "CUMSUM_INSTALL": "OFF",
            "CUMSUM_WITH_D3D12": "OFF",
            "CUMSUM_PYTHON_INSTALL_DIR": destination.parent,
            "CUMSUM_PYTHON_WHEEL": "ON",
            "Python3_EXECUTABLE": sys.executable,
        }
        arguments = [f"-D{name}={value}" for name, value in options.items()]
        if shutil.which("ninja") and "CMAKE_GENERATOR" not in os.environ:
            arguments.append("-GNinja")
        arguments += os.environ.get("CMAKE_ARGS", "").split()
        jobs = str(os.cpu_count() or 1)
        for command in (
            ["cmake", "-S", ROOT, "-B", build, *arguments],
            ["cmake", "--build", build, "--config", "Release", "-j", jobs, "-t", "cumsum_python"],
            ["cmake", "--install", build, "--strip", "--config", "Release", "--component", "python"],
        ):
            subprocess.run(command, check=True)


class SourceDistribution(sdist):
    """Packs the library's sources with the package's, so that it can be built by itself."""

    def run(self):
        self.filelist = type("Files", (), {"files": []})
        self.make_distribution()

    def make_release_tree(self, base_dir, files):
        root = pathlib.Path(base_dir)
        trees = [(ROOT, root, LIBRARY), (ROOT / "python", root / "python", PACKAGE)]
        for source, target, names in [*trees, (HERE, root, FRONT)]:
            target.mkdir(parents=True, exist_ok=True)
            for name in names:
                if (source / name).is_dir():
                    ignored = shutil.ignore_patterns("__pycache__", "gpu")
                    shutil.copytree(source / name, target / name, ignore=ignored)
                else:
                    shutil.copy(source / name, target / name)
        self.distribution.metadata.write_pkg_info(base_dir)


with tempfile.TemporaryDirectory() as scratch:
    setup(
        version=version(),
        license="MIT",
        ext_modules=[Extension("cumsum._cumsum", sources=[], py_limited_api=True)],
        cmdclass={"build_ext": BuildWithCMake, "sdist": SourceDistribution},
        options={
            "build": {"build_base": scratch},
            "egg_info": {"egg_base": scratch},
            "bdist_wheel": {"py_limited_api": "cp311"},
        },
    )
