#!/usr/bin/env python3
"""Writes the tables of docs/reference/read-tables.md from what the program says of its database.

    read_tables.py [--program PATH] [--data DIR]

The text before the line "## The tables" is written by hand and stays. Needs a database: DATABASE_URL, or that of a running
"vitrine dev" on the data folder.
"""
import argparse
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, "docs", "reference", "read-tables.md")
MARK = "## The tables\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(ROOT, ".build", "debug", "vitrine"))
    parser.add_argument("--data")
    given = parser.parse_args()
    environment = dict(os.environ)
    if given.data:
        environment["VITRINE_DATA_DIR"] = given.data
    said = subprocess.run(
        [given.program, "dev", "read-tables"], capture_output=True, text=True, check=True, env=environment).stdout
    with open(PAGE) as page:
        head = page.read().split(MARK)[0]
    with open(PAGE, "w") as page:
        page.write(head + MARK + said)


if __name__ == "__main__":
    main()
