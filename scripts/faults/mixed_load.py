#!/usr/bin/env python3
"""Minutes of what a team does at once, on a real daemon: not one deadlock, nothing answered 500, the read tables right.

    mixed_load.py --program PATH [--minutes 10] [--seed N]

Applications send in and decide, publishing at once; curators rename, move, merge and unmerge categories, edit and withdraw
entries, put together releases and publish them; somebody verifies. Several at a time take the same things on purpose. Ends with a
line of figures and PASS or FAIL. The deadlocks are those that PostgreSQL counted and logged.
"""
import argparse
import collections
import json
import os
import random
import shutil
import subprocess
import sys
import threading
import time

from curators import Curators
from deployment import Deployment
from ledger import Ledger
from processes import ROOT, Cluster, Program, RunFailed, note, say, stop_daemons, workspace



class Team:
    """Threads that give one command after the other."""

    def __init__(self, program, database, until, seed):
        self.program = program
        self.database = database
        self.until = until
        self.seed = seed
        self.done = collections.Counter()
        self.refused = collections.Counter()
        self.failed = []
        self.lock = threading.Lock()

    def command(self, *words, text=None):
        """The JSON of its answer; None when it was refused, which is counted."""
        result = subprocess.run(
            [self.program.path, *words, "--json"], input=text, capture_output=True, text=True, cwd=ROOT,
            env=self.program.environment(self.database.url), timeout=120)
        name = " ".join(words[:2])
        with self.lock:
            if result.returncode == 0:
                self.done[name] += 1
                try:
                    return json.loads(result.stdout or "null")
                except ValueError:
                    return None
            words = (result.stderr or result.stdout).strip()
            self.refused[name] += 1
            if "deadlock" in words.lower() or "internal" in words.lower() or result.returncode < 0:
                self.failed.append(f"{name}: {words[:200]}")
        return None

    def start(self):
        works = [self.categories, self.categories, self.entries, self.entries, self.releases, self.verify]
        self.threads = [threading.Thread(target=self.repeat, args=(work, random.Random(self.seed * 100 + number)))
                        for number, work in enumerate(works)]
        for thread in self.threads:
            thread.start()

    def join(self):
        for thread in self.threads:
            thread.join()

    def repeat(self, work, chance):
        while time.monotonic() < self.until:
            try:
                work(chance)
            except Exception as error:
                self.failed.append(f"{work.__name__}: {error}")
                return

    def some(self, type, chance, count=1):
        rows = self.database.rows(
            f"select e.id from curation.live l join curation.entry e on e.id = l.entry_id where e.type = '{type}' "
            f"order by e.id desc limit 40")
        ids = [row[0] for row in rows]
        return chance.sample(ids, min(count, len(ids)))

    def categories(self, chance):
        pair = self.some("category", chance, 2)
        if len(pair) < 2:
            return
        action = chance.choice(["rename", "rename", "merge", "unmerge"])
        if action == "rename":
            self.command("category", "rename", pair[0], f"Name {chance.randrange(10**6)}")
        elif action == "merge":
            self.command("category", "merge", pair[0], "--into", pair[1])
        else:
            self.command("category", "unmerge", pair[0])

    def entries(self, chance):
        for id in self.some("article", chance):
            if chance.random() < 0.8:
                self.command("entry", "edit", id, "-", "--publish", text=json.dumps({"title": f"Edited {chance.randrange(10**6)}"}))
            else:
                self.command("entry", "withdraw", id)

    def releases(self, chance):
        made = self.command("release", "create", f"Release {chance.randrange(10**6)}")
        ids = self.some("article", chance, 5)
        if not made or not ids:
            return
        number = str(made.get("number") or made.get("release", {}).get("number"))
        for id in ids:
            self.command("entry", "edit", id, "-", "--approve", text=json.dumps({"summary": f"S {chance.randrange(10**6)}"}))
        self.command("release", "add", number, *ids)
        self.command("release", "publish", number)

    def verify(self, chance):
        time.sleep(5)
        self.command("publish", "verify")


def told(folder, word, lines=14):
    """What the server's log says around a word."""
    for place, _, names in os.walk(folder):
        if "server.log" in names:
            with open(os.path.join(place, "server.log"), errors="replace") as file:
                log = file.read().splitlines()
            return [line for at, text in enumerate(log) if word in text for line in log[at:at + lines]]
    return []


def main():
    parser = argparse.ArgumentParser(description="Minutes of mixed load by curators; no deadlock may come of it.")
    parser.add_argument("--program", required=True)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    os.chdir(ROOT)
    folder = workspace("mixed")
    cluster = None
    try:
        program = Program(options.program)
        cluster = Cluster(program, folder)
        deployment = Deployment(cluster, "mixed", folder)
        program.run("demo", "feeds", database_url=deployment.database.url)
        program.run("demo", "categories", database_url=deployment.database.url)
        deployment.start()
        database = deployment.database
        ledger = Ledger(f"mixed-{options.seed}-{os.getpid()}")
        curators = Curators(ledger, deployment, [deployment.daemon.port], options.clients, options.seed)
        curators.start()
        team = Team(program, database, time.monotonic() + options.minutes * 60, options.seed)
        team.start()
        team.join()
        curators.stop()
        verdicts = ledger.verdicts(database)
        wrong_rows = int(database.value("select count(*) from curation.verify()"))
        deadlocks = int(database.value("select deadlocks from pg_stat_database where datname = current_database()"))
        publications = database.value("select number from curation.publication_counter")
        # What was accepted is edited and withdrawn meanwhile, so its entry is published more than once, or no more.
        unmet = [f"{name}: {count}" for name, count in verdicts.items()
                 if count and name not in ("published_twice", "unpublished")]
        unmet += team.failed[:5] + ([f"{deadlocks} deadlocks"] if deadlocks else [])
        unmet += [f"{wrong_rows} rows of the read tables are wrong"] if wrong_rows else []
        say(f"mixed minutes={options.minutes:g} submitted={ledger.acknowledged} decided={ledger.decided} "
            f"actions={sum(team.done.values())} refused={sum(team.refused.values())} publications={publications} "
            f"deadlocks={deadlocks} wrong_rows={wrong_rows} surprises={len(ledger.surprises)} {'FAIL' if unmet else 'PASS'}")
        for name, count in sorted(team.done.items()):
            note(f"  {name}: {count} done, {team.refused[name]} refused")
        for text in unmet + ledger.surprises[:3]:
            say(f"  {text}")
        for line in told(folder, "deadlock detected"):
            note(f"  {line[:400]}")
        return 1 if unmet else 0
    except (RunFailed, AssertionError) as error:
        note(f"mixed load: {error}")
        return 1
    finally:
        stop_daemons()
        if cluster:
            cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
