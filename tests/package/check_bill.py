# SPDX-License-Identifier: MIT
"""check_bill.py BILL: is the bill of materials an SPDX 2.3 document?

It has the members that the specification wants, in the form that it wants.
"""

import json
import re
import sys


def wrong(bill):
    """What is wrong with the document, or None."""
    if bill.get("spdxVersion") != "SPDX-2.3" or bill.get("dataLicense") != "CC0-1.0":
        return "version or data license"
    if bill.get("SPDXID") != "SPDXRef-DOCUMENT" or not bill.get("name"):
        return "identity of the document"
    if not re.fullmatch(r"https://[^ #]+-[0-9a-f-]{36}", bill.get("documentNamespace", "")):
        return "namespace"
    info = bill.get("creationInfo", {})
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", info.get("created", "")):
        return "time"
    if not all(re.match("(Person|Organization|Tool): .", who) for who in info.get("creators") or [""]):
        return "creators"
    known = {"SPDXRef-DOCUMENT"}
    for package in bill.get("packages", []):
        if not re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", package.get("SPDXID", "")):
            return "identity of a package"
        if package["SPDXID"] in known or not package.get("name") or "downloadLocation" not in package:
            return f"package {package['SPDXID']}"
        if package.get("licenseDeclared") not in ("MIT", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0"):
            return f"license of {package['SPDXID']}"
        known.add(package["SPDXID"])
    related = {"SPDXRef-DOCUMENT"}
    for relationship in bill.get("relationships", []):
        if relationship.get("relationshipType") not in ("DESCRIBES", "DEPENDS_ON"):
            return "type of a relationship"
        if relationship.get("spdxElementId") not in related:
            return "start of a relationship"
        related.add(relationship.get("relatedSpdxElement"))
    return None if related == known else "packages and relationships differ"


with open(sys.argv[1], encoding="utf-8") as file:
    document = json.load(file)
fault = wrong(document)
print(f"FAIL: {fault}" if fault else f"{len(document['packages'])} packages")
sys.exit(bool(fault))
