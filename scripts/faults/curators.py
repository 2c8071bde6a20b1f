"""Clients that create and decide submissions, and retry until each outcome is known."""
import http.client
import json
import random
import threading
import time

from content import BODY, SUMMARY

STATES = {"approve": "approved", "reject": "rejected"}


class Curators:
    """Threads that process submissions one after another while faults happen."""

    def __init__(self, ledger, deployment, ports, count, seed=1):
        self.ledger = ledger
        self.authorization = deployment.authorization
        self.ports = ports
        self.stopping = threading.Event()
        self.threads = [threading.Thread(target=self._work, args=(random.Random(seed * 1000 + i),), daemon=True)
                        for i in range(count)]

    def start(self):
        for thread in self.threads:
            thread.start()

    def stop(self):
        """Lets each thread finish its work. Unsettled entries remain in the ledger."""
        self.stopping.set()
        self.give_up_at = time.monotonic() + 30
        for thread in self.threads:
            thread.join()

    give_up_at = float("inf")

    def _work(self, rng):
        connection = Connection(self, rng)
        while not self.stopping.is_set():
            entry = self.ledger.open()
            entry.is_settled = self._submit(connection, entry, rng) and (rng.random() < 0.2 or self._decide(connection, entry, rng))

    def _submit(self, connection, entry, rng):
        body = {"type": "article", "contributor": "faults",
                "fields": {"title": f"Fault {entry.key}", "summary": SUMMARY, "body": BODY}}
        status, response = connection.request("POST", "/v1/submissions", body, {"Idempotency-Key": entry.key})
        if status is None:
            return False
        if status != 201:
            self.ledger.unexpected(f"submission returned {status}: {response}")
            return False
        entry.ids.add(response["id"])
        # Sometimes resend the same request: the response must be the same submission.
        if rng.random() < 0.1:
            again, response = connection.request("POST", "/v1/submissions", body, {"Idempotency-Key": entry.key})
            if again == 201:
                entry.ids.add(response["id"])
        return True

    def _decide(self, connection, entry, rng):
        id = min(entry.ids)
        entry.verdict = "approve" if rng.random() < 0.7 else "reject"
        body = {"verdict": entry.verdict, "version": 0}
        if entry.verdict == "reject":
            body["reason"] = "off_topic"
        status, response = connection.request("POST", f"/v1/submissions/{id}/decision", body)
        if status is None:
            return False
        if status == 409:
            # The response was lost: the decision counts if it is ours.
            status, response = connection.request("GET", f"/v1/submissions/{id}")
        if status != 200 or response.get("state") != STATES[entry.verdict]:
            self.ledger.unexpected(f"decision returned {status}: {response}")
            return False
        entry.is_decided = True
        return True


class Connection:
    """A client connection that retries, also on other ports, until there is a response."""

    def __init__(self, curators, rng):
        self.curators = curators
        self.rng = rng
        self.connection = None

    def request(self, method, path, body=None, headers=None):
        """Status and JSON of the response, or None if there was none in time."""
        headers = {"Authorization": self.curators.authorization, **(headers or {})}
        if body is not None:
            headers["Content-Type"] = "application/json"
        while time.monotonic() < self.curators.give_up_at:
            status, response = self._try(method, path, json.dumps(body) if body is not None else None, headers)
            if status is not None and status != 503:
                return status, response
            if status == 503:
                self.curators.ledger.refused()
            time.sleep(0.02 + 0.03 * self.rng.random())
        return None, None

    def _try(self, method, path, body, headers):
        if self.connection is None:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.rng.choice(self.curators.ports), timeout=20)
            try:
                self.connection.connect()
            except OSError:
                self.connection = None
                return None, None
        sent_at = None
        try:
            self.connection.request(method, path, body, headers)
            sent_at = time.monotonic()
            response = self.connection.getresponse()
            data = response.read()
            if response.will_close:
                self.connection.close()
                self.connection = None
            return response.status, json.loads(data)
        except (OSError, http.client.HTTPException, ValueError):
            if sent_at is not None:
                self.curators.ledger.interrupted(sent_at)
            self.connection.close()
            self.connection = None
            return None, None
