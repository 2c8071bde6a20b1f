#!/usr/bin/env python3
"""Runs vitrine-media with a hostile decoder (hostile.c), which tries system calls from inside the sandbox.

    hostile.py --program .build/debug/vitrine-media

Each call must kill the helper or be refused. Prints failed checks; ends with "N passed, N failed".
"""
import argparse
import os
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "journeys"))
from patience import seconds  # noqa: E402

LIMITS = ["1024", "20", "25000000", "320,640"]
JPEG = b"\xff\xd8\xff\xe0" + bytes(64)


def run(program, library, name):
    return subprocess.run([program, *LIMITS], input=JPEG, capture_output=True, timeout=seconds(60),
                          env={"LD_PRELOAD": library, "HOSTILE": name})


def outcome(done):
    """What became of the call: "killed", "refused ERROR", or what was printed."""
    if done.returncode == -signal.SIGSYS:
        return "killed"
    return done.stdout.decode().strip() or f"exit code {done.returncode}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    program = os.path.abspath(parser.parse_args().program)
    passed, failed = 0, []

    def check(ok, what):
        nonlocal passed
        if ok:
            passed += 1
        else:
            failed.append(what)
            print("FAIL", what)

    with tempfile.TemporaryDirectory() as folder:
        library = os.path.join(folder, "hostile.so")
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "hostile.c")
        os.chmod(folder, 0o755)
        subprocess.run(["clang", "-shared", "-fPIC", "-O1", "-Wall", "-o", library, source], check=True)
        names = run(program, library, "list").stdout.decode().split()
        outcomes = {name: outcome(run(program, library, name)) for name in names}
        check(outcomes.pop("control") == "ran control", "the hostile decoder does not run")
        for name, seen in outcomes.items():
            check(seen == "killed" or seen.startswith("refused "), f"{name}: {seen}")
        threads = outcome(run(program, library, "threads"))
        check(threads.endswith(" threads") and int(threads.split()[0]) <= 256, f"threads: {threads}")
    killed = sum(1 for seen in outcomes.values() if seen == "killed")
    print(f"{len(outcomes)} calls: {killed} killed the helper, "
          + ", ".join(f"{name} {seen}" for name, seen in outcomes.items() if seen != "killed"))
    print(f"{passed} passed, {len(failed)} failed")
    raise SystemExit(bool(failed))


main()
