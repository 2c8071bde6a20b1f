#!/usr/bin/env python3
"""Collects the texts of sources and templates into Messages/vitrine.pot, the template of all translations.

    messages.py [--program PATH] [--pseudo FOLDER]

Updates the translations (Messages/*.po) with new and changed texts. With --pseudo it writes only a catalog en-XA.mo whose
texts are accented, a third longer, and in brackets, so that a page shows what is not translated or does not fit.
"""
import argparse
import glob
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TEMPLATE = os.path.join(ROOT, "Messages", "vitrine.pot")
HEADER = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Language: %s\\n"\n'
ESCAPES = {"n": "\n", "t": "\t", "0": "\0", '"': '"', "'": "'", "\\": "\\"}


class Source:
    """Reads the calls of `tr` in one Swift file. Raises SyntaxError for a key that is not a literal."""

    def __init__(self, path):
        self.path = path
        with open(os.path.join(ROOT, path)) as file:
            self.text = file.read()

    def messages(self):
        for call in re.finditer(r"(?<![\w.])tr\(", self.text):
            line_start = self.text.rfind("\n", 0, call.start()) + 1
            line = self.text[line_start:call.start()]
            if "//" in line or "func " in line:
                continue
            yield from self.call(call.end())

    def call(self, position):
        """The keys of the call whose arguments start here: one, or one per branch of a conditional."""
        start, keys, context, joined = position, [], None, False
        depth = 0
        while True:
            character = self.text[position]
            if character == '"':
                value, arguments, position = self.literal(position)
                if context == "":
                    context = value
                elif joined:
                    keys[-1] = join(keys[-1], (value, arguments))
                else:
                    keys.append((value, arguments))
                joined = False
                continue
            if character in "([":
                depth += 1
            elif character in ")]":
                if depth == 0:
                    break
                depth -= 1
            elif character == "+":
                joined = True
            elif self.text.startswith("context:", position):
                context = ""
            elif not character.isspace():
                joined = False
            position += 1
        line = self.text.count("\n", 0, start) + 1
        if not keys:
            raise SyntaxError(f"{self.path}:{line}: the text of tr is not a literal")
        for key, arguments in keys:
            yield key, context or None, arguments, f"{self.path}"

    def literal(self, position):
        """The pattern of the literal that starts here, the sources of its arguments, and where it ends."""
        is_block = self.text.startswith('"""', position)
        quotes = '"""' if is_block else '"'
        position += len(quotes)
        key, arguments, plain = "", [], ""
        pieces = []
        while not self.text.startswith(quotes, position):
            character = self.text[position]
            if character != "\\":
                plain += character
                position += 1
            elif self.text[position + 1] == "(":
                inside, position = self.balanced(position + 2)
                pieces += [plain, inside]
                plain = ""
            elif self.text[position + 1] == "\n":
                plain += "\\\n"
                position += 2
            elif self.text[position + 1] == "u":
                end = self.text.index("}", position)
                plain += chr(int(self.text[position + 3:end], 16))
                position = end + 1
            else:
                plain += ESCAPES[self.text[position + 1]]
                position += 2
        pieces.append(plain)
        if is_block:
            texts = self.dedented("\ue000".join(pieces[::2])).split("\ue000")
            pieces = [piece for pair in zip(texts, pieces[1::2] + [""]) for piece in pair][:-1]
        for index, piece in enumerate(pieces):
            if index % 2 == 0:
                key += piece.replace("{", "'{'")
            else:
                if key.endswith("'"):
                    key += "'"
                plural = re.search(r', one: "(.*?)", other: "(.*?)"$', piece)
                if plural:
                    key += "{%d, plural, one {%s} other {%s}}" % (len(arguments), *plural.groups())
                    arguments.append(piece[:plural.start()])
                else:
                    key += "{%d}" % len(arguments)
                    arguments.append(piece)
        return key, arguments, position + len(quotes)

    @staticmethod
    def dedented(text):
        """The text of a block literal without its indentation, its first and last line ending, and continued lines."""
        lines = text.removeprefix("\n").split("\n")
        indentation = len(lines[-1])
        return "\n".join(line[indentation:] for line in lines[:-1]).replace("\\\n", "")

    def balanced(self, position):
        """The text up to the closing parenthesis, and the position after it."""
        start, depth = position, 0
        while True:
            character = self.text[position]
            if character == '"':
                _, _, position = self.literal(position)
                continue
            if character == "(":
                depth += 1
            elif character == ")":
                if depth == 0:
                    return self.text[start:position], position + 1
                depth -= 1
            position += 1


def join(first, second):
    """A key of two literals joined by +."""
    shifted = re.sub(r"\{(\d+)", lambda match: "{%d" % (int(match[1]) + len(first[1])), second[0])
    return first[0] + shifted, first[1] + second[1]


def is_one_word(key):
    words = [word for word in re.sub(r"</?\w+>", " ", key).split() if re.search("[a-zA-Z]", re.sub(r"\{\d+\}", "", word))]
    return len(words) <= 1


def collected(program):
    """By key and context: where it is used, and what its arguments are."""
    found, problems = {}, []

    def add(key, context, arguments, place):
        if is_one_word(key) and not context:
            problems.append(f"{place}: {key!r} is one word: say what it names with context")
        places, names = found.setdefault((context or "", key), (set(), []))
        places.add(place)
        for name in arguments:
            if name not in names:
                names.append(name)

    for path in sorted(glob.glob("Sources/**/*.swift", root_dir=ROOT, recursive=True)):
        try:
            for message in Source(path).messages():
                add(*message)
        except SyntaxError as error:
            problems.append(str(error))
    listed = subprocess.run([program, "dev", "messages"], capture_output=True, text=True, check=True, cwd=ROOT)
    for item in json.loads(listed.stdout):
        add(item["key"], item.get("context"), item["values"], item["place"])
    if problems:
        sys.exit("\n".join(problems))
    return found


def quoted(text):
    return json.dumps(text, ensure_ascii=False)


def catalog(found, language, translated=lambda key: ""):
    entries = [HEADER % language]
    for (context, key), (places, names) in sorted(found.items(), key=lambda item: (sorted(item[1][0])[0], item[0])):
        lines = [f"#. {{{index}}}: {' '.join(name.split())}" for index, name in enumerate(names)]
        lines += [f"#: {place}" for place in sorted(places)]
        lines += [f"msgctxt {quoted(context)}"] if context else []
        lines += [f"msgid {quoted(key)}", f"msgstr {quoted(translated(key))}"]
        entries.append("\n".join(lines) + "\n")
    return "\n".join(entries)


ACCENTS = str.maketrans("aceilnorsuyACEILNORSUY", "áçéíłñóřšúýÁÇÉÍŁÑÓŘŠÚÝ")


def pseudo(key):
    """The key with accents, longer and in brackets; placeholders, tags and plural syntax stay."""
    parts = re.split(r"(\{\d+, plural, one \{|\} other \{|\}\}|\{\d+\}|'\{'|</?\w+>|&\w+;)", key)
    text = "".join(part if index % 2 else part.translate(ACCENTS) for index, part in enumerate(parts))
    return f"[{text}{' ·' * (len(key) // 6)}]"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(ROOT, ".build", "debug", "vitrine"))
    parser.add_argument("--pseudo", metavar="FOLDER", help="write a catalog for tests")
    arguments = parser.parse_args()
    found = collected(arguments.program)
    if arguments.pseudo:
        os.makedirs(arguments.pseudo, exist_ok=True)
        po = os.path.join(arguments.pseudo, "en-XA.po")
        with open(po, "w") as file:
            file.write(catalog(found, "en-XA", pseudo))
        subprocess.run(["msgfmt", "--check-format", "--output-file", po[:-2] + "mo", po], check=True)
        return
    with open(TEMPLATE, "w") as file:
        file.write(catalog(found, ""))
    for translation in glob.glob(os.path.join(os.path.dirname(TEMPLATE), "*.po")):
        subprocess.run(["msgmerge", "--update", "--backup=none", "--quiet", translation, TEMPLATE], check=True)


if __name__ == "__main__":
    main()
