# SPDX-License-Identifier: MIT
"""Builds the wheel and the source distribution: CMake builds the library and the program, setuptools
packs them with the Python files.

Debian 12 has no backend that drives CMake (scikit-build-core comes with Debian 13), and the build
must work without downloads. Nothing is written into the source tree but below build/, which
.gitignore names.
"""

import os
import pathlib
import platform
import re
import shutil
import subprocess
import tempfile

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:
    from wheel.bdist_wheel import bdist_wheel

HERE = pathlib.Path(__file__).resolve().parent
# A source distribution has the library's sources beside this file, the repository around its folder.
ROOT = HERE if (HERE / "src").exists() else HERE.parent
# What a source distribution contains: the first in the same places, the second in its root.
LIBRARY = ["CMakeLists.txt", "cmake", "include", "lists", "src", "threads", "tools", "web/report"]
FRONT = ["LICENSE", "README.md", "cumsum", "pyproject.toml", "setup.py"]

# What the program needs that is not the C library, and Debian's packages with the licences.
BUNDLED = re.compile(r"lib(cumsum|cumsum-cuda|cumsum-d3d12|pthreadpool|sleef)\.so")
LICENCES = ["libpthreadpool-dev", "libsleef-dev"]


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


def libraries_of(path):
    """The libraries that the system would load for a file, by their names."""
    found = subprocess.run(["ldd", path], capture_output=True, text=True, check=False).stdout
    return dict(re.findall(r"^\s*(\S+) => (/\S+)", found, re.MULTILINE))


def release_build():
    """The folder of a build of this tree with the preset "release", which has what a wheel needs, or
    None."""
    build = ROOT / "build" / "release"
    try:
        cache = (build / "CMakeCache.txt").read_text(encoding="utf-8")
    except OSError:
        return None
    wanted = {
        "CMAKE_BUILD_TYPE": "Release",
        "CMAKE_HOME_DIRECTORY": str(ROOT),
        "BUILD_SHARED_LIBS": "ON",
        "CUMSUM_BUILD_TOOL": "ON",
        "CUMSUM_SANITIZE": "",
    }
    found = dict(re.findall(r"^(\w+):\w+=(.*)$", cache, re.MULTILINE))
    if wanted != {key: found.get(key) for key in wanted} or os.environ.get("CMAKE_ARGS"):
        return None
    return build


def configure(build):
    options = {
        "BUILD_SHARED_LIBS": "ON",
        "CMAKE_BUILD_TYPE": "Release",
        "CUMSUM_BUILD_PYTHON": "OFF",
        "CUMSUM_BUILD_TESTS": "OFF",
        "CUMSUM_BUILD_TOOL": "OFF" if os.name == "nt" else "ON",
        "CUMSUM_KERNELS": kernels(),
        "CUMSUM_INSTALL": "OFF",
        "CUMSUM_WITH_D3D12": "OFF",
        "CUMSUM_WITH_CUDA": "OFF",
    }
    arguments = [f"-D{name}={value}" for name, value in options.items()]
    if shutil.which("ninja") and "CMAKE_GENERATOR" not in os.environ:
        arguments.append("-GNinja")
    arguments += os.environ.get("CMAKE_ARGS", "").split()
    subprocess.run(["cmake", "-S", ROOT, "-B", build, *arguments], check=True)


# Another pthreadpool in the process, such as PyTorch's, must not be taken for this one: the loader
# goes by the name that a library gives itself. Both names are as long, so no offset changes.
THEIR_NAME, OWN_NAME = b"libpthreadpool.so.0", b"libcumsum_pool.so.0"


def pack_binaries(build, folder):
    """Copies the library, the program and what they need into one folder, where they find each other:
    their run paths have it."""
    files = {name: build / "src" / name for name in ("cumsum.dll", "libcumsum.dylib")}
    for name in ("libcumsum.so.*.*", "gpu/libcumsum-cuda.so.*.*"):
        files |= {path.name: path for path in (build / "src").glob(name) if path.is_symlink()}
    files |= {name: build / "tools" / name for name in ("cumsum", "cumsum.exe")}
    files = {name: path for name, path in files.items() if path.exists()}
    for path in list(files.values()):
        needed = libraries_of(path).items()
        files |= {name: at for name, at in needed if BUNDLED.match(name)}
    for name, path in files.items():
        target = folder / name.replace(THEIR_NAME.decode(), OWN_NAME.decode())
        target.write_bytes(pathlib.Path(path).read_bytes().replace(THEIR_NAME, OWN_NAME))
        shutil.copymode(path, target)
        subprocess.run(["strip", "--strip-unneeded", target], check=False)
    for package in LICENCES:
        licence = pathlib.Path("/usr/share/doc", package, "copyright")
        if licence.exists():
            shutil.copy(licence, folder / f"{package}.copyright")


class BuildWithCMake(build_py):
    """Copies the Python files, and takes the library and the program from a release build of this tree,
    or builds them."""

    def run(self):
        if getattr(self, "editable_mode", False):
            raise SystemExit(
                "cumsum cannot be installed with --editable; to work on it, build it with CMake and "
                "set PYTHONPATH=build/release/python"
            )
        super().run()
        jobs = str(os.cpu_count() or 1)
        with tempfile.TemporaryDirectory() as scratch:
            build = release_build()
            if build is None:
                build = pathlib.Path(scratch)
                configure(build)
            targets = ["cumsum"]
            targets += ["cumsum_tool"] if (build / "tools").exists() else []
            targets += ["cumsum_cuda"] if (build / "src" / "gpu" / "cuda").exists() else []
            command = ["cmake", "--build", build, "--config", "Release", "-j", jobs, "-t"]
            subprocess.run([*command, *targets], check=True)
            pack_binaries(build, pathlib.Path(self.build_lib, "cumsum"))


class Wheel(bdist_wheel):
    """For every Python 3 on this kind of machine."""

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class WithBinaries(Distribution):
    def has_ext_modules(self):
        return True


class SourceDistribution(sdist):
    """Packs the library's sources with the package's, so that it can be built by itself."""

    def run(self):
        self.filelist = type("Files", (), {"files": []})
        self.make_distribution()

    def make_release_tree(self, base_dir, files):
        root = pathlib.Path(base_dir)
        for source, names in [(ROOT, LIBRARY), (HERE, FRONT)]:
            root.mkdir(parents=True, exist_ok=True)
            for name in names:
                if (source / name).is_dir():
                    ignored = shutil.ignore_patterns("__pycache__", "gpu", "gpu-kit")
                    shutil.copytree(source / name, root / name, ignore=ignored)
                else:
                    shutil.copy(source / name, root / name)
        self.distribution.metadata.write_pkg_info(base_dir)


with tempfile.TemporaryDirectory() as scratch_folder:
    setup(
        version=version(),
        license="MIT",
        distclass=WithBinaries,
        packages=["cumsum"],
        package_data={"cumsum": ["py.typed"]},
        cmdclass={"build_py": BuildWithCMake, "bdist_wheel": Wheel, "sdist": SourceDistribution},
        options={"build": {"build_base": scratch_folder}, "egg_info": {"egg_base": scratch_folder}},
    )
