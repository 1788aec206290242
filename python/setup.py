# SPDX-License-Identifier: MIT
"""Builds the wheel and the source distribution: CMake builds and installs the package, setuptools
packs it.

Debian 12 has no backend that drives CMake (scikit-build-core comes with Debian 13), and the build
must work without downloads. Nothing is written into the source tree.
"""

import os
import pathlib
import platform
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
LIBRARY = ["CMakeLists.txt", "cmake", "include", "lists", "src", "threads", "tools", "web/report"]
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


def kernels():
    """Those of the machine's family. Processors without them take the reference, which has the same
    bits; the portable kernels take as long to compile as all others."""
    machine = platform.machine().lower()
    if machine in ("x86_64", "amd64"):
        return "avx2;avx512"
    return "neon" if machine in ("aarch64", "arm64") else "portable"


def has_what_the_program_needs():
    command = ["pkg-config", "--exists", "json-c"]
    there = bool(shutil.which(command[0])) and subprocess.run(command, check=False).returncode == 0
    if not there:
        print("cumsum: pkg-config finds no json-c, so the wheel has no program `cumsum`", flush=True)
    return there


# Another pthreadpool in the process, such as PyTorch's, must not be taken for this one: the loader
# goes by the name that a library gives itself. Both names are as long, so no offset changes.
THEIR_NAME, OWN_NAME = b"libpthreadpool.so.0", b"libcumsum_pool.so.0"


def settle_libraries(folder):
    """Leaves each library once, by the name under which it is loaded (wheels have no links), and
    gives pthreadpool a name of its own, in itself and in what needs it."""
    for link in [path for path in folder.iterdir() if path.is_symlink()]:
        content = link.read_bytes()
        link.unlink()
        link.write_bytes(content)
    names = {path.name for path in folder.glob("lib*.so.*")}
    for name in names:
        if any(name.startswith(other + ".") for other in names):
            (folder / name).unlink()
    for path in [path for path in folder.iterdir() if ".py" not in path.name]:
        content = path.read_bytes()
        if THEIR_NAME in content:
            path.write_bytes(content.replace(THEIR_NAME, OWN_NAME))
    if (folder / THEIR_NAME.decode()).exists():
        (folder / THEIR_NAME.decode()).replace(folder / OWN_NAME.decode())


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
            "CUMSUM_BUILD_TOOL": "ON" if has_what_the_program_needs() else "OFF",
            "CUMSUM_KERNELS": kernels(),
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
            ["cmake", "--build", build, "--config", "Release", "-j", jobs, "-t", "cumsum_wheel"],
            ["cmake", "--install", build, "--strip", "--config", "Release", "--component", "python"],
        ):
            subprocess.run(command, check=True)
        settle_libraries(destination)


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
                    ignored = shutil.ignore_patterns("__pycache__", "gpu", "gpu-kit")
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
