#!/usr/bin/env python3
"""Injects faults into a real deployment, and checks that no acknowledged action is lost or duplicated.

    try_faults.py --program PATH [--only kill,database,...] [--rounds N] [--clients N] [--minutes N] [--keep] [--list]

Clients submit and decide over HTTP meanwhile. Prints a line of results and PASS or FAIL per fault; exits with 1 if one failed.
Uses a private database in .vitrine and deletes it afterwards.
"""
import argparse
import os
import random
import shutil
import signal
import sys
import time

import content
import history
import hostile
import mishaps
import outages
import proxies
import shortages
from curators import Curators
from deployment import Deployment
from ledger import Ledger
from processes import ROOT, Cluster, Program, RunFailed, note, say, stop_daemons, workspace

FAULTS = {fault.__name__.replace("_", "-"): fault for fault in (
    outages.kill, outages.database, outages.drain, outages.schedule, outages.backup, mishaps.damaged_rows,
    mishaps.migrate, history.lossy_failover, proxies.proxy, proxies.flood,
    shortages.descriptors, shortages.idle, shortages.disk, hostile.hostile, shortages.soak)}
ENTRIES = 300


class Faults:
    def __init__(self, options):
        self.options = options
        self.program = Program(options.program)
        self.folder = workspace("faults")
        self.cluster = self.deployment = None
        self.rng = random.Random(options.seed)
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
        results, checks = FAULTS[name](self)
        self.deployment.stop()
        unmet = [text for text, is_met in checks if not is_met]
        line = " ".join(f"{key}={value}" for key, value in results.items())
        say(f"{name} {line} took={time.monotonic() - began:.0f}s {'FAIL' if unmet else 'PASS'}")
        for text in unmet:
            say(f"  {text}")
        if unmet:
            self.failed.append(name)

    # Shared by the faults

    def begin(self, name):
        ledger = Ledger(f"{name}-{self.options.seed}-{os.getpid()}")
        curators = Curators(ledger, self.deployment, [self.deployment.daemon.port], self.options.clients, self.options.seed)
        curators.start()
        return ledger, curators

    def end(self, ledger, curators, results, checks, deployment=None):
        """Stops the clients and compares their responses with the database."""
        curators.stop()
        verdicts = ledger.verdicts((deployment or self.deployment).database)
        results = {**results, "acknowledged": ledger.acknowledged, "decided": ledger.decided,
                   "interrupted": len(ledger.interruptions), **verdicts}
        for response in ledger.unexpected_responses[:3]:
            note(f"  {response}")
        wrong = [name for name, count in verdicts.items() if count]
        return results, checks + [
            ("not zero: " + ", ".join(wrong), not wrong), ("nothing was acknowledged", ledger.acknowledged > 0)]

    def seconds_to_acknowledge(self, ledger):
        """Seconds until the next acknowledged submission; at most 20."""
        began, acknowledged = time.monotonic(), ledger.acknowledged
        while ledger.acknowledged == acknowledged and time.monotonic() - began < 20:
            time.sleep(0.005)
        return time.monotonic() - began


def main():
    parser = argparse.ArgumentParser(description="Inject faults into a real daemon and check that nothing is lost or duplicated.")
    parser.add_argument("--program", required=True)
    usual = ",".join(name for name in FAULTS if name != "soak")
    parser.add_argument("--only", default=usual, help="comma-separated faults: " + ",".join(FAULTS))
    parser.add_argument("--rounds", type=int, default=30, help="number of kills; other faults scale with it")
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--ways", help="comma-separated ways of the fault hostile")
    parser.add_argument("--minutes", type=float, default=120, help="duration of the soak test")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="keep the data folder")
    parser.add_argument("--list", action="store_true", help="print the faults, and the ways of the fault hostile, and run none")
    options = parser.parse_args()
    ways = [way.__name__ for way in hostile.WAYS]
    for what, chosen, known in (("faults", options.only, FAULTS), ("ways", options.ways, ways)):
        unknown = set(chosen.split(",") if chosen else ()) - set(known)
        if unknown:
            parser.error(f"unknown {what}: {', '.join(sorted(unknown))}")
    if options.list:
        names = options.only.split(",")
        print(*names, *(ways if "hostile" in names else ()), sep="\n")
        return 0
    os.chdir(ROOT)
    # Stop all processes on SIGTERM, too.
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
