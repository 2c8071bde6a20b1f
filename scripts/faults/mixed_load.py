#!/usr/bin/env python3
"""Mixed load of a team on a real daemon: no deadlock, no 500 response, and correct read tables.

    mixed_load.py --program PATH [--minutes 10] [--seed N]

Applications submit and decide with immediate publication; curators rename, merge and unmerge categories, update and unpublish
entries, and compose and publish releases; one thread verifies. Threads use the same objects on purpose. Prints one line of
results and PASS or FAIL. Deadlocks are counted by PostgreSQL.
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
    """Threads that run commands one after another."""

    def __init__(self, program, database, until, seed):
        self.program = program
        self.database = database
        self.until = until
        self.seed = seed
        self.done = collections.Counter()
        self.refused = collections.Counter()
        self.failed = []
        self.lock = threading.Lock()

    def command(self, *arguments, text=None):
        """The JSON output of a command; None if it was refused, which is counted."""
        result = subprocess.run(
            [self.program.path, *arguments, "--json"], input=text, capture_output=True, text=True, cwd=ROOT,
            env=self.program.environment(self.database.url), timeout=120)
        name = " ".join(arguments[:2])
        with self.lock:
            if result.returncode == 0:
                self.done[name] += 1
                try:
                    return json.loads(result.stdout or "null")
                except ValueError:
                    return None
            message = (result.stderr or result.stdout).strip()
            self.refused[name] += 1
            if "deadlock" in message.lower() or "internal" in message.lower() or result.returncode < 0:
                self.failed.append(f"{name}: {message[:200]}")
        return None

    def start(self):
        tasks = [self.categories, self.categories, self.entries, self.entries, self.releases, self.verify]
        self.threads = [threading.Thread(target=self.repeat, args=(task, random.Random(self.seed * 100 + number)))
                        for number, task in enumerate(tasks)]
        for thread in self.threads:
            thread.start()

    def join(self):
        for thread in self.threads:
            thread.join()

    def repeat(self, task, rng):
        while time.monotonic() < self.until:
            try:
                task(rng)
            except Exception as error:
                self.failed.append(f"{task.__name__}: {error}")
                return

    def some(self, type, rng, count=1):
        rows = self.database.rows(
            f"select e.id from curation.live l join curation.entry e on e.id = l.entry_id where e.type = '{type}' "
            f"order by e.id desc limit 40")
        ids = [row[0] for row in rows]
        return rng.sample(ids, min(count, len(ids)))

    def categories(self, rng):
        pair = self.some("category", rng, 2)
        if len(pair) < 2:
            return
        action = rng.choice(["rename", "rename", "merge", "unmerge"])
        if action == "rename":
            self.command("category", "update", pair[0], f"Name {rng.randrange(10**6)}")
        elif action == "merge":
            self.command("category", "merge", pair[0], "--into", pair[1])
        else:
            self.command("category", "unmerge", pair[0])

    def entries(self, rng):
        for id in self.some("article", rng):
            if rng.random() < 0.8:
                self.command("entry", "update", id, "-", "--publish", text=json.dumps({"title": f"Edited {rng.randrange(10**6)}"}))
            else:
                self.command("entry", "unpublish", id)

    def releases(self, rng):
        created = self.command("release", "create", f"Release {rng.randrange(10**6)}")
        ids = self.some("article", rng, 5)
        if not created or not ids:
            return
        number = str(created.get("number") or created.get("release", {}).get("number"))
        for id in ids:
            self.command("entry", "update", id, "-", "--approve", text=json.dumps({"summary": f"S {rng.randrange(10**6)}"}))
        self.command("release", "add", number, *ids)
        self.command("release", "publish", number)

    def verify(self, rng):
        time.sleep(5)
        self.command("publish", "verify")


def log_excerpts(folder, word, lines=14):
    """Lines of the server log after a word."""
    for path, _, names in os.walk(folder):
        if "server.log" in names:
            with open(os.path.join(path, "server.log"), errors="replace") as file:
                log = file.read().splitlines()
            return [line for at, text in enumerate(log) if word in text for line in log[at:at + lines]]
    return []


def main():
    parser = argparse.ArgumentParser(description="Mixed load by curators and applications; deadlocks are failures.")
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
        program.run("demo", "core", "items", "categories", database_url=deployment.database.url)
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
        # Approved entries are updated and unpublished meanwhile, so they may be published several times, or not at all.
        unmet = [f"{name}: {count}" for name, count in verdicts.items()
                 if count and name not in ("published_twice", "unpublished")]
        unmet += team.failed[:5] + ([f"{deadlocks} deadlocks"] if deadlocks else [])
        unmet += [f"{wrong_rows} wrong rows in the read tables"] if wrong_rows else []
        say(f"mixed minutes={options.minutes:g} submitted={ledger.acknowledged} decided={ledger.decided} "
            f"actions={sum(team.done.values())} refused={sum(team.refused.values())} publications={publications} "
            f"deadlocks={deadlocks} wrong_rows={wrong_rows} unexpected={len(ledger.unexpected_responses)} {'FAIL' if unmet else 'PASS'}")
        for name, count in sorted(team.done.items()):
            note(f"  {name}: {count} done, {team.refused[name]} refused")
        for text in unmet + ledger.unexpected_responses[:3]:
            say(f"  {text}")
        for line in log_excerpts(folder, "deadlock detected"):
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
