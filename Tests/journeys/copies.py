#!/usr/bin/env python3
"""The follower of the guide copies read tables with 10,000 items while 100 publications change them.

    copies.py --program .build/debug/vitrine

Meanwhile another delivery process of the same database takes over, and the newest publication gets another tag, as after a restore;
`make faults` has real switchovers and restores. Then the program of the guide runs through a few publications and a restart.

Prints a line per check; ends with "N passed, N failed".
"""
import argparse
import json
import os
import re
import subprocess
import sys
import types

from checks import check, finish, step
from patience import wait
from run import Daemon
from workspace import ROOT, folder, listening, start

ITEMS = 10_000
PUBLICATIONS = 100
TABLES = {"item": "id::text, document", "item_full": "id::text, document",
          "category_member": "category_id || '/' || member_id, row_to_json(t)"}
SYSTEM = "00000000-0000-7000-8000-000000000001"
# The default category.
UNSORTED = "00000000-0000-7000-8000-000000000013"
EVENT = f"insert into ops.audit_event (actor_id, action, object_type) values ('{SYSTEM}', 'test.load', 'deployment')"

# Entry i has the id 0197c0d0-…-i; the ids of its revisions begin with their number.
LOAD = f"""
    begin;
    {EVENT};
    create temp table loaded on commit drop as
    select i, ('0197c0d0-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid as entry_id,
        (n || '197c0d0-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid as revision_id, n,
        jsonb_build_object('title', 'Item ' || i || ' in version ' || n, 'slug', 'item-' || i, 'body', '<p>Text</p>',
            'categories', jsonb_build_array('{UNSORTED}')) as content
    from generate_series(1, {ITEMS}) i, generate_series(1, 2) n;
    insert into curation.entry (id, type, kind, created_by) select entry_id, 'article', 'item', '{SYSTEM}' from loaded where n = 1;
    insert into curation.revision (id, entry_id, number, content, preview, plain, content_hash, author_id)
    select revision_id, entry_id, n, content, content - array['body', 'categories'], 'Text',
        sha256(convert_to(content::text, 'UTF8')), '{SYSTEM}' from loaded order by n;
    insert into curation.reference (revision_id, field, position, target_entry_id, counted)
    select revision_id, 'categories', 1, '{UNSORTED}', true from loaded;
    insert into curation.slug (kind, slug, entry_id) select 'item', 'item-' || i, entry_id from loaded where n = 1;
    insert into curation.approval (revision_id, actor_id, actor_role) select revision_id, '{SYSTEM}', 'system' from loaded;
    insert into curation.publish_approval (revision_id, entry_id) select revision_id, entry_id from loaded;
    select curation.publish(array_agg(entry_id), array_agg(revision_id), '{SYSTEM}', null, 'loaded')
    from loaded where n = 1 and i > {ITEMS // 100};
    commit;
"""


class Editor:
    """Publishes, edits and unpublishes items."""

    def __init__(self, daemon):
        self.daemon = daemon
        self.published = 0

    def publish(self):
        """One publication: of three items each, the next revision, none after the last one, or the first again."""
        self.published += 1
        self.daemon.sql(f"""
            begin;
            {EVENT};
            select curation.publish(array_agg(e.id), array_agg(n.id), '{SYSTEM}', null, 'edited')
            from (select id from curation.entry where type = 'article' order by md5(id::text || '{self.published}') limit 3) e
            left join curation.live l on l.entry_id = e.id
            left join curation.revision r on r.id = l.revision_id
            left join curation.revision n on n.entry_id = e.id and n.number = coalesce(r.number, 0) + 1;
            commit;""")

    def restore(self):
        """What a restore does with the newest publication: its number is used again."""
        self.daemon.sql("update api_v1.publication set tag = '0123456789ab' where number = (select max(number) from api_v1.publication)")


def expected(daemon):
    return {f"{table} {key}": row for table, columns in TABLES.items()
            for key, row in daemon.sql(f"select {columns} from api_v1.{table} t")}


def deliver(daemon, path):
    """The URL of a process that only delivers."""
    log = os.path.join(path, "deliver.log")
    with open(log, "w") as file:
        start([daemon.program, "deliver", "--port", "0"], stdout=subprocess.DEVNULL, stderr=file,
              env={**daemon.environment, "DATABASE_URL": daemon.info["database_url"], "VITRINE_DATA_DIR": os.path.join(path, "own")})
    wait(lambda: listening(log), "a process that only delivers listens")
    return listening(log)


def copied(daemon, path, text):
    """A publication before each request of the copy; in between another delivery process, and another tag as after a restore."""
    follower = types.ModuleType("follower")
    exec(text, follower.__dict__)
    editor, get, restored = Editor(daemon), follower.get, []
    second = deliver(daemon, path)

    def get_after_publication(url):
        if editor.published < PUBLICATIONS:
            editor.publish()
        if editor.published == 20:
            os.environ["CMS_URL"] = second
        if editor.published == 30 and not restored:
            editor.restore()
            restored.append(url)
        return get(url)

    follower.get = get_after_publication
    rows, url = {}, "/v1/tables/" + ",".join(TABLES)
    while editor.published < PUBLICATIONS:
        url = follower.follow(rows, url)
    url = follower.follow(rows, url)
    found = expected(daemon)
    differences = sum(1 for name in rows.keys() | found.keys() if rows.get(name) != found.get(name))
    check(len(found) > 2.9 * ITEMS and differences == 0,
          f"R32: {len(rows)} rows copied during {editor.published} publications equal the read tables: {differences} differ")
    check(len(restored) == 1 and "cursor" in restored[0], "R32: another tag, as after a restore, was noticed in the middle of the copy")
    check(follower.get(url)["data"] == [] and follower.get(url)["next_url"] == url, "and nothing is left to follow")
    return editor


def kept(daemon, path, text, editor):
    """The program as the guide runs it."""
    program, copy = os.path.join(path, "follower.py"), os.path.join(path, "copy.json")
    with open(program, "w") as file:
        file.write(text)
    process = start([sys.executable, program, copy, *TABLES])

    def follows(what):
        """Each copy is read once: the tables have 30,000 rows, and nothing is published meanwhile."""
        rows, seen = expected(daemon), None

        def matches():
            nonlocal seen
            last, seen = seen, os.stat(copy).st_mtime_ns
            if seen == last:
                return False
            with open(copy) as file:
                return json.load(file)[0] == rows

        wait(matches, what)

    follows("the program copies the tables")
    editor.publish()
    follows("and gets what is published later")
    process.kill()
    process.wait()
    editor.publish()
    start([sys.executable, program, copy, *TABLES])
    follows("and continues where it ended")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    path = folder()
    daemon = Daemon(os.path.abspath(parser.parse_args().program), os.path.join(path, "data"))
    with open(os.path.join(ROOT, "docs/how-to/read-from-an-app.md")) as document:
        text = re.search(r"```python\n(.*?)```", document.read(), re.S).group(1)
    client = daemon.info["client"]
    os.environ.update(CMS_URL=daemon.url, CMS_CLIENT=f"{client['id']}:{client['secret']}")
    step(daemon.sql, LOAD)
    step(kept, daemon, path, text, step(copied, daemon, path, text))
    finish()


if __name__ == "__main__":
    main()
