#!/usr/bin/env python3
"""Installs the programs in a new folder: they must run without their symbols, and name the files that have them.

    run.py --programs .build/debug
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAMS = ("vitrine", "vitrine-media")


def output(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def checks(programs, folder):
    built = {name: os.path.join(programs, name) for name in PROGRAMS}
    subprocess.run([os.path.join(ROOT, "scripts/install.sh"), folder, programs], check=True)
    for name, path in built.items():
        installed = os.path.join(folder, "bin", name)
        symbols = os.path.join(folder, "bin/.debug", name + ".debug")
        yield f"{name} is an executable file", os.access(installed, os.X_OK)
        yield f"{name} is smaller", os.path.getsize(installed) < os.path.getsize(path)
        yield f"{name} has no table of symbols", ".symtab" not in output("readelf", "-SW", installed)
        yield f"the symbols of {name} have one", ".symtab" in output("readelf", "-SW", symbols)
        with open(symbols, "rb") as file:
            expected = zlib.crc32(file.read()).to_bytes(4, "little")
        with tempfile.TemporaryDirectory() as own:
            link = os.path.join(own, "link")
            subprocess.run(["objcopy", "--dump-section", f".gnu_debuglink={link}", installed, os.path.join(own, "copy")], check=True)
            with open(link, "rb") as file:
                content = file.read()
        yield f"{name} names the file with its symbols", content.startswith(f"{name}.debug\0".encode())
        yield f"the checksum of the symbols of {name} is right", content.endswith(expected)
    version = output(os.path.join(folder, "bin/vitrine"), "--version", cwd=folder)
    yield "the version is the same", version == output(built["vitrine"], "--version", cwd=folder)
    for name in ("Config", "Templates"):
        yield f"{name} is installed", os.path.isdir(os.path.join(folder, "share/vitrine", name))
    # As an upgrade does, while the old programs run.
    with subprocess.Popen([os.path.join(folder, "bin/vitrine-media"), "1024", "20", "25000000", "320,640"],
                          stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        again = subprocess.run([os.path.join(ROOT, "scripts/install.sh"), folder, programs], capture_output=True, text=True)
        running.stdin.close()
        running.wait(60)
    yield f"it is installed again: {again.stderr.strip()}", again.returncode == 0


def main():
    parser = argparse.ArgumentParser(description="Test scripts/install.sh.")
    parser.add_argument("--programs", default=".build/debug", help="folder with the built programs")
    programs = os.path.abspath(parser.parse_args().programs)
    folder = tempfile.mkdtemp()
    try:
        results = list(checks(programs, folder))
    finally:
        shutil.rmtree(folder)
    failed = [text for text, is_met in results if not is_met]
    for text in failed:
        print("failed:", text)
    print(f"{len(results) - len(failed)} passed, {len(failed)} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
