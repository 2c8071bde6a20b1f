#!/usr/bin/env python3
"""Writes the tables of docs/reference/read-tables.md, projections.md and permissions.md from the database.

    read_tables.py [--program PATH] [--data DIR]

The text above their headings is written by hand and kept. Needs a database:
DATABASE_URL, or that of a running "vitrine dev" with the data folder.
"""
import argparse
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGES = {
    "read-tables": "## The tables\n", "projections": "## The dependencies\n", "permissions": "## The preset roles\n"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(ROOT, ".build", "debug", "vitrine"))
    parser.add_argument("--data")
    options = parser.parse_args()
    environment = dict(os.environ)
    if options.data:
        environment["VITRINE_DATA_DIR"] = options.data
    for name, heading in PAGES.items():
        tables = subprocess.run(
            [options.program, "dev", name], capture_output=True, text=True, check=True, env=environment).stdout
        path = os.path.join(ROOT, "docs", "reference", f"{name}.md")
        with open(path) as page:
            introduction = page.read().split(heading)[0]
        with open(path, "w") as page:
            page.write(introduction + heading + tables)


if __name__ == "__main__":
    main()
