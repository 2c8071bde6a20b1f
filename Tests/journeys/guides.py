#!/usr/bin/env python3
"""Runs the commands of the guides (README.md, docs/tutorial, docs/how-to) as they stand there.

    guides.py --program .build/debug/vitrine [--only NAME]...

Each guide gets a scratch folder and a deployment of its own, as docs/how-to/deploy.md leaves it: an empty database, a daemon, and an
API client with all scopes. Demo content is there if a block of the guide loads it. Blocks run in order; folder and variables are kept
from one block to the next. What happens with a block follows from its language and from HTML comments before it:

    ```sh                           runs in bash; fails if a command fails
    ```console                      runs the lines after "$ " and compares what they print; … stands for any text
    <!-- test: skip, REASON -->     the block isn't run
    <!-- test: file PATH -->        the block is written to PATH
    <!-- test: input COMMAND -->    the block is the standard input of COMMAND
    <!-- test: output -->           the block is what the block before printed; of JSON, the names of its members
    <!-- test: serve URL -->        the block is a server: it is started, must respond at URL, and ends with the guide
    <!-- test: exit N, REASON -->   the block ends with exit status N
    <!-- test: setup "WORDS"        these commands do what the guide says in these WORDS, for a reader to do by hand
    COMMANDS
    -->
    <!-- test: steps GUIDE 5 -->    the blocks of another guide run here, or those under some of its numbered headings
    <!-- test: trial -->            the deployment is what `make run` leaves in the checkout, with the demo content of the core
    <!-- test: let WORD = COMMAND -->   from here on, WORD (in blocks) stands for what COMMAND prints
    <!-- test: machine -->              from here on, blocks run as they stand, as root, on an empty machine (machine.py)
    <!-- test: machine, GUIDE [1-3][, FOLDER] -->  the same, after all blocks of another guide or those under some of its numbered
                                    headings; FOLDER is copied from the machine before

Where blocks run on an empty machine, their commands must be of a minimal Debian or of packages that the guide installs (packages.py).

A block of another language without a comment is a failure. Beyond blocks, every `vitrine …` in the text must name a command with
its options, every `make …` a target, faults and their options included, and every **label** of a page must be in the templates or
the code of the admin. A guide with `ID:SECRET` says where these come from.

Setups can use `field NAME`, which prints a member of the first line of JSON on standard input, and $CHECKOUT.

DATABASE_URL, VITRINE_DATA_DIR and the variables of psql name the deployment, as deploy/vitrine does on a server; beside `make run`
commands find it by themselves. CMS_URL and CMS_CLIENT are the URL and the credentials that guides use. `ID:SECRET`,
http://127.0.0.1:8080 and https://cms.example.org stand for those of the deployment, 8081 for a free port.

Dates after November 2026 stand for dates to come: wherever a guide shows one, the same day of a later year takes its place, so that
guides pass at any time. Earlier dates, such as those in sample files, stay as they are.
"""
import argparse
import calendar
import glob
import html
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from urllib.parse import parse_qs, urlsplit

from checks import check, finish
from machine import CHECKOUT, Machine
from packages import Supplies
from patience import seconds, wait
from run import Daemon
from workspace import ROOT, folder, port, start

GUIDES = ["README.md", "docs/tutorial/*.md", "docs/how-to/*.md"]
DATE = re.compile(r"(?<!\w)(20\d\d)-(0[1-9]|1[0-2])(-\d\d)?(?!\d)")
# The month in which the guides were written.
WRITTEN = "2026-11"
TOKEN = re.compile(r"<!-- test: (?P<comment>.*?) ?-->|^ *```(?P<language>[a-z]*)\n(?P<block>.*?)^ *```$", re.S | re.M)


def with_dates_ahead(text, now=None):
    """Moves dates after WRITTEN by the same number of years each, so that all are more than a month ahead. None passes meanwhile."""
    month_from_now = time.gmtime((time.time() if now is None else now) + 40 * 86_400)
    years = month_from_now.tm_year + 1 - int(WRITTEN[:4])

    def moved(found):
        year, month, day = found.groups(default="")
        if f"{year}-{month}" <= WRITTEN:
            return found[0]
        year = int(year) + years
        # 29 February is the 28th in other years.
        day = "-28" if (month, day) == ("02", "-29") and not calendar.isleap(year) else day
        return f"{year}-{month}{day}"

    return DATE.sub(moved, text)


def tokens(text, chosen=range(1000)):
    """The comments and blocks of a guide, or those under some of its numbered headings."""
    for token in TOKEN.finditer(text):
        headings = re.findall(r"^## (\d+)\. ", text[:token.start()], re.M)
        if int(headings[-1] if headings else 0) in chosen:
            yield token


def part(guide):
    """The path and the headings of "GUIDE", "GUIDE 1-3" or "GUIDE 5"."""
    name, _, chosen = guide.partition(" ")
    first, _, last = (chosen or "0-999").partition("-")
    return f"docs/how-to/{name}.md", range(int(first), int(last or first) + 1)


FIELD = """#!/usr/bin/env python3
import json, sys
print(json.loads(sys.stdin.readline())[sys.argv[1]])
"""


class Deployments:
    """One database server. Each guide gets a copy of an empty database and of its data folder."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        os.makedirs(os.path.join(folder, "bin"))
        for name, text, mode in (("field", FIELD, 0o755), (".curlrc", "fail-with-body\nsilent\nshow-error\n", 0o644)):
            with open(os.path.join(folder, "bin", name), "w", opener=lambda path, flags: os.open(path, flags, mode)) as file:
                file.write(text)
        self.server = Daemon(program, os.path.join(folder, "server"), "--empty")
        self.psql("create database guide_template")
        self.daemon("guide_template", os.path.join(folder, "template")).stop()

    def url(self, database):
        parts = urlsplit(self.server.info["database_url"])
        return parts._replace(path=f"/{database}").geturl()

    def psql(self, statement):
        subprocess.run(["psql", self.url("postgres"), "-qXc", statement], check=True, timeout=seconds(60))

    def daemon(self, database, data):
        return Daemon(self.program, data, "--empty", environment={"DATABASE_URL": self.url(database)})

    def trial(self, name):
        """As `make run`: with a database server of its own, in the folder where commands look for it."""
        data = os.path.join(self.folder, name, ".vitrine")
        os.makedirs(data)
        return Daemon(self.program, data)

    def create(self, name):
        database, data = "guide_" + re.sub(r"\W", "_", name), os.path.join(self.folder, name, "data")
        self.psql(f'create database {database} template guide_template')
        shutil.copytree(os.path.join(self.folder, "template"), data)
        daemon = self.daemon(database, data)
        # A copy of a database deletes no images until its store is adopted.
        with open(os.path.join(data, "media", "store-id")) as file:
            daemon.command("media", "adopt", "--confirm", file.read().strip())
        return daemon

    def clean(self):
        """Drops the databases of guides. A server that ends writes all of them to the disk, which may take longer than it has."""
        names = subprocess.run(
            ["psql", self.url("postgres"), "-qtAXc", "select datname from pg_database where datname ~ '^guide_' and datname <> 'guide_template'"],
            check=True, timeout=seconds(60), capture_output=True, text=True).stdout.split()
        for name in names:
            subprocess.run(["psql", self.url("postgres"), "-qXc", f'drop database "{name}" with (force)'], timeout=seconds(60))

    def environment(self, daemon, is_trial):
        client = daemon.info["client"]
        common = {
            "PATH": ":".join([self.folder + "/bin", os.path.dirname(self.program), os.environ["PATH"]]),
            "CURL_HOME": self.folder + "/bin", "CHECKOUT": ROOT, "CMS_URL": daemon.url,
            "CMS_CLIENT": f"{client['id']}:{client['secret']}"}
        if is_trial:
            # Of a database of its own, commands have all packs.
            return {name: value for name, value in os.environ.items() if name != "VITRINE_PACKS"} | common
        parts = urlsplit(daemon.info["database_url"])
        query = parse_qs(parts.query)
        return {
            **os.environ, **common, "DATABASE_URL": daemon.info["database_url"], "VITRINE_DATA_DIR": daemon.data,
            "PGHOST": query["host"][0], "PGPORT": query.get("port", ["5432"])[0], "PGUSER": parts.username,
            "PGDATABASE": parts.path[1:]}


class Guide:
    def __init__(self, path, deployments):
        self.path, self.deployments = path, deployments
        self.name = os.path.basename(path)[:-3].lower()
        self.folder = os.path.join(deployments.folder, self.name)
        self.servers, self.printed, self.machine, self.words, self.environment = [], "", None, {}, {}
        self.text = self.read(path)

    @staticmethod
    def read(path):
        with open(os.path.join(ROOT, path)) as file:
            return with_dates_ahead(file.read())

    def run(self):
        if "<!-- test: machine" in self.text:
            if os.geteuid() != 0:
                return print("skip", self.path, "needs root")
            os.makedirs(self.folder)
            try:
                self.perform(self.path, self.text)
            finally:
                if self.machine:
                    self.machine.stop()
            return
        is_trial = "<!-- test: trial -->" in self.text
        daemon = self.deployments.trial(self.name) if is_trial else self.deployments.create(self.name)
        self.environment = self.deployments.environment(daemon, is_trial)
        self.words = {
            "ID:SECRET": self.environment["CMS_CLIENT"], "https://cms.example.org": daemon.url, "http://127.0.0.1:8080": daemon.url,
            "8081": str(port())}
        fences = len(re.findall(r"^ *(```|~~~)", self.text, re.M))
        blocks = sum(token["comment"] is None for token in TOKEN.finditer(self.text))
        check(fences == 2 * blocks, f"{self.path}: the fence of every block is ``` and a language in lowercase letters")
        try:
            self.perform(self.path, self.text)
        finally:
            for server in self.servers:
                server.terminate()
                server.wait(seconds(60))
            check(daemon.stop() == 0, f"{self.path}: the daemon ends")

    def perform(self, path, text, chosen=range(1000)):
        """Runs the blocks of a guide, or those under some of its numbered headings."""
        comments = []
        for token in tokens(text, chosen):
            self.place = f"{path}:{text.count(chr(10), 0, token.start()) + 1}"
            if token["comment"]:
                kind, rest = re.match(r"(\w*),?\s*(.*)", token["comment"], re.S).groups()
                if kind == "setup":
                    self.by_hand(rest, text)
                elif kind == "steps":
                    self.steps(rest)
                elif kind == "trial":
                    continue
                elif kind == "machine":
                    if path == self.path:
                        self.enter(*[part.strip() for part in rest.split(",") if part])
                elif kind == "let":
                    word, _, command = rest.partition(" = ")
                    self.script(f"{{ {command}\n}} 2> .errors || {{ cat .errors; false; }}", f"the command for {word}")
                    self.words[word] = self.printed.strip()
                else:
                    comments.append((kind, rest))
            else:
                indent = len(token[0]) - len(token[0].lstrip(" "))
                block = re.sub(f"^ {{0,{indent}}}", "", token["block"], flags=re.M)
                self.block(token["language"], block, dict(comments))
                comments = []
        check(not comments, f"{path}: every comment is followed by a block")

    def by_hand(self, rest, text):
        """What the guide asks readers to do by hand, in the words that the comment quotes."""
        found = re.match(r'"([^"\n]+)"\s+(.+)', rest, re.S)
        said = found and found[1] in " ".join(re.sub(r"<!--.*?-->", "", text, flags=re.S).split())
        if check(said, f"{self.place}: what a setup does is said in the guide, and quoted"):
            self.script(found[2], "the setup")

    def steps(self, guide):
        """Runs the blocks of another guide in the checkout."""
        path, chosen = part(guide)
        self.script(f"cd {CHECKOUT if self.machine else ROOT}", "the checkout")
        self.perform(path, self.read(path), chosen)

    def enter(self, guide="", folder=None):
        """Goes on in a new machine."""
        before, self.machine = self.machine, Machine(self.deployments.program)
        self.machine.environment |= {"PATH": self.machine.environment["PATH"] + f":{self.deployments.folder}/bin", "CHECKOUT": CHECKOUT}
        for name in (".state", ".state.folder"):
            if os.path.exists(os.path.join(self.folder, name)):
                os.remove(os.path.join(self.folder, name))
        if guide:
            path, chosen = part(guide)
            self.perform(path, self.read(path), chosen)
        if before:
            if folder:
                self.machine.take(folder, before)
            before.stop()

    def block(self, language, block, how):
        known = {"skip", "file", "input", "output", "serve", "exit"}
        if not how.keys() <= known or (how.get("skip") == ""):
            return check(False, f"{self.place}: the comment is one of {', '.join(sorted(known))}; skip has a reason")
        if "skip" in how:
            return print("skip", self.place, how["skip"])
        if "file" in how:
            path = how["file"]
            self.script(f"mkdir -p \"$(dirname {path})\"\ncat > {path} <<'END-OF-BLOCK'\n{block}END-OF-BLOCK\n", "the file")
        elif "output" in how:
            self.compare(language, block, self.printed)
        elif "input" in how:
            self.script(f"{how['input']} <<'END-OF-BLOCK'\n{block}END-OF-BLOCK\n", "the block")
        elif "serve" in how:
            self.serve(block, self.replaced(how["serve"]))
        elif language == "sh":
            self.script(block, "the block", int(how.get("exit", "0").split(",")[0]))
        elif language == "console":
            for command, shown in re.findall(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", block, re.M):
                self.script(command, command.split("\n")[0])
                self.compare(language, shown, self.printed)
        else:
            check(False, f"{self.place}: a block of {language or 'no language'} needs a comment that says how to test it")

    def replaced(self, text):
        for word, value in self.words.items():
            text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", lambda _: value, text)
        return text

    def script(self, text, what, status=0):
        """Runs commands with the folder and the variables that the commands before left."""
        state = os.path.join(self.folder, ".state")
        script = f"set -aeo pipefail; shopt -s expand_aliases\ntrap 'export -p > {state}; pwd > {state}.folder' EXIT\n"
        if os.path.exists(state):
            script += f". {state} 2> /dev/null\ncd \"$(cat {state}.folder)\"\n"
        elif self.machine:
            script += f"cd {CHECKOUT}\n"
        # timeout ends a server that the guide starts without saying so.
        command = ["timeout", str(seconds(120)), "bash", "-c", script + self.replaced(text)]
        environment = self.environment
        if self.machine:
            command, environment = self.machine.enter(*command), self.machine.environment
        with open(os.path.join(self.folder, ".output"), "w+") as output:
            code = start(command, env=environment, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=output,
                         stderr=subprocess.STDOUT).wait()
            output.seek(0)
            self.printed = output.read()
        return check(code == status, f"{self.place}: {what}" + (
            "" if code == status else f" ended with {code}:\n{self.replaced(text)}\n{self.printed}"))

    def serve(self, text, url):
        # In the background, where bash waits for it, and for SIGTERM.
        words = ("set -ae; . .state 2> /dev/null || true\ntrap 'trap \"\" TERM; kill 0; wait' TERM\n"
                 f"{{\n{self.replaced(text)}\n}} &\nwait $!")
        with open(os.path.join(self.folder, ".server"), "w") as log:
            server = start(["bash", "-c", words], env=self.environment, cwd=self.folder, stdout=log, stderr=log, start_new_session=True)
        self.servers.append(server)

        def responds():
            try:
                urllib.request.urlopen(url, timeout=seconds(5)).close()
            except urllib.error.HTTPError:
                pass
            return True

        if not wait(responds, f"{self.place}: {url} responds"):
            with open(log.name) as log:
                print(log.read()[-2000:])

    def compare(self, language, shown, printed):
        # Blanks in JSON don't matter.
        shown, printed = (re.sub(r'(?<=["\]}\d])\s*([:,])\s*', r"\1", text).strip() for text in (self.replaced(shown), printed))
        if language == "json":
            names = set(re.findall(r'"(\w+)" *:', shown))
            missing = sorted(names - set(re.findall(r'"(\w+)" *:', printed)))
            return check(not missing, f"{self.place}: the members shown are printed" + (f", except {missing}:\n{printed}" if missing else ""))
        pattern = r"\s+".join(".*?".join(map(re.escape, word.split("…"))) for word in shown.split())
        same = re.search(rf"^{pattern}$", printed, re.M | re.S)
        check(same, f"{self.place}: what is shown is printed" + ("" if same else f"; shown:\n{shown}\nprinted:\n{printed}"))


def commands():
    """The options of each command, from the generated reference."""
    with open(os.path.join(ROOT, "docs/reference/commands.md")) as file:
        sections = re.split(r"^## vitrine (.*)\n", file.read(), flags=re.M)
    return {name: set(re.findall(r"--[a-z-]+", text)) for name, text in zip(sections[1::2], sections[2::2])}


def page_labels():
    """The texts of templates, and the strings of the code and the content types that make pages."""
    def read(pattern):
        return [open(path).read() for path in glob.glob(os.path.join(ROOT, pattern), recursive=True)]

    found = [part for text in read("Templates/**/*.html") for part in re.split(r"<[^>]*>|{{.*?}}", html.unescape(text))]
    # Labels are arguments of partials, too.
    found += [label for text in read("Templates/**/*.html") for label in re.findall(r'\w+="([^"]*)"', text)]
    for text in read("Sources/**/*.swift") + read("Config/content-types/*.json") + read("Templates/**/*.js"):
        found += re.findall(r'"([^"\n]*)"', text)
    return {" ".join(part.split()).rstrip("…") for part in found}


def names(path, known, labels):
    """Commands and labels that the text names are there."""
    with open(os.path.join(ROOT, path)) as file:
        text = re.sub(r"<!--.*?-->", "", TOKEN.sub("", file.read()), flags=re.S)
    for span in re.findall(r"`vitrine ([a-z][^`]*)`", text):
        words = " ".join(span.split()).split(" ")
        options = {word for word in words if word.startswith("--")}
        name = next((name for name in (" ".join(words[:2]), words[0]) if name in known or name == "help"), None)
        if not (name == "help" or name and options <= known[name] | {"--help"}):
            check(False, f"{path}: there is no `vitrine {span}`" + (f" with {sorted(options - known[name])}" if name else ""))
    # Bold text at the start of a list item, with a colon or a period, is the item's heading.
    text = "" if path == "README.md" else re.sub(r"^ *([*]|\d+\.) \*\*[^*]+(\*\*:|\.\*\*)", "", text, flags=re.M)
    for label in re.findall(r"\*\*([^*]+)\*\*", text):
        for part in " ".join(label.split()).rstrip("…").split(" > "):
            check(part in labels, f"{path}: a page has \"{part}\"")


def credentials(path):
    """Where the guide has credentials, it says which client they are of."""
    with open(os.path.join(ROOT, path)) as file:
        text = file.read()
    if "ID:SECRET" in text:
        check("manage-api-clients.md" in text or "`make run`" in text, f"{path}: it says where ID:SECRET comes from")


def targets(path):
    """Each `make …` names a target, and faults that there are. A guide with a table of faults names all."""
    with open(os.path.join(ROOT, path)) as file:
        text = file.read()
    with open(os.path.join(ROOT, "Makefile")) as file:
        known = set(re.findall(r"^([a-z-]+):", file.read(), re.M))
    for target, arguments in re.findall(r'(?:`|^ *)make ([a-z-]+)(?: ARGS="([^"]*)")?', text, re.M):
        check(target in known, f"{path}: there is `make {target}`")
        if target == "faults":
            check(faults(arguments), f"{path}: there is `make faults` with {arguments or 'no arguments'}")
    if "| fault |" in text:
        named = re.findall(r"`([a-z_-]+)`", "".join(re.findall(r"^\| (`[^|]*) \|", text, re.M)))
        there = faults("") + faults("--only soak")
        check(set(named) == set(there), f"{path}: it names each fault and each way: {sorted(set(named) ^ set(there))}")


def faults(arguments):
    """The faults and ways that `make faults` would try, of which it runs none."""
    done = subprocess.run(
        [sys.executable, "-B", "scripts/faults/try_faults.py", "--program", "none", "--list", *shlex.split(arguments)], cwd=ROOT,
        env={**os.environ, "PYTHONPATH": "scripts/bench"}, capture_output=True, text=True, timeout=seconds(60))
    return done.stdout.split() if done.returncode == 0 else []


def supplied(path):
    """Where blocks run on an empty machine, each command is of a minimal Debian or of packages that the guide installs."""
    supplies, missing = None, {}
    for token in tokens(Guide.read(path)):
        comment = token["comment"] or ""
        if re.match(r"machine\b", comment):
            supplies, guide = Supplies(), (comment.split(",") + [""])[1].strip()
            for other in tokens(Guide.read(part(guide)[0]), part(guide)[1]) if guide else []:
                supplies.add(other["block"] or "")
        elif supplies and token["language"] in ("sh", "console"):
            block = token["block"] if token["language"] == "sh" else "".join(re.findall(r"^ *\$ (.*\n)", token["block"], re.M))
            supplies.add(block)
            missing |= supplies.missing(block)
    if supplies:
        check(not missing, f"{path}: the guide installs the packages of its commands" + (f", except {missing}" if missing else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--only", action="append", default=[], help="name of a guide, such as deploy")
    options = parser.parse_args()
    paths = [os.path.relpath(path, ROOT) for pattern in GUIDES for path in sorted(glob.glob(os.path.join(ROOT, pattern)))]
    paths = [path for path in paths if not options.only or os.path.basename(path)[:-3] in options.only]
    known, labels = commands(), page_labels()
    deployments = Deployments(os.path.abspath(options.program), folder())
    for path in paths:
        names(path, known, labels)
        credentials(path)
        targets(path)
        supplied(path)
        started = time.monotonic()
        Guide(path, deployments).run()
        deployments.clean()
        print(f"     {path}: {time.monotonic() - started:.1f} s")
    finish()


if __name__ == "__main__":
    main()
