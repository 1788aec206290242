# SPDX-License-Identifier: MIT
"""check_recipes.py SOURCE [RECIPES]: do the vcpkg port and the conan recipe fit the project?

Version, licence and description are the project's, every option that they set exists, and what
conan exports is there. RECIPES: another folder in the place of SOURCE/packaging.
"""

import ast
import json
import re
import sys
from pathlib import Path

source = Path(sys.argv[1])
recipes = Path(sys.argv[2] if len(sys.argv) > 2 else source / "packaging")
problems = []


def expect(found, expected, what):
    if found != expected:
        problems.append(f"{what} is {found!r}, not {expected!r}")


def class_values(path, name):
    """The constants that a class of a Python file is made with, without running it."""
    body = next(node.body for node in ast.parse(path.read_text(), path).body
                if isinstance(node, ast.ClassDef) and node.name == name)
    return {node.targets[0].id: ast.literal_eval(node.value)
            for node in body if isinstance(node, ast.Assign)}


cmake = (source / "CMakeLists.txt").read_text()
project = re.search(r'project\(\s*cumsum\s+VERSION (\S+)\s+DESCRIPTION "([^"]*)"', cmake)
version, description = project.groups()
for pattern in ("cmake/*.cmake", "tools/*/CMakeLists.txt"):
    cmake += "".join(path.read_text() for path in source.glob(pattern))
options = set(re.findall(r"option\(\s*(CUMSUM_\w+)", cmake)) | {"CUMSUM_SHARED"}

port = recipes / "vcpkg" / "cumsum"
manifest = json.loads((port / "vcpkg.json").read_text())
expect(manifest["name"], "cumsum", "vcpkg.json: name")
expect(manifest["version-semver"], version, "vcpkg.json: version-semver")
expect(manifest["description"], description, "vcpkg.json: description")
expect(manifest["license"], "MIT", "vcpkg.json: license")
portfile = (port / "portfile.cmake").read_text()
for feature in manifest["features"]:
    if not re.search(rf"^ +{feature} CUMSUM_\w+", portfile, re.MULTILINE):
        problems.append(f"portfile.cmake does nothing with the feature {feature}")

conanfile = recipes / "conan" / "conanfile.py"
values = class_values(conanfile, "CumsumConan")
expect(values["name"], "cumsum", "conanfile.py: name")
expect(values["description"], description, "conanfile.py: description")
expect(values["license"], "MIT", "conanfile.py: license")
expect(sorted(values["options"]), sorted(values["default_options"]), "conanfile.py: default_options")
ast.parse((recipes / "conan" / "test_package" / "conanfile.py").read_text())

used = set(re.findall(r"CUMSUM_[A-Z0-9_]+", portfile + conanfile.read_text()))
used.discard("CUMSUM_WITH_")
used |= {f"CUMSUM_{name.upper()}" for name in values["options"] if name.startswith("with_")}
for option in sorted(used - options):
    problems.append(f"there is no option {option}")

for problem in problems:
    print(f"FAIL: {problem}")
sys.exit(bool(problems))
