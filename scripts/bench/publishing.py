"""P7: publications compared with plain writes of the same rows. P8: verify and repair. P9: scheduled releases."""
import os
import time

from content import ITEM, SYSTEM, identifier_sql
from results import Target
from processes import Daemon

AUDIT = f"insert into ops.audit_event (actor_id, action, object_type) values ('{SYSTEM}', 'bench.publish', 'publication');\n"


class Batch:
    """`size` published articles with a second approved revision; publishing alternates between the two."""

    def __init__(self, database, size, first):
        self.database = database
        self.size = size
        self.schema = f"batch_{size}"
        database.run(f"""
            begin;
            insert into ops.audit_event (actor_id, action, object_type) values ('{SYSTEM}', 'bench.load', 'deployment');
            set local session_replication_role = replica;
            create schema {self.schema};
            create table {self.schema}.entry as
            select i, l.entry_id, l.revision_id as old_revision, curation.uuid_v7() as new_revision
            from generate_series({first}::bigint, {first + size - 1}) i
            join curation.live l on l.entry_id = {identifier_sql(ITEM, "i")};
            insert into curation.revision (id, entry_id, number, content, preview, plain, content_hash, author_id)
            select b.new_revision, r.entry_id,
                (select max(number) + 1 from curation.revision m where m.entry_id = r.entry_id), r.content || jsonb_build_object('title', 'Edited ' || b.i),
                r.preview || jsonb_build_object('title', 'Edited ' || b.i), r.plain, r.content_hash, r.author_id
            from {self.schema}.entry b join curation.revision r on r.id = b.old_revision;
            insert into curation.reference (revision_id, field, position, target_entry_id, counted)
            select b.new_revision, f.field, f.position, f.target_entry_id, f.counted
            from {self.schema}.entry b join curation.reference f on f.revision_id = b.old_revision;
            insert into curation.approval (revision_id, actor_id, actor_role)
            select new_revision, '{SYSTEM}', 'system' from {self.schema}.entry;
            insert into curation.publish_approval (revision_id, entry_id) select new_revision, entry_id from {self.schema}.entry;
            commit;
            analyze {self.schema}.entry, curation.revision, curation.reference, curation.publish_approval;""")
        self.tables = self._save_rows("new")
        self._save_rows("old")

    def publish(self, which):
        """Statements that publish the new or old revisions of the batch."""
        return (f"begin;\n{AUDIT}select curation.publish((select array_agg(entry_id order by i) from {self.schema}.entry), "
                f"(select array_agg({which}_revision order by i) from {self.schema}.entry), '{SYSTEM}', null, 'bench');\n"
                "commit;\n")

    def _save_rows(self, which):
        """Publishes the batch and saves the written rows."""
        self.database.run(self.publish(which))
        keys = dict(self.database.rows("select name, array_to_string(key, ',') from projection.read_table"))
        written = self.database.rows(
            "select read_table, string_agg(distinct operation, ',') from api_v1.change "
            "where publication = (select max(number) from curation.publication) group by 1 order by 1")
        for table, operations in written:
            if operations != "update":
                raise AssertionError(f"an edit should only update {table}, it did {operations}")
            key = " || '/' || ".join(f"t.{column}::text" for column in keys[table].split(","))
            self.database.run(f"""
                create table {self.schema}.{which}_{table} as select t.* from api_v1.{table} t join api_v1.change c
                on c.key = {key} and c.read_table = '{table}'
                where c.publication = (select max(number) from curation.publication);
                analyze {self.schema}.{which}_{table};""")
        return {table: keys[table].split(",") for table, _ in written}

    def plain(self, which):
        """Statements that write the same rows to copies of the tables with plain INSERT and UPDATE."""
        statements = [
            "begin;", AUDIT,
            f"insert into bench.publication select nextval('bench.number'), clock_timestamp(), '{SYSTEM}', null, '', 0, 0, 0, 0;",
            f"insert into bench.publication_change select currval('bench.number'), entry_id, 'article', 'item', "
            f"old_revision, new_revision from {self.schema}.entry;",
            f"update bench.live t set revision_id = b.{which}_revision from {self.schema}.entry b where t.entry_id = b.entry_id;"]
        for table, key in self.tables.items():
            columns = [name for (name,) in self.database.rows(
                f"select quote_ident(attname) from pg_attribute where attrelid = 'api_v1.{table}'::regclass "
                "and attnum > 0 and not attisdropped") if name not in key]
            values = ", ".join(f"{name} = n.{name}" for name in columns)
            same = " and ".join(f"t.{name} = n.{name}" for name in key)
            statements += [
                f"update bench.{table} t set {values} from {self.schema}.{which}_{table} n where {same};",
                f"insert into bench.change select nextval('bench.change_number'), currval('bench.number'), '{table}', "
                f"{key[0]}::text, 'update' from {self.schema}.{which}_{table};"]
        return "\n".join(statements + ["commit;", ""])


def copy_tables(database, tables):
    """Creates copies with the same columns, keys and indexes, without triggers."""
    for schema, name in [("curation", "publication"), ("curation", "publication_change"), ("curation", "live"),
                         ("api_v1", "change")] + [("api_v1", table) for table in tables]:
        database.run(f"create table bench.{name} (like {schema}.{name} including all);")
        if name not in ("publication", "publication_change", "change"):
            database.run(f"insert into bench.{name} select * from {schema}.{name}; analyze bench.{name};")
    database.run("create sequence bench.number; create sequence bench.change_number cache 1000;")


def measure_publications(bench):
    results = bench.results
    deployments = [(bench.small, bench.live_small), (bench.large, bench.live)]
    if bench.huge:
        deployments.append((bench.huge, bench.live_huge))
    single_entries = []
    for deployment, live in deployments:
        first = 1
        for size in (1, 1000, 10000):
            if first + size > live + 1 or (size == 10000 and not bench.is_complete):
                continue
            batch = Batch(deployment.database, size, first)
            first += size if live > 1000 else 0
            if size == 1:
                copy_tables(deployment.database, batch.tables)
            deployment.database.run("checkpoint;")
            bench.batches[deployment.name, size] = batch
            if size == 1:
                single_entries.append((batch, live))
                continue
            ours, plain = results.in_turn(
                lambda: publish_time(bench, batch, batch.publish), lambda: publish_time(bench, batch, batch.plain))
            results.times("P7", f"entries={size} live={live}", ours, plain, Target(at_most=3.5))
    sides = [side for batch, _ in single_entries for side in (
        lambda b=batch: publish_time(bench, b, b.publish), lambda b=batch: publish_time(bench, b, b.plain))]
    samples = results.in_turn(*sides, times=3)
    for (_, live), ours, plain in zip(single_entries, samples[::2], samples[1::2]):
        results.times("P7", f"entries=1 live={live}", ours, plain, Target(at_most=3.5))
    for (_, live), ours in zip(single_entries[1:], samples[2::2]):
        results.times("P7", f"entries=1 live={live} of={bench.live_small}", ours, samples[0], Target(at_most=1.5))


def publish_time(bench, batch, statements):
    """Milliseconds of one transaction: half of the median of both directions."""
    transactions = {1: 200, 1000: 3}.get(batch.size, 1)
    sample = bench.pgbench.run(
        batch.database, statements("new") + statements("old"), 1, transactions=transactions)
    return sample.p50 / 2


def measure_verification(bench):
    for deployment, live in ([(bench.large, bench.live)] + ([(bench.huge, bench.live_huge)] if bench.huge else [])):
        database = deployment.database
        tables = [name for (name,) in database.rows("select name from projection.read_table order by position")]
        create = "\n".join(f"create table bench.copy_{name} as select * from api_v1.{name};" for name in tables)
        drop = "\n".join(f"drop table bench.copy_{name};" for name in tables)
        database.run("vacuum analyze;")

        def copied():
            took = database.timed(f"do $$ begin {create} end $$")
            database.run(drop)
            return took

        def timed(*arguments):
            """Milliseconds of the command, which fails if rows differ."""
            began = time.monotonic()
            deployment.cluster.program.run("publish", *arguments, database_url=database.url)
            return (time.monotonic() - began) * 1000

        def repaired():
            # One row in a hundred is wrong in one table and missing in another.
            database.run("""
                update api_v1.item set title = title || '.' where ('x' || right(id::text, 4))::bit(16)::integer % 100 = 0;
                delete from api_v1.feed_item where ('x' || right(item_id::text, 4))::bit(16)::integer % 100 = 0;""")
            return timed("repair", "--jobs", str(jobs))

        jobs = min(4, os.cpu_count())
        last = int(database.value("select number from curation.publication_counter"))
        one, verified, repairs, recent, plain = bench.results.in_turn(
            lambda: timed("verify", "--jobs", "1"), lambda: timed("verify", "--jobs", str(jobs)), repaired,
            lambda: timed("verify", "--since", str(last), "--jobs", str(jobs)), copied)
        bench.results.times("P8", f"verify live={live} jobs=1", one, plain)
        bench.results.times("P8", f"verify live={live} jobs={jobs}", verified, plain, Target(at_most=3))
        bench.results.times("P8", f"repair live={live} jobs={jobs}", repairs, plain, Target(at_most=3))
        bench.results.times("P8", f"verify live={live} jobs={jobs} since the repairs", recent, plain)
        timed("verify")


def measure_releases(bench):
    """Publishes simultaneously due releases with one and two daemons, compared with commits of one row."""
    deployment = bench.large
    database = deployment.database
    batch = bench.batches[deployment.name, 10000 if bench.is_complete else 1000]
    number = batch.size if bench.is_complete else 200
    database.run("create table bench.commit (n bigint);")
    samples = bench.results.in_turn(
        lambda: drain(bench, database, batch, "new", number, 1),
        lambda: bench.pgbench.run(database, "insert into bench.commit values (1);\n", 1, seconds=bench.seconds).rate,
        lambda: drain(bench, database, batch, "old", number, 2))
    for daemons, rates in ((1, samples[0]), (2, samples[2])):
        bench.results.rates_of(
            "P9", f"releases={number} daemons={daemons}", rates, samples[1], Target(at_least=0.3))


def schedule(database, batch, which, number, over_seconds=0):
    """Creates `number` releases of one entry each, due now or spread over the next seconds."""
    database.run(f"""
        begin;
        insert into ops.audit_event (actor_id, action, object_type) values ('{SYSTEM}', 'bench.load', 'deployment');
        create temp table new_release on commit drop as
        select curation.uuid_v7() as id, entry_id, {which}_revision as revision_id,
            now() + {over_seconds} * interval '1 second' * row_number() over (order by i) / {number} as due_at
        from {batch.schema}.entry order by i limit {number};
        insert into curation.release (id, title, state, local_time, zone, due_at, created_by)
        select id, 'bench', 'scheduled', due_at at time zone 'UTC', 'UTC', due_at, '{SYSTEM}' from new_release;
        insert into curation.release_item (release_id, entry_id, revision_id, base_revision)
        select n.id, n.entry_id, n.revision_id, l.revision_id
        from new_release n left join curation.live l on l.entry_id = n.entry_id;
        select pg_notify('vitrine_schedule', '');
        commit;""")


def drain(bench, database, batch, which, number, daemons):
    """Releases per second, from the first publication to the last."""
    second = None
    if daemons == 2:
        second = Daemon(bench.program, database.url, bench.folder)
        second.start()
    try:
        before = int(database.value("select number from curation.publication_counter"))
        schedule(database, batch, which, number)
        for _ in range(1200):
            if database.value("select count(*) from curation.release where state = 'scheduled'") == "0":
                break
            time.sleep(0.25)
        published, failed, seconds = database.rows(f"""
            select (select count(distinct p.number) from curation.publication p where p.number > {before}),
                (select count(*) from curation.release where state <> 'published'),
                (select extract(epoch from max(published_at) - min(published_at)) from curation.publication
                 where number > {before})""")[0]
        if int(published) != number or failed != "0":
            raise AssertionError(f"of {number} releases {published} were published and {failed} were not")
        return number / float(seconds)
    finally:
        if second:
            second.stop()
