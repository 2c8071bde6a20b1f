"""Clients that send things in and decide about them, and try again until they know what became of each."""
import http.client
import json
import random
import threading
import time

from content import BODY, SUMMARY


class Curators:
    """Threads that work through one submission after the other while faults happen around them."""

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
        """Lets each finish what it has begun; what cannot be settled stays so in the ledger."""
        self.stopping.set()
        self.give_up_at = time.monotonic() + 30
        for thread in self.threads:
            thread.join()

    give_up_at = float("inf")

    def _work(self, chance):
        line = Line(self, chance)
        while not self.stopping.is_set():
            entry = self.ledger.open()
            entry.is_settled = self._submit(line, entry, chance) and (chance.random() < 0.2 or self._decide(line, entry, chance))

    def _submit(self, line, entry, chance):
        body = {"type": "article", "contributor": "faults",
                "fields": {"title": f"Fault {entry.key}", "summary": SUMMARY, "body": BODY}}
        status, answer = line.ask("POST", "/v1/submissions", body, {"Idempotency-Key": entry.key})
        if status is None:
            return False
        if status != 201:
            self.ledger.surprised(f"submission answered {status}: {answer}")
            return False
        entry.ids.add(answer["id"])
        # Now and then somebody sends the same again: it must be the same submission.
        if chance.random() < 0.1:
            again, answer = line.ask("POST", "/v1/submissions", body, {"Idempotency-Key": entry.key})
            if again == 201:
                entry.ids.add(answer["id"])
        return True

    def _decide(self, line, entry, chance):
        id = min(entry.ids)
        entry.verdict = "accept" if chance.random() < 0.7 else "reject"
        body = {"verdict": entry.verdict, "version": 0}
        if entry.verdict == "reject":
            body["reason"] = "off_topic"
        status, answer = line.ask("POST", f"/v1/submissions/{id}/decision", body)
        if status is None:
            return False
        if status == 409:
            # An answer that was lost: the decision stands if it is ours.
            status, answer = line.ask("GET", f"/v1/submissions/{id}")
        if status != 200 or answer.get("state") != entry.verdict + "ed":
            self.ledger.surprised(f"decision answered {status}: {answer}")
            return False
        entry.is_decided = True
        return True


class Line:
    """A client's connection; asks again, and elsewhere, until there is an answer."""

    def __init__(self, curators, chance):
        self.curators = curators
        self.chance = chance
        self.connection = None

    def ask(self, method, path, body=None, headers=None):
        """Status and JSON of the answer, or None when there was none to be had in time."""
        headers = {"Authorization": self.curators.authorization, **(headers or {})}
        if body is not None:
            headers["Content-Type"] = "application/json"
        while time.monotonic() < self.curators.give_up_at:
            status, answer = self._try(method, path, json.dumps(body) if body is not None else None, headers)
            if status is not None and status != 503:
                return status, answer
            if status == 503:
                self.curators.ledger.refused()
            time.sleep(0.02 + 0.03 * self.chance.random())
        return None, None

    def _try(self, method, path, body, headers):
        if self.connection is None:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.chance.choice(self.curators.ports), timeout=20)
            try:
                self.connection.connect()
            except OSError:
                self.connection = None
                return None, None
        sent_at = None
        try:
            self.connection.request(method, path, body, headers)
            sent_at = time.monotonic()
            answer = self.connection.getresponse()
            data = answer.read()
            if answer.will_close:
                self.connection.close()
                self.connection = None
            return answer.status, json.loads(data)
        except (OSError, http.client.HTTPException, ValueError):
            if sent_at is not None:
                self.curators.ledger.died(sent_at)
            self.connection.close()
            self.connection = None
            return None, None
