"""What ends all at once: daemons killed or asked to end, the database restarted, a copy restored from a backup taken under load."""
import os
import time

import publishing
from deployment import Database
from processes import Daemon

# What the program reads of the clock is another time, how long things take stays right.
WRONG_CLOCK = ["faketime", "--exclude-monotonic", "-f"]


def kill(faults):
    """kill -9 of the daemon, again and again, while clients submit, decide and publish."""
    ledger, curators = faults.begin("kill")
    daemon = faults.deployment.daemon
    ready = []
    for _ in range(faults.options.rounds):
        time.sleep(faults.chance.uniform(0.1, 1.2))
        daemon.kill()
        ready.append(daemon.start())
    return faults.end(ledger, curators, {"kills": len(ready), "ready_max": f"{max(ready):.2f}s"}, [
        ("no request was on its way when the daemon was killed: the run shows nothing", len(ledger.deaths) > 0),
        ("the daemon took 5 s or more until it was ready", max(ready) < 5)])


def database(faults):
    """An immediate restart of PostgreSQL, as after a crash, under load."""
    ledger, curators = faults.begin("database")
    daemon = faults.deployment.daemon
    recovered = []
    restarts = max(2, faults.options.rounds // 6)
    for _ in range(restarts):
        time.sleep(faults.chance.uniform(0.5, 1.5))
        faults.cluster.restart()
        recovered.append(faults.seconds_to_acknowledge(ledger))
    alive = daemon.process.poll() is None
    return faults.end(ledger, curators, {
        "restarts": restarts, "recovered_max": f"{max(recovered):.2f}s", "refused": ledger.refusals}, [
        ("no request met the restarts: the run shows nothing", ledger.refusals + len(ledger.deaths) > 0),
        ("the daemon ended with its database", alive),
        ("the first acknowledgement came 5 s or more after the database was back", max(recovered) < 5)])


def drain(faults):
    """SIGTERM under load: what has begun is finished, and the exit status is 0."""
    ledger, curators = faults.begin("drain")
    daemon = faults.deployment.daemon
    took, statuses, dropped = [], [], 0
    for _ in range(max(3, faults.options.rounds // 2)):
        time.sleep(faults.chance.uniform(0.2, 0.6))
        deaths = len(ledger.deaths)
        asked = time.monotonic()
        statuses.append(daemon.stop())
        took.append(time.monotonic() - asked)
        time.sleep(0.1)
        dropped += sum(1 for sent_at in ledger.deaths[deaths:] if sent_at < asked)
        daemon.start()
    return faults.end(ledger, curators, {
        "terms": len(took), "dropped": dropped, "drain_max": f"{max(took):.2f}s"}, [
        (f"exit statuses {statuses}", all(status == 0 for status in statuses)),
        (f"{dropped} requests that had begun before SIGTERM came to no answer", dropped == 0)])


def schedule(faults):
    """Three daemons, two of them with a clock that is wrong, releases due all the while, and kill -9 of one after the other."""
    releases = 300
    target = faults.deployment.database
    daemons = [faults.deployment.daemon]
    for clock in ("+90s", "-90s"):
        daemons.append(Daemon(faults.program, target.url, faults.folder, prefix=[*WRONG_CLOCK, clock]))
        daemons[-1].start()
    try:
        batch = publishing.BulkAction(target, releases, 1)
        since = target.value("select now()")
        publishing.schedule(target, batch, "new", releases, over_seconds=12)
        for daemon in daemons:
            time.sleep(faults.chance.uniform(1.5, 2.5))
            daemon.kill()
            time.sleep(0.5)
            daemon.start()
        wait_for_releases(target)
    finally:
        for daemon in daemons[1:]:
            daemon.stop()
    return told_of_releases(target, releases, since)


def backup(faults):
    """pg_dump under load, restored into another database: it is sound, its audit trail holds, and a daemon takes up its work."""
    releases = 40
    batch = publishing.BulkAction(faults.deployment.database, releases, 1)
    ledger, curators = faults.begin("backup")
    # Due soon after the dump began, so that they wait in the copy. The daemon of the original sees to its own.
    publishing.schedule(faults.deployment.database, batch, "new", releases, over_seconds=60)
    time.sleep(1)
    file = os.path.join(faults.folder, "backup.dump")
    began = time.monotonic()
    faults.cluster.tool("pg_dump", "-Fc", "-f", file, faults.deployment.database.url)
    dumped = time.monotonic() - began
    acknowledged = ledger.acknowledged
    figures, demands = faults.end(ledger, curators, {"dumped": f"{dumped:.1f}s"}, [
        ("nothing was acknowledged while the dump was taken: the run shows nothing", acknowledged > 0)])
    copy = Database(faults.cluster, "restored")
    began = time.monotonic()
    faults.cluster.tool("pg_restore", "--exit-on-error", "-d", copy.url, file)
    figures["restored"] = f"{time.monotonic() - began:.1f}s"
    waiting = int(copy.value("select count(*) from curation.release where state = 'scheduled'"))
    figures["waiting"] = waiting
    before = int(copy.value("select number from curation.publication_counter"))
    demands += [("the copy's read tables are wrong", copy.value("select count(*) from curation.verify()") == "0"),
                ("the copy has another schema", shape(faults, faults.deployment.database.url) == shape(faults, copy.url))]
    daemon = Daemon(faults.program, copy.url, faults.folder)
    figures["ready"] = f"{daemon.start():.2f}s"
    try:
        wait_for_releases(copy, seconds=90)
        faults.program.run("audit", "verify", database_url=copy.url)
    finally:
        daemon.stop()
    left = copy.value("select count(*) from curation.release where state <> 'published'")
    demands += [("no release waited in the copy: the run shows nothing", waiting > 0),
                ("the copy's releases were not published", left == "0"),
                ("the copy's read tables are wrong after its daemon worked", copy.value("select count(*) from curation.verify()") == "0")]
    figures["published"] = int(copy.value("select number from curation.publication_counter")) - before
    return figures, demands


def shape(faults, url):
    """The schema as pg_dump writes it, without what differs from call to call."""
    text = faults.cluster.tool("pg_dump", "-s", url)
    return [line for line in text.splitlines()
            if line and not line.startswith(("--", "SET ", "SELECT pg_catalog", "\\restrict", "\\unrestrict"))]


def wait_for_releases(database, seconds=60):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if database.value("select count(*) from curation.release where state = 'scheduled'") == "0":
            return
        time.sleep(0.2)


def told_of_releases(database, releases, since):
    """Figures and demands: each release published once, alone, not early and not late."""
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
    published, missed, shared, early, not_once, late, wrong = (float(value) for value in row)
    figures = {"releases": releases, "published": int(published), "missed": int(missed), "shared": int(shared),
               "early": int(early), "not_once": int(not_once), "late_max": f"{late:.2f}s", "wrong_rows": int(wrong)}
    return figures, [
        ("releases were missed, shared a publication, went live early or not exactly once",
         published == releases and not (missed or shared or early or not_once)),
        ("a release was 5 s or more late", late < 5), ("the read tables are wrong", wrong == 0)]
