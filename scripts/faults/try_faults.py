#!/usr/bin/env python3
"""Tries what goes wrong in a machine room, and checks afterwards that nothing acknowledged was lost or done twice.

    try_faults.py --program PATH [--only kill,database,drain,schedule] [--rounds N] [--clients N] [--keep]

Clients submit and decide over HTTP all the while. Prints a line of figures and PASS or FAIL for each fault, and ends with 1
when one failed. The database is a private one in .vitrine, removed afterwards.
"""
import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import time

import content
import publishing
from curators import Curators
from deployment import Deployment
from ledger import Ledger
from processes import ROOT, Cluster, Daemon, Program, RunFailed, note, postgres_tool, say, stop_daemons, workspace

NAMES = ["kill", "database", "drain", "schedule"]
ENTRIES = 300


class Faults:
    def __init__(self, options):
        self.options = options
        self.program = Program(options.program)
        self.folder = workspace("faults")
        self.cluster = self.deployment = None
        self.chance = random.Random(options.seed)
        self.failed = []

    def prepare(self):
        self.cluster = Cluster(self.program, self.folder)
        self.deployment = Deployment(self.cluster, "faults", self.folder)
        content.load_live(self.deployment.database, ENTRIES)

    def clean_up(self):
        stop_daemons()
        if self.cluster:
            self.cluster.stop()
        if not self.options.keep:
            shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, name):
        began = time.monotonic()
        self.deployment.start()
        figures, demands = getattr(self, name)()
        self.deployment.stop()
        unmet = [text for text, is_met in demands if not is_met]
        line = " ".join(f"{key}={value}" for key, value in figures.items())
        say(f"{name} {line} took={time.monotonic() - began:.0f}s {'FAIL' if unmet else 'PASS'}")
        for text in unmet:
            say(f"  {text}")
        if unmet:
            self.failed.append(name)

    # The faults

    def kill(self):
        """kill -9 of the daemon, again and again, while clients submit, decide and publish."""
        ledger, curators = self.begin("kill")
        daemon = self.deployment.daemon
        ready = []
        for _ in range(self.options.rounds):
            time.sleep(self.chance.uniform(0.1, 1.2))
            daemon.kill()
            ready.append(daemon.start())
        return self.end(ledger, curators, {"kills": len(ready), "ready_max": f"{max(ready):.2f}s"}, [
            ("no request was on its way when the daemon was killed: the run shows nothing", len(ledger.deaths) > 0),
            ("the daemon took 5 s or more until it was ready", max(ready) < 5)])

    def database(self):
        """An immediate restart of PostgreSQL, as after a crash, under load."""
        ledger, curators = self.begin("database")
        daemon = self.deployment.daemon
        recovered = []
        restarts = max(2, self.options.rounds // 6)
        for _ in range(restarts):
            time.sleep(self.chance.uniform(0.5, 1.5))
            self.restart_database()
            up, acknowledged = time.monotonic(), ledger.acknowledged
            while ledger.acknowledged == acknowledged and time.monotonic() - up < 20:
                time.sleep(0.005)
            recovered.append(time.monotonic() - up)
        alive = daemon.process.poll() is None
        return self.end(ledger, curators, {
            "restarts": restarts, "recovered_max": f"{max(recovered):.2f}s", "refused": ledger.refusals}, [
            ("no request met the restarts: the run shows nothing", ledger.refusals + len(ledger.deaths) > 0),
            ("the daemon ended with its database", alive),
            ("the first acknowledgement came 5 s or more after the database was back", max(recovered) < 5)])

    def drain(self):
        """SIGTERM under load: what has begun is finished, and the exit status is 0."""
        ledger, curators = self.begin("drain")
        daemon = self.deployment.daemon
        took, statuses, dropped = [], [], 0
        for _ in range(max(3, self.options.rounds // 2)):
            time.sleep(self.chance.uniform(0.2, 0.6))
            deaths = len(ledger.deaths)
            asked = time.monotonic()
            statuses.append(daemon.stop())
            took.append(time.monotonic() - asked)
            time.sleep(0.1)
            dropped += sum(1 for sent_at in ledger.deaths[deaths:] if sent_at < asked)
            daemon.start()
        return self.end(ledger, curators, {
            "terms": len(took), "dropped": dropped, "drain_max": f"{max(took):.2f}s"}, [
            (f"exit statuses {statuses}", all(status == 0 for status in statuses)),
            (f"{dropped} requests that had begun before SIGTERM came to no answer", dropped == 0)])

    def schedule(self):
        """Two daemons on one database, releases due all the while, and kill -9 of one and then of the other."""
        database = self.deployment.database
        first = self.deployment.daemon
        second = Daemon(self.program, database.url, self.folder)
        second.start()
        try:
            batch = publishing.Batch(database, ENTRIES, 1)
            before = int(database.value("select number from curation.publication_counter"))
            publishing.schedule(database, batch, "new", ENTRIES, over_seconds=8)
            for daemon in (first, second):
                time.sleep(self.chance.uniform(1.5, 2.5))
                daemon.kill()
                time.sleep(0.5)
                daemon.start()
            waited = time.monotonic() + 60
            while time.monotonic() < waited:
                if database.value("select count(*) from curation.release where state = 'scheduled'") == "0":
                    break
                time.sleep(0.2)
        finally:
            second.stop()
        row = database.rows(f"""
            select count(*) filter (where r.state = 'published'), count(*) filter (where r.state <> 'published'),
                count(p.number) - count(distinct p.number), count(*) filter (where p.published_at < r.due_at),
                count(*) filter (where c.n is distinct from 1),
                coalesce(round(max(extract(epoch from p.published_at - r.due_at)), 2), 0), (select count(*) from curation.verify())
            from curation.release r left join curation.publication p on p.release_id = r.id
            left join lateral (select count(*) as n from curation.publication_change c
                join curation.release_item i on i.entry_id = c.entry_id
                where i.release_id = r.id and c.publication > {before}) c on true""")[0]
        published, missed, shared, early, not_once, late, wrong = (float(value) for value in row)
        figures = {"releases": ENTRIES, "published": int(published), "missed": int(missed), "shared": int(shared),
                   "early": int(early), "not_once": int(not_once), "late_max": f"{late:.2f}s", "wrong_rows": int(wrong)}
        return figures, [
            ("releases were missed, shared a publication, went live early or not exactly once",
             published == ENTRIES and not (missed or shared or early or not_once)),
            ("a release was 5 s or more late", late < 5), ("the read tables are wrong", wrong == 0)]

    # What they share

    def begin(self, name):
        ledger = Ledger(f"{name}-{self.options.seed}-{os.getpid()}")
        curators = Curators(ledger, self.deployment, [self.deployment.daemon.port], self.options.clients, self.options.seed)
        curators.start()
        return ledger, curators

    def end(self, ledger, curators, figures, demands):
        curators.stop()
        verdicts = ledger.verdicts(self.deployment.database)
        figures = {**figures, "acknowledged": ledger.acknowledged, "decided": ledger.decided,
                   "died_on_the_way": len(ledger.deaths), **verdicts}
        for surprise in ledger.surprises[:3]:
            note(f"  {surprise}")
        wrong = [name for name, count in verdicts.items() if count]
        return figures, demands + [
            ("not zero: " + ", ".join(wrong), not wrong), ("nothing was acknowledged", ledger.acknowledged > 0)]

    def restart_database(self):
        """pg_ctl starts the server with the options that it had."""
        owner = os.stat(self.cluster.data)
        command = [postgres_tool("pg_ctl", self.cluster.version), "-D", self.cluster.data, "-m", "immediate", "-w",
                   "-l", os.devnull, "restart"]
        if os.geteuid() == 0 and owner.st_uid == 0:
            # Where there is no other user, the server runs under a borrowed number.
            command = ["unshare", "--user", "--map-user=1000", *command]
            done = subprocess.run(command, capture_output=True, text=True, cwd="/")
        else:
            as_owner = {"user": owner.st_uid, "group": owner.st_gid} if os.geteuid() == 0 else {}
            done = subprocess.run(command, capture_output=True, text=True, cwd="/", **as_owner)
        if done.returncode != 0:
            raise RunFailed(f"pg_ctl: {done.stdout} {done.stderr}")


def main():
    parser = argparse.ArgumentParser(description="Tries faults on a real daemon and checks that nothing was lost or doubled.")
    parser.add_argument("--program", required=True)
    parser.add_argument("--only", default=",".join(NAMES), help="faults to try, with commas: " + ",".join(NAMES))
    parser.add_argument("--rounds", type=int, default=30, help="kills; the other faults follow from it")
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="leave the data folder")
    options = parser.parse_args()
    unknown = set(options.only.split(",")) - set(NAMES)
    if unknown:
        parser.error(f"there is no fault named {', '.join(sorted(unknown))}")
    os.chdir(ROOT)
    # Whoever ends it early leaves nothing running either.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    faults = None
    try:
        faults = Faults(options)
        faults.prepare()
        for name in options.only.split(","):
            faults.run(name)
        say(f"{len(faults.failed)} failed" + (f": {', '.join(faults.failed)}" if faults.failed else ""))
        return 1 if faults.failed else 0
    except (RunFailed, AssertionError) as error:
        note(f"faults: {error}")
        return 1
    except KeyboardInterrupt:
        return 130
    finally:
        if faults:
            faults.clean_up()


if __name__ == "__main__":
    sys.exit(main())
