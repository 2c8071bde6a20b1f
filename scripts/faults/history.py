"""Databases that lose publications: a follower of the documented guide must notice, and end equal to a fresh copy."""
import json
import os
import re
import subprocess
import sys
import time
import types
import urllib.error
import urllib.request

import content
from deployment import Database
from processes import ROOT, Daemon, RunFailed
from servers import Server, remove, url_of, wait_until

GUIDE = "docs/how-to/read-from-an-app.md"
TABLES = ["item", "item_full", "feed_item", "category", "category_member", "search", "tombstone"]
NAME = "faults"


def guide():
    """The follower as the guide shows it."""
    with open(os.path.join(ROOT, GUIDE)) as page:
        return re.search(r"```python\n(.*?)```", page.read(), re.S).group(1)


class Follower:
    """The program of the guide, which keeps a copy through one daemon."""

    def __init__(self, name, daemon, run):
        self.file = os.path.join(run.folder, name + ".json")
        self.log = os.path.join(run.folder, name + ".log")
        self.environment = {**os.environ, "CMS_URL": daemon.url, "CMS_CLIENT": run.credentials}
        program = os.path.join(run.folder, "follower.py")
        with open(program, "w") as file:
            file.write(guide())
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                [sys.executable, program, self.file, *TABLES], stdout=log, stderr=log, env=self.environment)

    def state(self):
        """Its rows, and the URL from which it continues."""
        if self.process.poll() is not None:
            with open(self.log) as log:
                raise RunFailed(f"the follower ended: {log.read()[-500:]}")
        try:
            with open(self.file) as file:
                return json.load(file)
        except FileNotFoundError:
            return {}, None

    @property
    def restarts(self):
        with open(self.log) as log:
            return log.read().count("starting over")

    def differences(self):
        """The number of rows that differ from a fresh copy."""
        fresh = types.ModuleType("follower")
        exec(guide(), fresh.__dict__)
        os.environ.update(CMS_URL=self.environment["CMS_URL"], CMS_CLIENT=self.environment["CMS_CLIENT"])
        rows = {}
        fresh.follow(rows, "/v1/tables/" + ",".join(TABLES))
        mine = self.state()[0]
        return sum(1 for name in rows.keys() | mine.keys() if rows.get(name) != mine.get(name))


class Run:
    """Two followers: one of the daemon on the primary, one of a delivery process that starts on the standby."""

    def __init__(self, faults):
        self.faults = faults
        self.cluster = faults.cluster
        self.folder = os.path.join(faults.folder, "history")
        self.archive = os.path.join(self.folder, "archive")
        os.makedirs(self.archive)
        self.cluster.give_to_owner(self.archive)
        self.credentials = faults.deployment.credentials
        self.servers, self.processes, self.followers, self.checks = [], [], [], []
        self.results = {}
        self.published = 0

    def server(self, name):
        self.servers.append(Server(self.cluster, self.folder, name))
        return self.servers[-1]

    def publish(self, database, times):
        """Publications of three articles each, which publish or unpublish."""
        for _ in range(times):
            self.published += 1
            database.run(f"""
                begin;
                insert into ops.audit_event (actor_id, action, object_type) values ('{content.SYSTEM}', 'bench.load', 'deployment');
                select curation.publish(c.entries, c.revisions, '{content.SYSTEM}', null, 'faults')
                from (
                    select array_agg(e.id) as entries, array_agg(case when l.entry_id is null then r.id end) as revisions
                    from (select id from curation.entry where type = 'article' and id::text like '{content.ITEM}%'
                          order by md5(id::text || '{self.published}') limit 3) e
                    left join curation.live l on l.entry_id = e.id
                    cross join lateral (select r.id from curation.revision r where r.entry_id = e.id order by r.number limit 1) r) c;
                commit;""")

    def position(self, database):
        return database.value("""
            select (select max(number) from api_v1.change) || '-' || number || '-' || tag
            from api_v1.publication order by number desc limit 1""")

    def wait_for(self, database, followers):
        position = self.position(database)
        for follower in followers:
            wait_until(f"the follower reached {position}", lambda: f"since={position}&" in (follower.state()[1] or ""))
        return position

    def compare(self, name, database, restarts):
        """After more publications than were lost, so that their numbers are used again."""
        self.publish(database, 12)
        self.wait_for(database, self.followers)
        differences = [follower.differences() for follower in self.followers]
        found = [follower.restarts for follower in self.followers]
        self.results[name] = "/".join(str(count) for count in found)
        self.checks += [
            (f"{name}: {differences} rows differ from a fresh copy", not any(differences)),
            (f"{name}: the followers started over {found} times in all instead of {restarts}", found == restarts)]

    def start(self, url, command="serve"):
        process = Daemon(self.faults.program, url, self.faults.folder, command=command)
        process.start()
        self.processes.append(process)
        return process

    def clean_up(self):
        for follower in self.followers:
            follower.process.kill()
            follower.process.wait()
        for process in self.processes:
            process.stop()
        for server in self.servers:
            remove(server)


def status(daemon, path, authorization):
    """The status and problem code of a GET."""
    try:
        with urllib.request.urlopen(
                urllib.request.Request(daemon.url + path, headers={"Authorization": authorization}), timeout=10) as response:
            return response.status, None
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read()).get("code")


def lossy_failover(faults):
    """Failovers with and without loss, recovery to a point in time, and restores."""
    run = Run(faults)
    try:
        first, second, third, fourth = (run.server(name) for name in ("first", "second", "third", "fourth"))
        first.copy(faults.cluster.url_of("postgres"))
        first.configure(archive_mode="on", archive_command=f"test ! -f {run.archive}/%f && cp %p {run.archive}/%f")
        first.start()
        second.copy(first.url("postgres"), "-R")
        second.start()
        anywhere = [first, second, third, fourth]
        daemon = run.start(url_of(anywhere, faults.cluster.user, NAME, target_session_attrs="read-write"))
        deliver = run.start(url_of(anywhere[1:], faults.cluster.user, NAME), "deliver")
        run.followers = [Follower("primary", daemon, run), Follower("standby", deliver, run)]

        # An asynchronous failover: the first follower has seen what is lost, the second has not.
        run.publish(first.database(NAME), 5)
        run.wait_for(first.database(NAME), run.followers)
        second.break_replication()
        run.publish(first.database(NAME), 10)
        lost = run.wait_for(first.database(NAME), run.followers[:1])
        behind = status(deliver, f"/v1/changes?since={lost}", faults.deployment.authorization)
        run.checks.append((f"a replica that is behind returned {behind}", behind == (503, "replica_behind")))
        first.stop("immediate")
        second.promote()
        changed = []
        wait_until("the promoted server reports the loss", lambda: changed.append(
            status(deliver, f"/v1/changes?since={lost}", faults.deployment.authorization))
            or changed[-1] == (410, "history_changed"))
        run.compare("failover", second.database(NAME), [1, 0])

        # A switchover that loses nothing.
        third.copy(second.url("postgres"), "-R")
        third.start()
        run.publish(second.database(NAME), 5)
        second.stop("fast")
        third.promote()
        run.compare("switchover", third.database(NAME), [1, 0])

        # Recovery to a moment before the newest publications.
        fourth.copy(third.url("postgres"))
        run.publish(third.database(NAME), 3)
        moment = third.database(NAME).value("select clock_timestamp()")
        time.sleep(0.1)
        run.publish(third.database(NAME), 8)
        run.wait_for(third.database(NAME), run.followers)
        third.database(NAME).run("select pg_switch_wal();")
        third.stop("fast")
        fourth.recover(run.archive, moment)
        run.compare("point_in_time", fourth.database(NAME), [2, 1])

        # Restores of a dump: into the same database, then into another server.
        dump = os.path.join(run.folder, "history.dump")
        original, administration = fourth.database(NAME), fourth.database("postgres")
        for name, restarts in (("restore", [3, 2]), ("other_server", [4, 3])):
            faults.cluster.tool("pg_dump", "-Fc", "-f", dump, original.url)
            run.publish(original, 8)
            run.wait_for(original, run.followers)
            if name == "restore":
                administration.run("create database restored;")
                restored = fourth.database("restored")
            else:
                restored = Database(faults.cluster, "other")
            faults.cluster.tool("pg_restore", "--exit-on-error", "-d", restored.url, dump)
            faults.program.run("migrate", database_url=restored.url)
            if name == "restore":
                administration.run(f"drop database {NAME} with (force);")
                administration.run(f"alter database restored rename to {NAME};")
                restored = original
            else:
                for process in (daemon, deliver):
                    process.stop()
                    process.database_url = restored.url
                    process.start()
            run.compare(name, restored, restarts)
    finally:
        run.clean_up()
    return run.results, run.checks
