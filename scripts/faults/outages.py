"""Outages: killed and stopped daemons, database restarts, wrong clocks, and restoring a backup taken under load."""
import email.utils
import os
import subprocess
import time
import urllib.request

import publishing
from deployment import Database
from processes import ROOT, Daemon


def wrong_clock(faults, seconds):
    """A command that changes the wall clock of a program; durations stay correct."""
    library = os.path.join(faults.folder, "clock.so")
    if not os.path.exists(library):
        subprocess.run(
            ["clang", "-shared", "-fPIC", "-o", library, os.path.join(ROOT, "scripts/faults/clock.c")], check=True)
    return ["env", f"CLOCK_OFFSET_S={seconds}", f"LD_PRELOAD={library}"]


def clock_error(daemon):
    """How many seconds the daemon's clock is ahead of ours."""
    with urllib.request.urlopen(daemon.url + "/healthz") as response:
        return email.utils.parsedate_to_datetime(response.headers["Date"]).timestamp() - time.time()


def kill(faults):
    """Repeated kill -9 of the daemon while clients submit, decide and publish."""
    ledger, curators = faults.begin("kill")
    daemon = faults.deployment.daemon
    ready = []
    for _ in range(faults.options.rounds):
        time.sleep(faults.rng.uniform(0.1, 1.2))
        daemon.kill()
        ready.append(daemon.start())
    return faults.end(ledger, curators, {"kills": len(ready), "ready_max": f"{max(ready):.2f}s"}, [
        ("inconclusive: no request was in flight during a kill", len(ledger.interruptions) > 0),
        ("the daemon took 5 s or longer to become ready", max(ready) < 5)])


def database(faults):
    """Immediate restarts of PostgreSQL under load, like crashes."""
    ledger, curators = faults.begin("database")
    daemon = faults.deployment.daemon
    recovered = []
    restarts = max(2, faults.options.rounds // 6)
    for _ in range(restarts):
        time.sleep(faults.rng.uniform(0.5, 1.5))
        faults.cluster.restart()
        recovered.append(faults.seconds_to_acknowledge(ledger))
    alive = daemon.process.poll() is None
    return faults.end(ledger, curators, {
        "restarts": restarts, "recovered_max": f"{max(recovered):.2f}s", "refused": ledger.refusals}, [
        ("inconclusive: no request was in flight during a restart", ledger.refusals + len(ledger.interruptions) > 0),
        ("the daemon exited during a restart", alive),
        ("the first acknowledgment took 5 s or longer after a restart", max(recovered) < 5)])


def drain(faults):
    """SIGTERM under load: requests in flight complete, and the exit status is 0."""
    ledger, curators = faults.begin("drain")
    daemon = faults.deployment.daemon
    took, statuses, dropped = [], [], 0
    for _ in range(max(3, faults.options.rounds // 2)):
        time.sleep(faults.rng.uniform(0.2, 0.6))
        deaths = len(ledger.interruptions)
        asked = time.monotonic()
        statuses.append(daemon.stop())
        took.append(time.monotonic() - asked)
        time.sleep(0.1)
        dropped += sum(1 for sent_at in ledger.interruptions[deaths:] if sent_at < asked)
        daemon.start()
    return faults.end(ledger, curators, {
        "terms": len(took), "dropped": dropped, "drain_max": f"{max(took):.2f}s"}, [
        (f"exit statuses {statuses}", all(status == 0 for status in statuses)),
        (f"{dropped} requests sent before SIGTERM got no response", dropped == 0)])


def schedule(faults):
    """Three daemons, two with wrong clocks, publish due releases while each is killed in turn."""
    releases = 300
    target = faults.deployment.database
    daemons = [faults.deployment.daemon]
    for seconds in (90, -90):
        daemons.append(Daemon(faults.program, target.url, faults.folder, prefix=wrong_clock(faults, seconds)))
        daemons[-1].start()
    errors = [round(clock_error(daemon), -1) for daemon in daemons]
    try:
        batch = publishing.Batch(target, releases, 1)
        since = target.value("select now()")
        publishing.schedule(target, batch, "new", releases, over_seconds=12)
        for daemon in daemons:
            time.sleep(faults.rng.uniform(1.5, 2.5))
            daemon.kill()
            time.sleep(0.5)
            daemon.start()
        wait_for_releases(target)
    finally:
        for daemon in daemons[1:]:
            daemon.stop()
    results, checks = release_results(target, releases, since)
    return results, checks + [(f"the clocks are wrong by {errors}, not by 90 s", errors == [0, 90, -90])]


def backup(faults):
    """pg_dump under load and restore: the copy is consistent, its audit trail is intact, and a daemon continues its work."""
    releases = 40
    batch = publishing.Batch(faults.deployment.database, releases, 1)
    ledger, curators = faults.begin("backup")
    # Due soon after the dump starts, so that they are still scheduled in the copy.
    publishing.schedule(faults.deployment.database, batch, "new", releases, over_seconds=60)
    time.sleep(1)
    file = os.path.join(faults.folder, "backup.dump")
    began = time.monotonic()
    faults.cluster.tool("pg_dump", "-Fc", "-f", file, faults.deployment.database.url)
    dumped = time.monotonic() - began
    acknowledged = ledger.acknowledged
    results, checks = faults.end(ledger, curators, {"dumped": f"{dumped:.1f}s"}, [
        ("inconclusive: nothing was acknowledged during the dump", acknowledged > 0)])
    copy = Database(faults.cluster, "copy")
    began = time.monotonic()
    faults.cluster.tool("pg_restore", "--exit-on-error", "-d", copy.url, file)
    results["restored"] = f"{time.monotonic() - began:.1f}s"
    scheduled = int(copy.value("select count(*) from curation.release where state = 'scheduled'"))
    results["scheduled"] = scheduled
    before = int(copy.value("select number from curation.publication_counter"))
    checks += [("the read tables of the copy are wrong", copy.value("select count(*) from curation.verify()") == "0"),
                ("the schema of the copy differs", shape(faults, faults.deployment.database.url) == shape(faults, copy.url))]
    daemon = Daemon(faults.program, copy.url, faults.folder)
    results["ready"] = f"{daemon.start():.2f}s"
    try:
        wait_for_releases(copy, seconds=90)
        faults.program.run("audit", "verify", database_url=copy.url)
    finally:
        daemon.stop()
    left = copy.value("select count(*) from curation.release where state <> 'published'")
    checks += [("inconclusive: no release was scheduled in the copy", scheduled > 0),
                ("releases of the copy were not published", left == "0"),
                ("the read tables of the copy are wrong after its daemon ran", copy.value("select count(*) from curation.verify()") == "0")]
    results["published"] = int(copy.value("select number from curation.publication_counter")) - before
    return results, checks


def shape(faults, url):
    """The schema from pg_dump, without lines that differ between runs."""
    text = faults.cluster.tool("pg_dump", "-s", url)
    return [line for line in text.splitlines()
            if line and not line.startswith(("--", "SET ", "SELECT pg_catalog", "\\restrict", "\\unrestrict"))]


def wait_for_releases(database, seconds=60):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if database.value("select count(*) from curation.release where state = 'scheduled'") == "0":
            return
        time.sleep(0.2)


def release_results(database, releases, since):
    """Results and checks: each release is published exactly once, alone, and on time."""
    row = database.rows(f"""
        select count(*) filter (where r.state = 'published'), count(*) filter (where r.state <> 'published'),
            count(p.number) - count(distinct p.number), count(*) filter (where p.published_at < r.due_at),
            count(*) filter (where c.n is distinct from 1),
            coalesce(round(max(extract(epoch from p.published_at - r.due_at)), 2), 0), (select count(*) from curation.verify())
        from curation.release r left join curation.publication p on p.release_id = r.id
        left join lateral (select count(*) as n from curation.publication_change c
            join curation.release_item i on i.entry_id = c.entry_id
            join curation.publication m on m.number = c.publication and m.published_at >= '{since}'
            where i.release_id = r.id) c on true
        where r.due_at >= '{since}'""")[0]
    published, missed, shared, early, not_once, delay, wrong = (float(value) for value in row)
    results = {"releases": releases, "published": int(published), "missed": int(missed), "shared": int(shared),
               "early": int(early), "not_once": int(not_once), "delay_max": f"{delay:.2f}s", "wrong_rows": int(wrong)}
    return results, [
        ("releases were missed, shared a publication, or were published early or not exactly once",
         published == releases and not (missed or shared or early or not_once)),
        ("a release was delayed by 5 s or more", delay < 5), ("the read tables are wrong", wrong == 0)]
