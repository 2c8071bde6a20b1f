"""P17: an item and the queue page while one other client does its worst in each way that it knows, compared with a daemon at rest."""
import json
import os
import sys
import time

from deployment import Deployment
from processes import ROOT, RunFailed

# The ways, and a client that probes over new connections.
sys.path.append(os.path.join(ROOT, "scripts/faults"))
import hostile  # noqa: E402
from shortages import Probe  # noqa: E402


def measure(bench):
    """In a complete run only: each way takes ten seconds."""
    if not bench.is_complete and not bench.options.only:
        return
    deployment = Deployment(
        bench.cluster, "isolation", bench.folder, http_max_connections=hostile.CONNECTIONS - 100, session_idle_minutes=600,
        api_syndication_per_minute=0)
    theirs = hostile.Caller(bench.program, deployment, "hostile")
    hostile.load(deployment.database, theirs.id)
    deployment.start()
    try:
        found = hostile.prepare(deployment, theirs)
        wait_until_screened(deployment.database)
        item = json.loads(deployment.get("/v1/items"))["data"][0]["id"]
        rest = {}
        for way in (hostile.nothing, *hostile.WAYS):
            probes = {
                "item": Probe(deployment.daemon, f"/v1/items/{item}", {"Authorization": deployment.authorization}),
                "queue page": Probe(deployment.daemon, "/queue", {"Cookie": deployment.administrator.cookie_header})}
            count, _ = hostile.during(way, deployment.daemon, theirs.headers, found, tuple(probes.values()))
            failed = sum(probe.failed for probe in probes.values())
            if failed:
                raise RunFailed(f"{failed} requests of others failed during {way.__name__}")
            for name, probe in probes.items():
                if way is hostile.nothing:
                    rest[name] = probe.p99
                else:
                    bench.results.times("P17", f"{name} p99 during={way.__name__}", [probe.p99], [rest[name]], did=count)
            # Each way begins with a daemon that has forgotten the last.
            deployment.stop()
            deployment.start()
    finally:
        deployment.stop()


def wait_until_screened(database):
    """Otherwise the comparison would begin with a daemon at work."""
    for _ in range(120):
        if database.value("select count(*) from curation.queue_item where risk_order = 101") == "0":
            return
        time.sleep(0.5)
    raise RunFailed("the submissions were not screened within a minute")
