# SPDX-License-Identifier: MIT
"""Finds what is wrong with a run in which a call failed: its exit status, messages and files."""

import re
from xml.etree import ElementTree


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes()
            for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink()}


def fixed(scenario, data):
    """The data without times, which differ from run to run. A time of 0 is not written at all."""
    if scenario.timed:
        timeless = re.sub(rb" +", b" ", re.sub(rb" +time=\"[\d.]*\"", b"", data))
        data = re.sub(rb"\d[\d.:+e-]*", b"#", timeless)
    return data


def whole_lines(scenario, found, wanted):
    """Is a log the beginning, in whole lines, of the log of a complete run?"""
    lines = fixed(scenario, wanted).split(b"\n")
    got = fixed(scenario, found).split(b"\n")
    return got[:-1] == lines[:len(got) - 1]


def cases(files):
    """How many cases are done in a log."""
    return files.get("r.jsonl", b"").count(b'"event":"case"')


def is_complete(before, after, wanted):
    """Does each file exist, was it written, and is it complete as far as can be seen?"""
    return cases(after) == cases(wanted) and after.keys() == wanted.keys() and all(
        (data != before.get(name) or data == wanted[name])
        and (not name.endswith(".xml") or is_document(data))
        and (not name.endswith(".html") or data.rstrip().endswith(b"</html>"))
        for name, data in after.items())


def is_document(data):
    """Is it a complete XML document?"""
    try:
        return bool(ElementTree.fromstring(data))
    except ElementTree.ParseError:
        return False


def verdicts(out):
    """What a report says without explanations, which may be missing (cumsum/explain.h)."""
    return re.findall(rb"^(?:PASS|FAIL) .*?  |^ *outputs: .*|^\d+ passed.*", out, re.M)


def check_files(scenario, before, after, wanted):
    """What is wrong with the files, or None."""
    for name, data in after.items():
        known = {fixed(scenario, files[name]) for files in (before, wanted) if name in files}
        if not known:
            return f"leaves {name} behind"
        if fixed(scenario, data) in known or scenario.log and whole_lines(scenario, data, wanted[name]):
            continue
        if not scenario.reports or not is_document(data):
            return f"leaves {name} incomplete"
    missing = set(before) - set(after)
    return f"{missing.pop()} is gone" if missing else None


def check_run(scenario, result, reference, before, after, wanted):
    """What is wrong with a run in which a call failed, or None."""
    status, out, err = result
    if status == reference[0] and fixed(scenario, out) == fixed(scenario, reference[1]) and \
            {name: fixed(scenario, data) for name, data in after.items()} == \
            {name: fixed(scenario, data) for name, data in wanted.items()}:
        return None
    if status == reference[0] and is_complete(before, after, wanted) and \
            b"memory" in b"".join((out, err, *after.values())):
        return None  # something was left out, and the output says what and why
    if scenario.explains and status == reference[0] and verdicts(out) == verdicts(reference[1]):
        return None
    if status != 3:
        return f"exit status {status}"
    if not re.search(rb"^cumsum: .*[a-z]{3}", err, re.M) and not re.search(rb"memory", out):
        return "says nothing"
    return check_files(scenario, before, after, wanted)
