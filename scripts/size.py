#!/usr/bin/env python3
"""Fails if a Swift file has more than 350 lines or a function more than 60.

    size.py

A function's lines are those from its declaration to its closing brace.
"""
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MAX_FILE, MAX_FUNCTION = 350, 60
START = re.compile(r"^( *)(?:@\w+(?:\([^)]*\))? )*(?:[a-z]+(?:\(set\))? )*(?:func\b|init\b|init\?|subscript\b)")


def functions(lines):
    """The first line, the number of lines and the text of each function that has a body."""
    for index, line in enumerate(lines):
        match = START.match(line)
        if not match:
            continue
        end = "\n" if line.rstrip().endswith("}") else f"{match[1]}}}"
        for last in range(index, len(lines)):
            if end == "\n" or lines[last].rstrip("\n") == end:
                yield index + 1, last - index + 1, line.strip()
                break
            if last > index and START.match(lines[last]) and START.match(lines[last])[1] == match[1]:
                break


def main():
    problems = []
    for path in sorted(glob.glob("Sources/**/*.swift", root_dir=ROOT, recursive=True)):
        with open(os.path.join(ROOT, path)) as file:
            lines = file.readlines()
        if len(lines) > MAX_FILE:
            problems.append(f"{path}: {len(lines)} lines; at most {MAX_FILE} are allowed")
        for line, count, text in functions(lines):
            if count > MAX_FUNCTION:
                problems.append(f"{path}:{line}: {count} lines in {text[:60]}; at most {MAX_FUNCTION} are allowed")
    if problems:
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    main()
