#!/usr/bin/env python3
"""Pins the Python packages of the tests, with the hashes of all files that PyPI offers for Linux.

    python_packages.py > scripts/python-packages.txt

Takes the newest versions that fit together. Review the difference and run the tests before you commit it.
"""
import json
import re
import subprocess
import sys
import urllib.request

# What the tests import; the rest of the list is what these need.
NAMES = ["psycopg[binary]", "playwright", "axe-playwright-python", "standardwebhooks", "Pillow", "aiosmtpd", "schemathesis",
         "openapi-spec-validator", "feedparser"]
OTHER_SYSTEMS = re.compile(r"-(win|macosx|ios|android)|musllinux|-pp\d|-graalpy|_(i686|armv7l|ppc64le|s390x|riscv64)|-cp3(8|9|10)-cp3")


def canonical(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def resolved():
    """Names and versions of all packages that would be installed."""
    report = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed", "--report", "-", *NAMES],
        check=True, capture_output=True).stdout
    return sorted((canonical(item["metadata"]["name"]), item["metadata"]["version"])
                  for item in json.loads(report)["install"])


def hashes(name, version):
    request = urllib.request.Request(
        f"https://pypi.org/simple/{name}/", headers={"Accept": "application/vnd.pypi.simple.v1+json"})
    with urllib.request.urlopen(request, timeout=60) as response:
        files = json.load(response)["files"]
    found = set()
    for file in files:
        stem = file["filename"].removesuffix(".tar.gz")
        parts = stem.split("-")[:2] if stem.endswith(".whl") else stem.rsplit("-", 1)
        if len(parts) == 2 and (canonical(parts[0]), parts[1]) == (name, version) and not OTHER_SYSTEMS.search(stem):
            found.add(file["hashes"]["sha256"])
    return sorted(found)


print("# Written by scripts/python_packages.py.")
for name, version in resolved():
    lines = [f"{name}=={version}"] + [f"    --hash=sha256:{value}" for value in hashes(name, version)]
    print(" \\\n".join(lines))
