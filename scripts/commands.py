#!/usr/bin/env python3
"""Generates docs/reference/commands.md from the help of the program.

    commands.py [--program PATH] [--check]

With --check it writes nothing, and fails if the page differs.
"""
import argparse
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, "docs", "reference", "commands.md")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(ROOT, ".build", "debug", "vitrine"))
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    program = options.program

    def help_text(*arguments):
        text = subprocess.run([program, "help", *arguments], capture_output=True, text=True, check=True).stdout.rstrip()
        return "".join(f"    {line}".rstrip() + "\n" for line in text.split("\n"))

    overview = help_text()
    names = re.findall(r"^      ([a-z][a-z -]*[a-z])  ", overview, re.MULTILINE)
    with open(PAGE) as page:
        written = page.read()
    head = written.split("\n    ")[0].rstrip()
    text = f"{head}\n\n{overview}" + "".join(f"\n## vitrine {name}\n\n{help_text(*name.split())}" for name in names)
    if not options.check:
        with open(PAGE, "w") as page:
            page.write(text)
    elif text != written:
        sys.exit("docs/reference/commands.md differs from the help of the program. Run scripts/commands.py.")


if __name__ == "__main__":
    main()
