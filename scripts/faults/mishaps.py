"""Mishaps inside the database: rows that can't be read beside many good ones, and functions that are replaced under load."""
import http.client
import json
import subprocess
import time
import urllib.parse

from content import BODY, SUMMARY
from processes import ROOT

GOOD = 1000
# What no program of ours writes: a number beyond every type, and content that is no object.
DAMAGES = ("fields || '{\"media\": {\"n\": 1e400}}'", "'[]'")


def damaged_rows(faults):
    """Submissions that can't be read are named once, and keep no list, task, approval or reader of the others waiting."""
    daemon, database = faults.deployment.daemon, faults.deployment.database
    api = Client(faults)
    ids = [api.submit(f"Damage {number}") for number in range(GOOD + len(DAMAGES))]
    # In the middle, so that something comes before and after them on every page.
    damaged = ids[GOOD // 2:GOOD // 2 + len(DAMAGES)]
    for id, content in zip(damaged, DAMAGES):
        database.run(f"""begin;
            insert into ops.audit_event (actor_id, action, object_type)
            values ('00000000-0000-7000-8000-000000000001', 'submission.edit', 'submission');
            update curation.submission set fields = {content} where id = '{id}';
            commit;""")
    statuses = {api.request("GET", f"/v1/submissions/{id}")[0] for id in damaged}
    listed, lists = set(), set()
    path = "/v1/queue"
    while path:
        status, page = api.request("GET", path)
        lists.add(status)
        listed |= {item["id"] for item in page.get("data", [])}
        path = page.get("next") and "/v1/queue?" + urllib.parse.urlencode({"cursor": page["next"]})
    done = subprocess.run(
        [faults.program.path, "queue", "approve", "--all", "--json"], capture_output=True, text=True, timeout=600, cwd=ROOT,
        env=faults.program.environment(database.url))
    result = json.loads(done.stdout.strip().splitlines()[-1])
    refused = {item["id"] for item in result["refused"]}
    # The task that screens submissions goes on: a new one is screened.
    latest = api.submit("After the damage")
    screened = wait(lambda: database.value(
        f"select count(*) from curation.screening where submission_id = '{latest}'") != "0", 30)
    failing = int(database.value("select count(*) from ops.task where last_error is not null"))
    return {"good": GOOD, "damaged": len(damaged), "approved": result["approved"], "refused": len(refused), "exit": done.returncode}, [
        (f"a damaged submission was answered with {sorted(statuses)}", statuses <= {200}),
        (f"the queue was answered with {sorted(lists)}", lists == {200}),
        ("the queue doesn't list all", set(ids) <= listed),
        ("not all the others were approved", result["approved"] == GOOD),
        (f"refused were {sorted(refused)}", refused == set(damaged)),
        (f"the exit status is {done.returncode}", done.returncode == 6),
        ("a submission that came later was not screened", screened),
        (f"{failing} tasks had errors", failing == 0),
        ("the daemon ended", daemon.process.poll() is None),
        ("the read tables are wrong", database.value("select count(*) from curation.verify()") == "0")]


def migrate(faults):
    """All functions are replaced again and again while clients submit and decide; none of them gets an error."""
    ledger, curators = faults.begin("migrate")
    database = faults.deployment.database
    rounds, took = max(3, faults.options.rounds // 3), []
    for _ in range(rounds):
        time.sleep(faults.rng.uniform(0.3, 1))
        # As if another version had installed them.
        database.run("update projection.read_table set checksum = 'another'")
        began = time.monotonic()
        faults.program.run("migrate", database_url=database.url)
        took.append(time.monotonic() - began)
    return faults.end(ledger, curators, {
        "migrations": rounds, "took_max": f"{max(took):.1f}s", "unavailable": ledger.refusals}, [
        ("inconclusive: nothing was acknowledged", ledger.acknowledged > rounds),
        (f"{ledger.refusals} requests got 503", ledger.refusals == 0),
        (f"{len(ledger.interruptions)} requests got no response", not ledger.interruptions)])


class Client:
    """The API client; a connection for each request, since the daemon ends idle ones."""

    def __init__(self, faults):
        self.port = faults.deployment.daemon.port
        self.headers = {"Authorization": faults.deployment.authorization, "Content-Type": "application/json"}

    def request(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request(method, path, body and json.dumps(body), self.headers)
        response = connection.getresponse()
        data = response.read()
        connection.close()
        return response.status, json.loads(data or b"{}")

    def submit(self, title):
        status, response = self.request("POST", "/v1/submissions", {
            "type": "article", "contributor": "faults", "fields": {"title": title, "summary": SUMMARY, "body": BODY}})
        assert status == 201, (status, response)
        return response["id"]


def wait(condition, seconds):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if condition():
            return True
        time.sleep(0.2)
    return False
