#!/usr/bin/env python3
"""Tests which vulnerabilities the bill of materials finds in the security tracker of Debian (S52)."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "scripts"))
import bill_of_materials as bill  # noqa: E402


def package(name, source, version):
    return {"name": name, "properties": [{"name": "debian:source", "value": f"{source} {version}"}]}


def entry(release="bookworm", **status):
    return {"releases": {release: status}}


COMPONENTS = [package("libcurl4", "curl", "7.88.1-10+deb12u5"), package("libcurl3-gnutls", "curl", "7.88.1-10+deb12u5"),
              package("libvips42", "vips", "8.14.1-3"), {"name": "swift", "version": "6"}]
TRACKER = {
    "curl": {
        "CVE-1": entry(status="resolved", fixed_version="7.88.1-10+deb12u6", urgency="high"),
        "CVE-2": entry(status="resolved", fixed_version="7.88.1-10+deb12u5", urgency="high"),
        "CVE-3": entry(status="resolved", fixed_version="0", urgency="low"),
        "CVE-4": entry(status="open", urgency="medium"),
        "CVE-5": entry("trixie", status="open", urgency="medium"),
    },
    "vips": {"CVE-6": entry(status="undetermined")},
    "zlib": {"CVE-7": entry(status="open", urgency="high")},
}
EXPECTED = [
    ("curl", "7.88.1-10+deb12u5", "CVE-1", "high", "7.88.1-10+deb12u6"), ("curl", "7.88.1-10+deb12u5", "CVE-4", "medium", None),
    ("vips", "8.14.1-3", "CVE-6", "", None),
]

found = list(bill.vulnerabilities(COMPONENTS, TRACKER))
if found != EXPECTED:
    sys.exit(f"S52: the vulnerabilities are {found}; expected {EXPECTED}")
lines = list(bill.status(COMPONENTS, TRACKER))
if not lines[0].endswith(": 3") or "| curl | 7.88.1-10+deb12u5 | CVE-4 | medium | no version yet |" not in lines:
    sys.exit(f"S52: the notes are {lines}")
if [line[-6:] for line in bill.status(COMPONENTS, {})] != [": none"]:
    sys.exit("S52: without vulnerabilities, the notes say otherwise")
print("S52: the known vulnerabilities of the packages are found: 3 of 7")
