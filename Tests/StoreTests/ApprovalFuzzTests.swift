// Runs random actions directly on the schema, most of them forbidden: only approved content may become live.
import Domain
import FoundationEssentials
import Postgres
import Store
import TestSupport
import Testing

@Suite("Random actions on the schema", .databases)
struct ApprovalFuzzTests {
    /// `VITRINE_FUZZ_ACTS=1000000 swift test --filter ApprovalFuzzTests` takes a long time.
    private static let actions = ProcessInfo.processInfo.environment["VITRINE_FUZZ_ACTS"].flatMap { Int($0) } ?? 4000

    /// What an attacker or a faulty daemon might try with the daemon's own role, along with legitimate actions. Each
    /// action runs by itself; rejected ones leave nothing behind. `fuzz.approved` records what was approved, as it was
    /// then.
    private static func script(_ actions: Int) -> String {
        """
        do $do$
        declare
            people constant uuid[] := array(select id from ops.actor);
            roll integer;
            someone uuid;
            one curation.entry;
            version curation.revision;
            other curation.revision;
            made uuid;
            number_now integer;
        begin
            for turn in 1..\(actions) loop
                if turn % 200 = 1 then
                    commit;
                    perform ops.record_operated('{null}', '{00000000-0000-7000-8000-000000000001}', '{test.fuzz}',
                        '{entry}', '{null}', '{"{}"}', '{null}', '{null}');
                end if;
                roll := floor(random() * 100);
                someone := people[1 + floor(random() * cardinality(people))];
                select e.* into one from fuzz.entry t join curation.entry e on e.id = t.id
                where t.n = 1 + floor(random() * (select count(*) from fuzz.entry));
                if one is null then roll := 0; end if;
                -- Of the last ten: among thousands, the choice alone would take most of the time.
                select * into version from (
                    select * from curation.revision where entry_id = one.id order by number desc limit 10) r
                order by random() limit 1;
                select r.* into other from fuzz.entry t join curation.revision r on r.entry_id = t.id and r.number = 1
                where t.n = 1 + floor(random() * (select count(*) from fuzz.entry)) and t.id <> one.id;
                begin
                    case
                    when roll < 6 and (select count(*) from fuzz.entry) < 500 then
                        insert into curation.entry (type, kind, created_by)
                        values (case when roll % 2 = 0 then 'article' else 'bulletin' end, 'item', someone) returning id into made;
                        insert into fuzz.entry (n, id) select count(*) + 1, made from fuzz.entry;
                        insert into curation.revision (entry_id, number, content, preview, content_hash, author_id)
                        values (made, 1, jsonb_build_object('title', 'made ' || turn, 'slug', 'made-' || turn,
                            'categories', jsonb_build_array('00000000-0000-7000-8000-000000000013')), '{}', sha256('x'), someone)
                        returning id into made;
                        insert into curation.reference (revision_id, field, position, target_entry_id, counted)
                        values (made, 'categories', 1, '00000000-0000-7000-8000-000000000013', true);
                        insert into curation.slug (kind, slug, entry_id)
                        select 'item', 'made-' || turn, entry_id from curation.revision where id = made;
                    when roll < 26 then
                        select max(number) + 1 into number_now from curation.revision where entry_id = one.id;
                        insert into curation.revision (entry_id, number, content, preview, content_hash, author_id)
                        values (one.id, number_now, version.content || jsonb_build_object('title', 'edited ' || turn), '{}',
                            sha256('y'), someone) returning id into made;
                        insert into curation.reference (revision_id, field, position, target_entry_id, counted)
                        values (made, 'categories', 1, '00000000-0000-7000-8000-000000000013', true);
                    when roll < 46 then
                        insert into curation.approval (revision_id, actor_id, actor_role) values (version.id, someone, 'editor');
                    when roll < 62 then
                        insert into curation.publish_approval (revision_id, entry_id) values (version.id, one.id);
                        insert into fuzz.approved values (version.id, one.id, md5(version.content::text));
                    when roll < 80 then
                        perform curation.publish(array[one.id], array[version.id], someone, null, 'fuzz');
                    when roll < 84 then
                        perform curation.publish(array[one.id], array[null::uuid], someone, null, 'fuzz');
                    when roll < 87 then
                        perform curation.publish(array[one.id], array[coalesce(other.id, one.id)], someone, null, 'another''s version');
                    when roll < 89 then
                        insert into curation.publish_approval (revision_id, entry_id) values (other.id, one.id);
                    when roll < 91 then
                        update curation.revision set content = content || '{"title": "swapped"}' where id = version.id;
                    when roll < 93 then
                        insert into curation.live values (one.id, version.id, one.type, one.kind)
                        on conflict (entry_id) do update set revision_id = excluded.revision_id;
                    when roll < 95 then
                        update api_v1.item set title = 'forged' where id = one.id;
                    when roll < 97 then
                        update curation.publish_approval set revision_id = version.id where entry_id = one.id;
                    when roll < 99 then
                        update curation.live set revision_id = version.id where entry_id = one.id;
                    else
                        delete from curation.approval where revision_id = version.id;
                    end case;
                    insert into fuzz.action values (roll, true) on conflict on constraint action_pkey do update set n = fuzz.action.n + 1;
                exception when others then
                    insert into fuzz.action values (roll, false) on conflict on constraint action_pkey do update set n = fuzz.action.n + 1;
                end;
            end loop;
        end $do$;
        """
    }

    @Test("R24: after many random actions, including forbidden ones, only approved content is live")
    func walls() async throws {
        let test = try await TestDatabase.make()
        try await test.client.run(
            script: """
                create schema fuzz;
                create table fuzz.approved (revision uuid primary key, entry uuid, content text);
                create table fuzz.entry (n integer primary key, id uuid);
                create table fuzz.action (roll integer, done boolean, n bigint default 1, primary key (roll, done));
                grant all on schema fuzz to public;
                grant all on all tables in schema fuzz to public;
                insert into curation.content_type (name, kind, required_approvals, four_eyes) values ('bulletin', 'item', 2, true);
                """)
        for _ in 1...6 { _ = try await test.actor(.editor) }
        try await test.client(as: Roles.standard.operator).run(script: Self.script(Self.actions))
        let row: (live: Int, unapproved: Int, altered: Int, fewEyes: Int, shown: Int) = try await {
            let rows = try await test.client.query(
                """
                select (select count(*) from curation.live l where l.kind = 'item') as live,
                    (select count(*) from curation.live l where l.kind = 'item'
                        and not exists (select from fuzz.approved a where a.revision = l.revision_id and a.entry = l.entry_id))
                        as unapproved,
                    (select count(*) from fuzz.approved a join curation.revision r on r.id = a.revision
                        where md5(r.content::text) <> a.content) as altered,
                    (select count(*) from curation.publish_approval a join curation.revision r on r.id = a.revision_id
                        join curation.entry e on e.id = a.entry_id
                        where e.type = 'bulletin' and (select count(distinct c.actor_id) from curation.approval c
                            where c.revision_id = a.revision_id and c.actor_id <> r.author_id) < 2) as few_eyes,
                    (select count(*) from api_v1.item i join curation.live l on l.entry_id = i.id
                        join curation.revision r on r.id = l.revision_id
                        where i.title = r.content ->> 'title') as shown
                """)
            guard let row = rows.first else { throw Failure.missing("row") }
            return (
                try row("live"), try row("unapproved"), try row("altered"), try row("few_eyes"), try row("shown")
            )
        }()
        #expect(row.live > 0 && row.shown == row.live)
        #expect(row.unapproved == 0)
        #expect(row.altered == 0)
        #expect(row.fewEyes == 0)
        #expect(try await test.database.publications.verify().isEmpty)
        // Every kind of action was tried; forbidden ones never succeeded, allowed ones sometimes did.
        for (actions, may) in [
            (0..<26, true), (26..<46, true), (46..<62, true), (62..<80, true), (80..<84, true),
        ]
            + [(84..<87, false), (87..<89, false), (89..<91, false), (91..<93, false), (93..<95, false)]
            + [(95..<97, false), (97..<99, false), (99..<100, false)]
        {
            let done: Int = try await test.client.one(
                """
                select coalesce(sum(n) filter (where done), 0) as n from fuzz.action
                where roll >= \(actions.lowerBound) and roll < \(actions.upperBound)
                """)("n")
            #expect((done > 0) == may, "actions \(actions)")
        }
    }
}
