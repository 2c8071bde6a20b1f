#!/usr/bin/env python3
"""Generates docs/reference/commands.md from the help of the program.

    commands.py [--program PATH]
"""
import argparse
import os
import re
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, "docs", "reference", "commands.md")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(ROOT, ".build", "debug", "vitrine"))
    program = parser.parse_args().program

    def help_text(*arguments):
        text = subprocess.run([program, "help", *arguments], capture_output=True, text=True, check=True).stdout.rstrip()
        return "".join(f"    {line}".rstrip() + "\n" for line in text.split("\n"))

    overview = help_text()
    names = re.findall(r"^      ([a-z][a-z -]*[a-z])  ", overview, re.MULTILINE)
    with open(PAGE) as page:
        head = page.read().split("\n    ")[0].rstrip()
    with open(PAGE, "w") as page:
        page.write(f"{head}\n\n{overview}")
        for name in names:
            page.write(f"\n## vitrine {name}\n\n{help_text(*name.split())}")


if __name__ == "__main__":
    main()
