"""Records the responses that clients got, and checks that the database contains every acknowledged action exactly once."""
import json
import threading
from dataclasses import dataclass, field


@dataclass
class Entry:
    """One submission from the view of its client."""
    key: str
    ids: set = field(default_factory=set)
    verdict: str = None
    is_decided: bool = False
    is_settled: bool = False


class Ledger:
    """Thread-safe; filled by all curators."""

    def __init__(self, run):
        self.run = run
        self.lock = threading.Lock()
        self.entries = {}
        self.interruptions = []
        self.refusals = 0
        self.unexpected_responses = []

    def open(self):
        with self.lock:
            entry = Entry(f"{self.run}-{len(self.entries)}")
            self.entries[entry.key] = entry
            return entry

    def interrupted(self, sent_at):
        """Records a request without a response."""
        with self.lock:
            self.interruptions.append(sent_at)

    def refused(self):
        with self.lock:
            self.refusals += 1

    def unexpected(self, message):
        with self.lock:
            self.unexpected_responses.append(message)

    @property
    def acknowledged(self):
        return sum(1 for entry in list(self.entries.values()) if entry.ids)

    @property
    def decided(self):
        return sum(1 for entry in list(self.entries.values()) if entry.is_decided)

    def verdicts(self, database):
        """Counts of violations by name; all are 0 in a correct system."""
        entries = list(self.entries.values())
        responses = json.dumps([
            {"key": e.key, "id": min(e.ids) if e.ids else None, "verdict": e.verdict, "decided": e.is_decided}
            for e in entries]).replace("'", "''")
        names = ["lost", "other_id", "phantom", "undecided", "wrong_queue", "unpublished", "published_twice", "leaked",
                 "unaudited", "gaps", "wrong_rows"]
        values = database.rows(CHECK.format(responses=responses, run=self.run))[0]
        found = {name: int(value) for name, value in zip(names, values)}
        found["id_changed"] = sum(1 for e in entries if len(e.ids) > 1)
        found["unresolved"] = sum(1 for e in entries if not e.is_settled)
        found["unexpected"] = len(self.unexpected_responses)
        return found


# One row of counts. `t` contains the responses, `s` the stored rows.
CHECK = """
create temp table t as
select * from jsonb_to_recordset('{responses}') x (key text, id uuid, verdict text, decided boolean);
create temp table s as
select s.id, s.idempotency_key as key, curation.submission_state(s.id) as state, e.id as entry_id,
    (select count(*) from curation.decision d where d.submission_id = s.id) as decisions,
    exists (select from curation.queue_item q where q.submission_id = s.id) as is_queued,
    (select count(*) from curation.publication_change c where c.entry_id = e.id) as publications,
    exists (select from api_v1.item i join api_v1.item_full f on f.id = i.id where i.id = e.id) as is_read,
    (select count(*) from ops.audit_event a where a.object_type = 'submission' and a.object_id = s.id::text
        and a.action = 'submission.create') as receipts,
    (select count(*) from ops.audit_event a where a.object_type = 'submission' and a.object_id = s.id::text
        and a.action in ('submission.approve', 'submission.reject')) as verdicts_logged
from curation.submission s left join curation.entry e on e.submission_id = s.id
where s.idempotency_key like '{run}-%';
select
    (select count(*) from t where id is not null and not exists (select from s where s.key = t.key)),
    (select count(*) from t join s using (key) where t.id <> s.id),
    (select count(*) from s where not exists (select from t where t.key = s.key)),
    (select count(*) from t join s using (key) where t.decided and s.state <> case t.verdict when 'approve' then 'approved' else 'rejected' end),
    (select count(*) from s where s.is_queued <> (s.state = 'pending') or s.decisions > 1),
    (select count(*) from t join s using (key) where t.decided and t.verdict = 'approve' and not s.is_read),
    (select count(*) from s where s.publications > 1),
    (select count(*) from t join s using (key) where coalesce(t.verdict, '') <> 'approve' and (s.publications > 0 or s.is_read)),
    (select count(*) from s where s.receipts <> 1 or s.verdicts_logged <> s.decisions),
    (select max(number) - count(*) from curation.publication where number > 0)
        + (select coalesce(max(number) - min(number) + 1 - count(*), 0) from api_v1.change),
    (select count(*) from curation.verify());
"""
