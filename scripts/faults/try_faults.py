#!/usr/bin/env python3
"""Tries what goes wrong in a machine room, and checks afterwards that nothing acknowledged was lost or done twice.

    try_faults.py --program PATH [--only kill,database,...] [--rounds N] [--clients N] [--minutes N] [--keep]

Clients submit and decide over HTTP all the while. Prints a line of figures and PASS or FAIL for each fault, and ends with 1
when one failed. The database is a private one in .vitrine, removed afterwards.
"""
import argparse
import os
import random
import shutil
import signal
import sys
import time

import content
import outages
import shortages
from curators import Curators
from deployment import Deployment
from ledger import Ledger
from processes import ROOT, Cluster, Program, RunFailed, note, say, stop_daemons, workspace

FAULTS = {work.__name__: work for work in (
    outages.kill, outages.database, outages.drain, outages.schedule, outages.backup,
    shortages.descriptors, shortages.idle, shortages.disk, shortages.soak)}
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
        figures, demands = FAULTS[name](self)
        self.deployment.stop()
        unmet = [text for text, is_met in demands if not is_met]
        line = " ".join(f"{key}={value}" for key, value in figures.items())
        say(f"{name} {line} took={time.monotonic() - began:.0f}s {'FAIL' if unmet else 'PASS'}")
        for text in unmet:
            say(f"  {text}")
        if unmet:
            self.failed.append(name)

    # What they share

    def begin(self, name):
        ledger = Ledger(f"{name}-{self.options.seed}-{os.getpid()}")
        curators = Curators(ledger, self.deployment, [self.deployment.daemon.port], self.options.clients, self.options.seed)
        curators.start()
        return ledger, curators

    def end(self, ledger, curators, figures, demands, deployment=None):
        """Lets the clients come to their end, and compares what they were told with what the database holds."""
        curators.stop()
        verdicts = ledger.verdicts((deployment or self.deployment).database)
        figures = {**figures, "acknowledged": ledger.acknowledged, "decided": ledger.decided,
                   "died_on_the_way": len(ledger.deaths), **verdicts}
        for surprise in ledger.surprises[:3]:
            note(f"  {surprise}")
        wrong = [name for name, count in verdicts.items() if count]
        return figures, demands + [
            ("not zero: " + ", ".join(wrong), not wrong), ("nothing was acknowledged", ledger.acknowledged > 0)]

    def seconds_to_acknowledge(self, ledger):
        """How long it takes from now until a client is told again that something was kept; 20 at most."""
        began, acknowledged = time.monotonic(), ledger.acknowledged
        while ledger.acknowledged == acknowledged and time.monotonic() - began < 20:
            time.sleep(0.005)
        return time.monotonic() - began


def main():
    parser = argparse.ArgumentParser(description="Tries faults on a real daemon and checks that nothing was lost or doubled.")
    parser.add_argument("--program", required=True)
    usual = ",".join(name for name in FAULTS if name != "soak")
    parser.add_argument("--only", default=usual, help="faults to try, with commas: " + ",".join(FAULTS))
    parser.add_argument("--rounds", type=int, default=30, help="kills; the other faults follow from it")
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--minutes", type=float, default=120, help="of the soak")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="leave the data folder")
    options = parser.parse_args()
    unknown = set(options.only.split(",")) - set(FAULTS)
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
