#!/usr/bin/env python3
"""Writes which Debian packages the programs run with, as CycloneDX 1.5 in JSON: what must be looked at when one has a hole.

    bill_of_materials.py [PROGRAM...] > bill.json

Without programs the release build of this folder. What is listed is what the dynamic linker loads (ldd), by package (dpkg), and the
server that the programs are made for. Libraries that are built into the programs are the Swift toolchain's.
"""
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAMS = [os.path.join(ROOT, ".build/release", name) for name in ("vitrine", "vitrine-media")]
SERVER = "postgresql-15"


def output(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def libraries(program):
    """The files that the linker loads; what is not found would not start."""
    text = output("ldd", program)
    missing = re.findall(r"(\S+) => not found", text)
    if missing:
        sys.exit(f"{program} would not start: {', '.join(missing)} not found")
    return {os.path.realpath(path) for path in re.findall(r"(/\S+) \(0x", text)}


def package_of(path):
    """Debian's package of a file; None for what is not Debian's, such as Swift's own libraries."""
    # dpkg knows files by the names they had before /lib became a link to /usr/lib.
    for name in (path, path.removeprefix("/usr")):
        found = subprocess.run(["dpkg", "-S", name], capture_output=True, text=True)
        if found.returncode == 0:
            return found.stdout.split(": ")[0].split(",")[0]
    return None


def component(package):
    fields = output("dpkg-query", "-W", "-f", "${Package}\t${Version}\t${Architecture}\t${source:Package}\t${source:Version}", package)
    name, version, architecture, source, source_version = fields.split("\t")
    return {
        "type": "library", "name": name, "version": version, "purl": f"pkg:deb/debian/{name}@{version}?arch={architecture}",
        "properties": [{"name": "debian:source", "value": f"{source} {source_version}"}],
    }


def main():
    programs = sys.argv[1:] or PROGRAMS
    files = set().union(*(libraries(program) for program in programs))
    packages = {path: package_of(path) for path in files}
    named = {package for package in packages.values() if package}
    if subprocess.run(["dpkg-query", "-W", SERVER], capture_output=True).returncode == 0:
        named.add(SERVER)
    swift = output("swift", "--version").splitlines()[0]
    others = sorted(os.path.basename(path) for path, package in packages.items() if not package)
    components = [component(package) for package in sorted(named)]
    components.append({"type": "library", "name": "swift", "version": swift, "description": ", ".join(others) or "linked in"})
    json.dump({
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "metadata": {"component": {"type": "application", "name": "vitrine"}}, "components": components,
    }, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
