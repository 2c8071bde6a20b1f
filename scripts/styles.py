#!/usr/bin/env python3
"""Fails if a style sheet sets a size of text, a padding, a margin or a gap that isn't on the scales of its `tokens` layer.

    styles.py [FILE...]

The scales are the properties --text-* and --s*. Without files, it checks those in Templates/static.
"""
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DECLARATION = re.compile(r"(?<![\w-])((?:padding|margin)(?:-[a-z]+)*|gap|row-gap|column-gap|font-size|font)\s*:\s*([^;{}]+)")
# What isn't on a scale: nothing, lines that overlap a border, what depends on the text or the window, other scripts' defaults.
SPACE = re.compile(r"0|auto|-?1px|[\d.]+em|[\d.]+vh")
TEXT = re.compile(r"inherit|[\d.]+em|var\(--text-[a-z0-9]+\)")
# Weight and line height of the shorthand `font` are free, its size isn't.
FONT = re.compile(r"inherit|100%/1\.5 var\(--sans\)|(?:\d{3} )?var\(--text-[a-z0-9]+\)(?:/[\d.]+)? var\(--(?:sans|mono)\)")
SPACE_TOKEN = re.compile(r"--(?:s\d+h?|gap|box|decision-bar)")


def is_space(value):
    """Words of a shorthand; in `calc`, `min` and `max` each operand is one."""
    value = value.replace("!important", " ")
    value = re.sub(r"\b(?:calc|min|max)\(", "(", value)
    value = re.sub(r"var\((--[\w-]+)\)", r"\1", value)
    words = [word for word in re.split(r"[\s(),]+", value) if word]
    factors = re.compile(r"[-+*/]|-?\d+")
    return all(SPACE_TOKEN.fullmatch(word) or SPACE.fullmatch(word) or factors.fullmatch(word) for word in words)


def problems(text):
    """Each with the number of its line. Comments and the tokens themselves keep their lines, but aren't checked."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group())

    text = re.sub(r"/\*.*?\*/", blank, text, flags=re.DOTALL)
    defined = set(re.findall(r"(--[\w-]+)\s*:", text))
    text = re.sub(r"^@layer tokens \{.*?^\}", blank, text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"@font-face \{.*?\}", blank, text, flags=re.DOTALL)
    for match in DECLARATION.finditer(text):
        name, value = match[1], match[2].strip()
        line = text.count("\n", 0, match.start()) + 1
        fits = (FONT.fullmatch(value) if name == "font" else TEXT.fullmatch(value) if name == "font-size" else is_space(value))
        if not fits:
            yield line, f"{name}: {value} isn't on the scale; use var({'--text-…' if name.startswith('font') else '--s…'})"
    for match in re.finditer(r"var\((--[\w-]+)", text):
        if match[1] not in defined:
            yield text.count("\n", 0, match.start()) + 1, f"{match[1]} isn't defined"


def main():
    paths = sys.argv[1:] or sorted(glob.glob(os.path.join(ROOT, "Templates/static/*.css")))
    found = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            found += [f"{os.path.relpath(path, ROOT)}:{line}: {problem}" for line, problem in problems(file.read())]
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main()
