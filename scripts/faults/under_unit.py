#!/usr/bin/env python3
"""Runs a program with the system call filter of deploy/vitrine.service, without systemd.

    under_unit.py PROGRAM [ARGUMENT...]

Reads the SystemCallFilter lines of the unit, expands its sets with systemd-analyze, and rejects all other calls with EPERM,
like the unit. For x86-64.
"""
import ctypes
import os
import re
import struct
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
UNIT = os.path.join(ROOT, "deploy", "vitrine.service")
NUMBERS = "/usr/include/x86_64-linux-gnu/asm/unistd_64.h"
# BPF instructions of the kernel: load a word, compare, return.
LOAD, EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, EPERM, KILL = 0x7FFF0000, 0x00050001, 0x80000000
X86_64, NUMBER_AT, ARCHITECTURE_AT = 0xC000003E, 0, 4
NO_NEW_PRIVILEGES, SECCOMP, FILTER = 38, 22, 2


def members(name):
    """The system calls of a set and its nested sets."""
    if not name.startswith("@"):
        return {name}
    text = subprocess.run(["systemd-analyze", "syscall-filter", name], capture_output=True, text=True, check=True).stdout
    names = [line.split("#")[0].strip() for line in text.splitlines()[1:]]
    return set().union(*(members(name) for name in names if name))


def allowed():
    calls = set()
    for line in open(UNIT):
        if line.startswith("SystemCallFilter="):
            value = line.split("=", 1)[1].strip()
            named = set().union(*(members(name) for name in value.lstrip("~").split()))
            calls = calls - named if value.startswith("~") else calls | named
    # systemd always allows these.
    return calls | members("@default") | {"execve", "exit", "exit_group", "rt_sigreturn"}


def main():
    numbers = dict(re.findall(r"#define __NR_(\w+) (\d+)", open(NUMBERS).read()))
    known = sorted(int(numbers[call]) for call in allowed() if call in numbers)
    steps = [(LOAD, 0, 0, ARCHITECTURE_AT), (EQUAL, 1, 0, X86_64), (RETURN, 0, 0, KILL), (LOAD, 0, 0, NUMBER_AT)]
    for number in known:
        steps += [(EQUAL, 0, 1, number), (RETURN, 0, 0, ALLOW)]
    steps.append((RETURN, 0, 0, EPERM))
    code = b"".join(struct.pack("HBBI", *step) for step in steps)
    buffer = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("HxxxxxxQ", len(steps), ctypes.addressof(buffer))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0 or libc.prctl(SECCOMP, FILTER, program, 0, 0) != 0:
        sys.exit(f"the filter was rejected: {os.strerror(ctypes.get_errno())}")
    os.execvp(sys.argv[1], sys.argv[1:])


if __name__ == "__main__":
    main()
