"""Whether the commands of a guide are there on an empty machine: of a minimal Debian, or of packages that the guide installs.

The machine of the tests (machine.py) shows the programs of the developer's machine, so a missing package would not be noticed.
"""
import functools
import re
import subprocess

# What debootstrap installs.
MINIMAL = {"required", "important"}
FOLDERS = ["/usr/sbin", "/usr/bin", "/sbin", "/bin"]
HERE_DOCUMENT = re.compile(r"(<<-?\s*(['\"]?)(\w+)\2.*?\n).*?^\s*\3$", re.S | re.M)
COMMAND = re.compile(
    r"(?:^|[|;&({]|\s--\s)\s*(?:(?:\w+=[^\s$(]*|if|elif|then|else|while|until|do|!)\s+)*([a-z][\w.-]*)(?=[\s;)]|$)", re.M)


def commands(script):
    """The names of the programs and builtins that a simple script runs."""
    script = HERE_DOCUMENT.sub(r"\1", script).replace("\\\n", " ")
    return COMMAND.findall(re.sub(r"(?<!\S)#.*|'[^']*'", "", script))


@functools.cache
def builtins():
    return set(subprocess.run(["bash", "-c", "compgen -bk"], check=True, capture_output=True, text=True).stdout.split())


@functools.cache
def installed():
    """The priority of each package of this machine, and what it depends on."""
    rows = subprocess.run(
        ["dpkg-query", "-Wf", "${Package}\t${Priority}\t${Pre-Depends}, ${Depends}\n"], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    packages = {}
    for name, priority, needed in (row.split("\t") for row in rows):
        packages[name] = priority, set(re.findall(r"(?:^|[,|])\s*([a-z0-9][a-z0-9.+-]+)", needed))
    return packages


def package(command):
    """The package of a program; None if this machine has no package with it."""
    found = subprocess.run(
        ["dpkg-query", "-S", *(f"{folder}/{command}" for folder in FOLDERS)], capture_output=True, text=True).stdout
    return found.split(":")[0] if found else None


class Supplies:
    """What there is after the blocks of a guide so far."""

    def __init__(self):
        self.packages, self.programs = set(), set()

    def add(self, script):
        for line in re.findall(r"\bapt-get install ((?:.*\\\n)*.*)", script):
            new = {word for word in line.split() if re.match(r"[a-z0-9]", word)}
            while new:
                self.packages |= new
                new = {needed for name in new for needed in installed().get(name, ("", set()))[1]} - self.packages
        self.programs |= set(re.findall(r"/usr/local/s?bin/([\w.-]+)", script))

    def missing(self, script):
        """Commands of the script that nothing supplies, each with its package."""
        found = {}
        for command in sorted(set(commands(script)) - builtins() - self.programs):
            owner = package(command)
            if owner not in self.packages and installed().get(owner, ("", set()))[0] not in MINIMAL:
                found[command] = owner or "no package"
        return found
