#!/usr/bin/env python3
"""Writes the packages that programs and pages use at run time as CycloneDX 1.5 JSON, to track vulnerabilities.

    bill_of_materials.py [PROGRAM...] > bill.json
    bill_of_materials.py --check [PROGRAM...]
    bill_of_materials.py --status TRACKER [PROGRAM...] >> notes.md

With --check, it fails if something has no version or license, or if pages load a file of no package. With --status, it writes the
known vulnerabilities of the Debian packages as a Markdown table for the notes of a release; TRACKER is the file
https://security-tracker.debian.org/tracker/data/json. Defaults to the release build of this checkout. Lists the packages (dpkg) of the libraries that the dynamic linker loads (ldd),
and the database server. Statically linked libraries belong to the Swift toolchain. What pages load in the browser is in
scripts/browser-packages.txt, with what the packages bundle.
"""
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAMS = [os.path.join(ROOT, ".build/release", name) for name in ("vitrine", "vitrine-media")]
SERVER = "postgresql-15"
RELEASE = "bookworm"
# Debian packages by the folder of what pages load of them.
BROWSER_PACKAGES = {"leaflet": "libjs-leaflet", "fonts": "fonts-inter-variable"}
VENDOR = os.path.join(ROOT, "Templates/static/vendor")
BROWSER = os.path.join(ROOT, "scripts/browser-packages.txt")
# Other packages by the files that pages load of them; each has its license beside them.
BROWSER_FILES = {"prose-editor.js": "django-prose-editor", "prose-editor-license.txt": "django-prose-editor"}
# Each package with its license, and the projects whose code it contains.
BUNDLES = {"django-prose-editor": ("BSD-3-Clause", {"tiptap": "MIT", "prosemirror": "MIT", "linkifyjs": "MIT", "floating-ui": "MIT"})}


def output(*arguments):
    return subprocess.run(arguments, capture_output=True, text=True, check=True).stdout


def libraries(program):
    """The libraries that the dynamic linker loads; exits if one is missing."""
    text = output("ldd", program)
    missing = re.findall(r"(\S+) => not found", text)
    if missing:
        sys.exit(f"{program} can't start: {', '.join(missing)} not found")
    return {os.path.realpath(path) for path in re.findall(r"(/\S+) \(0x", text)}


def package_of(path):
    """The Debian package of a file; None for others, such as Swift's own libraries."""
    # dpkg lists files by their paths before /lib became a link to /usr/lib.
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


def browser_components():
    with open(BROWSER, encoding="utf-8") as file:
        for name, version in re.findall(r"^([\w-]+)==(\S+)", file.read(), re.MULTILINE):
            license_id, parts = BUNDLES[name]
            yield {
                "type": "library", "name": name, "version": version, "purl": f"pkg:pypi/{name}@{version}",
                "licenses": [{"license": {"id": license_id}}],
                "components": [{"type": "library", "name": part, "licenses": [{"license": {"id": own}}]} for part, own in parts.items()],
            }


def bill(programs):
    files = set().union(*(libraries(program) for program in programs))
    packages = {path: package_of(path) for path in files}
    named = {package for package in packages.values() if package}
    if subprocess.run(["dpkg-query", "-W", SERVER], capture_output=True).returncode == 0:
        named.add(SERVER)
    named |= {package for folder, package in BROWSER_PACKAGES.items()
              if os.path.exists(os.path.join(VENDOR, folder))}
    swift = output("swift", "--version").splitlines()[0]
    others = sorted(os.path.basename(path) for path, package in packages.items() if not package)
    components = [component(package) for package in sorted(named)]
    components.append({"type": "library", "name": "swift", "version": swift, "description": ", ".join(others) or "statically linked"})
    components += browser_components()
    return {
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "metadata": {"component": {"type": "application", "name": "vitrine"}}, "components": components,
    }


def problems(found):
    """What the bill lacks."""
    components = {part["name"]: part for part in found["components"]}
    if not any(part.get("purl", "").startswith("pkg:deb/") for part in components.values()):
        yield "no program loads a library"
    for name, part in components.items():
        if not part.get("version"):
            yield f"{name} has no version"
    for name in set(BROWSER_FILES.values()):
        own = components.get(name, {})
        for part in [own, *own.get("components", [])]:
            if not part.get("licenses"):
                yield f"{part.get('name', name)} has no license"
    files = [name for name in sorted(os.listdir(VENDOR)) if not name.startswith(".")] if os.path.isdir(VENDOR) else []
    for name in files:
        if (BROWSER_FILES.get(name) or BROWSER_PACKAGES.get(name)) not in components:
            yield f"Templates/static/vendor/{name} belongs to no package of the bill"
    for name in set(BROWSER_FILES) - set(files):
        yield f"Templates/static/vendor/{name} is missing: run scripts/setup.sh"


def is_older(version, fixed):
    return subprocess.run(["dpkg", "--compare-versions", version, "lt", fixed]).returncode == 0


def vulnerabilities(components, tracker, release=RELEASE):
    """The source package, its version, the name of the vulnerability, the urgency and the fixed version (None: there is none yet) of
    each known vulnerability of these packages."""
    sources = {tuple(own["value"].split()) for part in components for own in part.get("properties", []) if own["name"] == "debian:source"}
    for source, version in sorted(sources):
        for name, known in sorted(tracker.get(source, {}).items()):
            status = known.get("releases", {}).get(release, {})
            fixed = status.get("fixed_version")
            if status.get("status") == "resolved":
                # "0": this release never had it
                if fixed and fixed != "0" and is_older(version, fixed):
                    yield source, version, name, status.get("urgency", ""), fixed
            elif status:
                yield source, version, name, status.get("urgency", ""), None


def status(components, tracker):
    """The table for the notes of a release."""
    found = list(vulnerabilities(components, tracker))
    yield f"Known vulnerabilities of the Debian packages that the programs use: {len(found) or 'none'}"
    if not found:
        return
    yield ""
    yield "| package | version | vulnerability | urgency | fixed in |"
    yield "|---|---|---|---|---|"
    for source, version, name, urgency, fixed in found:
        yield f"| {source} | {version} | {name} | {urgency} | {fixed or 'no version yet'} |"


def main():
    arguments = [name for name in sys.argv[1:] if name != "--check"]
    tracker = None
    if "--status" in arguments:
        position = arguments.index("--status")
        if position + 1 == len(arguments):
            sys.exit("--status needs a file: https://security-tracker.debian.org/tracker/data/json")
        with open(arguments[position + 1], encoding="utf-8") as file:
            tracker = json.load(file)
        del arguments[position:position + 2]
    found = bill(arguments or PROGRAMS)
    if tracker is not None:
        print("\n".join(status(found["components"], tracker)))
        return
    if "--check" not in sys.argv:
        json.dump(found, sys.stdout, indent=2)
        print()
        return
    wrong = list(problems(found))
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{len(found['components'])} components, nothing missing")


if __name__ == "__main__":
    main()
