#!/usr/bin/env python3
"""Writes the tables of docs/reference/read-tables.md from the comments in the database.

    read_tables.py [--program PATH] [--data DIR]

The text above the line "## The tables" is written by hand and kept. Needs a database: DATABASE_URL, or that of a running
"vitrine dev" with the data folder.
"""
import argparse
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, "docs", "reference", "read-tables.md")
HEADING = "## The tables\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(ROOT, ".build", "debug", "vitrine"))
    parser.add_argument("--data")
    options = parser.parse_args()
    environment = dict(os.environ)
    if options.data:
        environment["VITRINE_DATA_DIR"] = options.data
    tables = subprocess.run(
        [options.program, "dev", "read-tables"], capture_output=True, text=True, check=True, env=environment).stdout
    with open(PAGE) as page:
        introduction = page.read().split(HEADING)[0]
    with open(PAGE, "w") as page:
        page.write(introduction + HEADING + tables)


if __name__ == "__main__":
    main()
