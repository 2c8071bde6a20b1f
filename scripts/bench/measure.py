#!/usr/bin/env python3
"""Benchmarks Vitrine against PostgreSQL (pgbench) and HTTP (nginx) on the same machine. Called by `make bench`.

    measure.py [--program PATH] [--quick] [--full] [--minutes N] [--only P1,P5] [--report FILE] [--keep]

Each measurement alternates with its ceiling for several rounds and is printed as a line. A complete run writes its tables to
docs/reference/benchmarks.md, a quick run to .vitrine/benchmarks-quick.md.
"""
import argparse
import os
import shutil
import signal
import sys
import time

import approvals
import content
import intake
import isolation
import palette
import places
import publishing
import queue_pages
import reading
import routes
import startup
from deployment import Database, Deployment
from results import Results
from loads import Nginx, Pgbench, Wrk
from processes import ROOT, Cluster, Program, RunFailed, note, say, stop_daemons, workspace
from report import write_report

PARTS = ["P11", "P2", "P3", "P4", "P2b", "P3b", "P1", "P5", "P6", "P7", "P8", "P9", "P10", "P16", "P17"]


class Bench:
    """State shared by the measurements."""

    def __init__(self, options):
        began = time.monotonic()
        self.is_complete = not options.quick
        self.parts = options.only.split(",") if options.only else PARTS
        self.seconds = 2 if self.is_complete else 1
        # A quick run must finish in three minutes, a complete one in thirty.
        minutes = options.minutes or (15 if self.is_complete else 1.2)
        self.results = Results(3 if self.is_complete else 2, began + minutes * 60)
        self.live_small, self.live, self.live_huge = 1000, 100_000 if self.is_complete else 20_000, 1_000_000
        self.places = 1_000_000 if options.full else 100_000 if self.is_complete else 20_000
        self.pending_small, self.pending, self.pending_huge = 10_000, 100_000, 1_000_000
        self.program = Program(options.program)
        self.folder = workspace("bench")
        self.batches = {}
        self.accounts = {}
        self.undecided = None
        self.cluster = self.nginx = self.small = self.middle = self.large = self.huge = None
        self.options = options

    def prepare(self):
        self.cluster = Cluster(self.program, self.folder)
        # pgbench needs one connection per client.
        Database(self.cluster, "vitrine", create=False).run("alter system set max_connections = 400")
        self.cluster.stop()
        self.cluster.start()
        self.wrk = Wrk(self.folder)
        self.pgbench = Pgbench(self.cluster, self.folder)
        self.nginx = Nginx(self.folder)
        self.small = self._deployment("small", self.live_small, self.pending_small)
        if set(self.parts) - {"P10", "P17"}:
            self.large = self._deployment("large", self.live, self.pending)
        if self.options.full and {"P2", "P3"} & set(self.parts):
            self.middle = self._deployment("middle", 10_000, 1000)
        if self.options.full and {"P2", "P3", "P5", "P7", "P8"} & set(self.parts):
            self.huge = self._deployment("huge", self.live_huge, self.pending_huge)

    def _deployment(self, name, live, pending):
        began = time.monotonic()
        # The administrator stays signed in while others are measured.
        # Reads come from PostgreSQL; P2b and P3b start a daemon that keeps responses.
        deployment = Deployment(self.cluster, name, self.folder, session_idle_minutes=600, api_cache_mb=0)
        content.load_live(deployment.database, live)
        content.load_queue(deployment.database, pending, deployment.client_id)
        deployment.start()
        deployment.sign_in()
        note(f"bench: {live} published entries and {pending} submissions are loaded ({time.monotonic() - began:.0f} s)")
        return deployment

    def note(self, text):
        note("bench: " + text)

    def account(self, deployment):
        """The id of the signed-in administrator."""
        if deployment.name not in self.accounts:
            self.accounts[deployment.name] = deployment.database.value(
                "select id from ops.account where email = 'bench@vitrine.example'")
        return self.accounts[deployment.name]

    def measure(self):
        steps = [
            (["P11"], startup.measure_start), (["P11"], startup.measure_rest), (["P2"], reading.one_item),
            (["P3"], reading.item_list), (["P2", "P3"], reading.growth),
            (["P4"], reading.unchanged), (["P1"], intake.measure), (["P11"], startup.measure_memory),
            (["P2b", "P3b"], reading.kept),
            (["P5"], queue_pages.measure_pages), (["P5"], palette.measure), (["P6"], queue_pages.measure_decisions),
            (["P7", "P9"], publishing.measure_publications), (["P8"], publishing.measure_verification),
            (["P9"], publishing.measure_releases), (["P10"], places.measure), (["P10"], routes.measure), (["P16"], approvals.measure),
            (["P17"], isolation.measure)]
        for ids, step in steps:
            if any(id in self.parts for id in ids):
                step(self)

    def clean_up(self):
        stop_daemons()
        for part in (self.nginx, self.cluster):
            if part:
                part.stop()
        if not self.options.keep:
            shutil.rmtree(self.folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(
        description="Benchmark Vitrine against pgbench and nginx.",
        epilog="The environment variables QUICK=1 and FULL=1 set --quick and --full.")
    parser.add_argument("--program", default=".build/release/vitrine", help="program to benchmark")
    parser.add_argument("--quick", action="store_true", default=os.environ.get("QUICK") not in (None, "", "0"),
                        help="a smaller run of three minutes")
    parser.add_argument("--full", action="store_true", default=os.environ.get("FULL") not in (None, "", "0"),
                        help="add a million published entries and a million pending submissions")
    parser.add_argument("--minutes", type=float, help="after this time, run each measurement only once")
    parser.add_argument("--only", help="comma-separated benchmarks: P1,P5")
    parser.add_argument("--report", help="report file")
    parser.add_argument("--keep", action="store_true", help="keep the data folder")
    options = parser.parse_args()
    os.chdir(ROOT)
    # Stop all processes on SIGTERM, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    bench = None
    try:
        bench = Bench(options)
        bench.prepare()
        bench.measure()
        missed = bench.results.missed
        say(f"{len(bench.results.all)} results, {len(missed)} targets missed")
        write_report(bench, options)
    except (RunFailed, AssertionError) as error:
        note(f"bench: {error}")
        return 1
    except KeyboardInterrupt:
        return 130
    finally:
        if bench:
            bench.clean_up()
    return 0


if __name__ == "__main__":
    sys.exit(main())
