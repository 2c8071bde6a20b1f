// Plays somebody who has stolen the database login that serves requests: what it may forge.
import Domain
import FoundationEssentials
import Operations
import Platform
import Postgres
import Store
import TestSupport
import Testing

@Suite("A stolen database login", .databases)
struct StolenLoginTests {
    /// An attempt: its statements run in one transaction, and one of them must be refused.
    struct Forgery {
        let name: String
        let statements: [String]

        init(_ name: String, _ statements: String...) { self.init(name, statements) }

        init(_ name: String, _ statements: [String]) {
            self.name = name
            self.statements = statements
        }
    }

    /// A deployment, and what the thief knows of it: all rows, the token of a curator's session and the secrets of clients.
    struct World {
        let test: TestDatabase
        let owner: PostgresClient
        let thief: String
        let administrator: UUID
        let curator: Actor
        let sender: Actor
        let revoked: Actor
        let former: Actor
        let expired: Actor
        /// A publisher whose access scope is videos.
        let restricted: Actor
        /// An editor whose access scope is one category group.
        let grouped: Actor
        let entry: UUID
        let revision: UUID
        let submission: UUID
        /// A published article, which the release of somebody else unpublishes.
        let live: UUID
        /// A revision that the curator's approval of a submission has created before, for an editor to approve.
        let decided: UUID
        /// A published entry, approved by the curator at a time to come.
        let dated: UUID

        static func make() async throws -> World {
            let test = try await TestDatabase.make()
            let owner = test.superuser()
            let administrator = try await test.actor(.administrator, name: "Ann")
            let editor = try await test.actor(.editor, name: "Ed")
            let curator = try await test.actor(.curator, name: "Carl")
            let sender = try await test.clientActor([.submit])
            let former = try await test.actor(.curator, name: "Former")
            let expired = try await test.actor(.curator, name: "Expired")
            let revoked = try await test.clientActor()
            let restricted = try await test.actor(.publisher, name: "Vic")
            let grouped = try await test.actor(.editor, name: "Gus")
            let live = try await test.article("Published")
            let compose = test.services.composeRelease
            let release = try await compose.create(title: "Theirs", by: TestDatabase.administrator)
            try await compose.add(
                [LiveChange(entry: live, revision: nil)], to: release, by: TestDatabase.administrator)
            let before = try await test.submit("Sent before", by: sender)
            _ = try await test.services.decideSubmission(
                before, Decision.Draft(verdict: .approve, publishTiming: .approveOnly), version: nil, by: curator)
            let approved = try await test.submit("Approved in the future", by: sender)
            let outcome = try await test.services.decideSubmission(
                approved, Decision.Draft(verdict: .approve, publishTiming: .now), version: nil,
                by: TestDatabase.administrator)
            let dated = try #require(outcome.change).entry.uuid
            let written = try await test.write.create(
                type: "article",
                fields: [
                    "title": .string("Four eyes"), "body": .string("Text"),
                    "categories": .array([.string("00000000-0000-7000-8000-000000000013")]),
                ], publishTiming: .draft, by: editor)
            let receipt = try await test.services.receiveSubmission(
                SubmissionDraft(
                    type: "article", contributor: "reader-1",
                    fields: ["title": .string("Sent"), "body": .string("Text")]),
                by: sender)
            let thief = "thief_\(test.name)"
            try await owner.transaction { transaction in
                for statement in [
                    "insert into ops.audit_event (actor_id, action, object_type) values ('\(SystemActor.system)', 'test.fill', 'test')",
                    "update curation.content_type set four_eyes = true, required_approvals = 1 where name = 'article'",
                    "update ops.account set disabled_at = now() where id = '\(former.rowID)'",
                    "update ops.session set created_at = now() - interval '2 days', expires_at = now() - interval '1 second' where account_id = '\(expired.rowID)'",
                    "update delivery.client set revoked_at = now() where id = '\(revoked.rowID)'",
                    "update ops.account set types = '{video}' where id = '\(restricted.rowID)'",
                    "update ops.account set groups = '{\(UUIDv7.make())}' where id = '\(grouped.rowID)'",
                    "insert into curation.review_stage (group_id, number, name, role, required_approvals) values ('\(SeedEntry.topicGroup)', 1, 'Last', 'administrator', 1)",
                    "insert into curation.preview (token_hash, title, instant, local_time, zone, created_by, expires_at) values (sha256('x'), 'Soon', now(), now()::timestamp, 'UTC', '\(SystemActor.system)', now() + interval '1 day')",
                    "insert into curation.preview_approval (preview_id, name, base, schedule) select id, 'Ann', 0, '' from curation.preview",
                    "insert into ops.media (id, version_id, upload_sha256, name, type, uploaded_by) select i, i, sha256('wall'), 'wall.png', 'image/png', '\(SystemActor.system)' from curation.uuid_v7() i",
                    "insert into ops.media_version (id, media_id, number, upload_sha256, type, source, created_by) select id, id, 1, upload_sha256, type, '00/' || repeat('0', 62) || '.png', uploaded_by from ops.media",
                    "insert into ops.media_file (media_id, version_id, width, height, bytes, sha256, path) select id, id, 1, 1, 1, repeat('0', 64), '00/' || repeat('0', 62) || '.png' from ops.media",
                    "create role \(thief) login in role vitrine_daemon",
                    "set local session_replication_role = replica",
                    // Of a version of the submission that there is not, so that it counts nowhere.
                    "insert into curation.submission_approval (submission_id, stage_id, version, approved_by, role) select '\(receipt.id)', id, 7, '\(administrator.rowID)', 'administrator' from curation.review_stage",
                    "update curation.decision set decided_by = '\(curator.rowID)', decided_at = now() + interval '1 year' where submission_id = '\(approved)'",
                ] { try await transaction.execute("\(raw: statement)") }
            }
            let revision: UUID = try await owner.one(
                "select id from curation.revision where entry_id = \(written.entry)")("id")
            let decided: UUID = try await owner.one(
                """
                select r.id from curation.revision r join curation.entry e on e.id = r.entry_id
                where e.submission_id = \(before)
                """)("id")
            return World(
                test: test, owner: owner, thief: thief, administrator: administrator.rowID, curator: curator,
                sender: sender,
                revoked: revoked, former: former, expired: expired, restricted: restricted, grouped: grouped,
                entry: written.entry.uuid,
                revision: revision, submission: receipt.id.uuid, live: live.uuid, decided: decided, dated: dated)
        }

        /// Records an event as the daemon does.
        func record(_ actor: UUID, _ credential: String = "null", action: String = "entry.approve") -> String {
            """
            select ops.record_requested(array[\(credential)]::bytea[], array['\(actor)']::uuid[], '{\(action)}', '{entry}',
                '{x}', '{"{}"}', '{null}', '{null}')
            """
        }

        func record(_ actor: Actor, action: String = "entry.approve") -> String {
            let hex = (actor.credential?.bytes ?? []).map { String($0, radix: 16) }.map {
                $0.count == 1 ? "0" + $0 : $0
            }
            return record(actor.rowID, #"'\x\#(hex.joined())'"#, action: action)
        }

        /// Whether the thief is refused; what it did is undone.
        func refuses(_ forgery: Forgery) async throws -> String? {
            struct Succeeded: Error {}
            do {
                try await owner.transaction(retries: 0) { transaction in
                    try await transaction.execute("set local session authorization \(raw: thief)")
                    try await transaction.execute("set local role vitrine_daemon")
                    for statement in forgery.statements { try await transaction.execute("\(raw: statement)") }
                    try await transaction.execute("set constraints all immediate")
                    throw Succeeded()
                }
                return nil
            } catch let error as PostgresError {
                return error.constraint ?? error.sqlState
            } catch is Succeeded {
                return nil
            }
        }
    }

    @Test("S45, S46: whoever has the daemon's database login acts for nobody whose token or secret it does not have")
    func forgeries() async throws {
        let world = try await World.make()
        #expect(try await world.refuses(Forgery("control", world.record(world.curator))) == nil)
        #expect(try await world.refuses(Forgery("control", world.record(world.sender))) == nil)
        #expect(try await world.refuses(Forgery("control", world.record(SystemActor.visitor))) == nil)
        let forgeries =
            Self.events(world) + Self.signingIn(world) + Self.content(world) + Self.deciding(world)
            + Self.together(world) + Self.around(world)
        #expect(forgeries.count >= 60)
        let refusals: Set = [
            "42501", "decision_by_contributor", "account_scope", "submission_approval_role", "decision_needs_approvals",
            "submission_approval_withdrawal",
        ]
        for forgery in forgeries {
            let refusal = try await world.refuses(forgery) ?? "succeeded"
            #expect(
                refusals.contains(refusal) || refusal.hasPrefix("audit_event_"), "\(forgery.name): \(refusal)")
        }
        _ = try await world.test.database.auditTrail.seal()
        #expect(try await world.test.database.auditTrail.verify().broken == nil)
        try await world.owner.execute("drop role \(raw: world.thief)")
    }

    @Test("S45: events recorded in advance with a stolen token allow nothing later, and are found in every area")
    func prepaid() async throws {
        let world = try await World.make()
        let admin = try await world.test.actor(.administrator, name: "Anna")
        let trail = world.test.database.auditTrail
        let before = try await trail.verify().unpaired.count
        let actions = ["role.delete", "webhook.delete", "client.revoke", "release.cancel", "entry.approve"]
        for action in actions {
            try await world.test.daemon.execute("\(raw: world.record(admin, action: action))")
        }
        for table in ["ops.role", "ops.webhook", "curation.release_item"] {
            let error = try await #require(throws: PostgresError.self) {
                try await world.test.daemon.execute("delete from \(raw: table)")
            }
            #expect(error.constraint?.hasPrefix("audit_event_") == true, "\(table)")
        }
        let found = try await trail.verify().unpaired
        #expect(found.count == before + actions.count)
        #expect(found.filter { $0.problem == "no_change" && $0.event != nil }.count >= actions.count)
        try await world.owner.execute("drop role \(raw: world.thief)")
    }

    /// Audit events of others, at other times, in other transactions.
    private static func events(_ world: World) -> [Forgery] {
        let columns = "insert into ops.audit_event (actor_id, action, object_type"
        let (admin, system) = (world.administrator, SystemActor.system)
        let functions = ["record_sign_in", "record_scheduled", "record_operated"].map { function in
            Forgery(
                function,
                "select ops.\(function)('{null}', array['\(admin)']::uuid[], '{a.b}', '{x}', '{x}', '{\"{}\"}', '{null}', '{null}')"
            )
        }
        return functions + [
            Forgery("an event", "\(columns)) values ('\(admin)', 'entry.approve', 'entry')"),
            Forgery(
                "an event of a future transaction",
                "\(columns), transaction) values ('\(system)', 'a.b', 'x', (pg_current_xact_id()::text::bigint + 1000)::text::xid8)"
            ),
            Forgery(
                "a backdated event",
                "\(columns), happened_at) values ('\(system)', 'a.b', 'x', now() - interval '1 year')"),
            Forgery(
                "an event with an old id",
                "insert into ops.audit_event (id, actor_id, action, object_type) overriding system value values (1, '\(system)', 'a.b', 'x')"
            ),
            Forgery("an administrator without a token", world.record(admin)),
            Forgery(
                "an administrator by the hash of a session",
                world.record(admin, "(select token_hash from ops.session where account_id = '\(admin)' limit 1)")),
            Forgery(
                "an administrator by a made-up token",
                world.record(admin, #"'\x\#(String(repeating: "ab", count: 32))'"#)),
            Forgery(
                "an administrator by somebody else's token",
                world.record(world.curator).replacing(
                    "\(world.curator.rowID)", with: "\(admin)")),
            Forgery("the operator", world.record(SystemActor.operator)), Forgery("the system", world.record(system)),
            Forgery("the schedule", world.record(SystemActor.schedule)),
            Forgery("an import", world.record(SystemActor.import)),
            Forgery(
                "a client by the hash of its secret",
                world.record(
                    world.sender.rowID, "(select secret_hash from delivery.client where id = '\(world.sender.rowID)')")),
            Forgery("a revoked client", world.record(world.revoked)),
            Forgery("a disabled account", world.record(world.former)),
            Forgery("an expired session", world.record(world.expired)),
            Forgery(
                "the inner function",
                "select ops.append_events(array['\(admin)']::uuid[], '{administrator}', '{a.b}', '{x}', '{x}', '{\"{}\"}', '{null}', '{null}')"
            ),
            Forgery(
                "a change for an event",
                "insert into ops.changed_table (transaction, name) values (pg_current_xact_id(), 'ops.webhook')"),
            Forgery("no changes", "delete from ops.changed_table"),
            Forgery("changes from later on", "update ops.recorded_table set since = '9000000000'"),
            Forgery("the role of background work", "set local role vitrine_schedule"),
            Forgery("the role of signing in", "set local role vitrine_sign_in"),
            Forgery("the role of the command line", "set local role vitrine_operator"),
            Forgery("the owner", "set local role vitrine_owner"),
        ]
    }

    /// Other people's accounts, and more rights for oneself.
    private static func signingIn(_ world: World) -> [Forgery] {
        let admin = world.administrator
        let (curator, visitor) = (world.record(world.curator), world.record(SystemActor.visitor))
        return [
            Forgery(
                "a session", curator,
                "insert into ops.session (token_hash, account_id, csrf, expires_at) values (sha256('x'), '\(admin)', repeat('x', 30), now() + interval '1 day')"
            ),
            Forgery("somebody else's session", curator, "update ops.session set account_id = '\(admin)'"),
            Forgery("a longer session", curator, "update ops.session set expires_at = now() + interval '1 year'"),
            Forgery(
                "a sign-in link", curator,
                "insert into ops.sign_in_link (token_hash, account_id, expires_at) values (sha256('x'), '\(admin)', now() + interval '1 day')"
            ),
            Forgery("a password", curator, "update ops.account set password_hash = 'x' where id = '\(admin)'"),
            Forgery("a second factor", curator, "delete from ops.second_factor"),
            Forgery(
                "a role", curator, "update ops.account set role = 'administrator' where id = '\(world.curator.rowID)'"),
            Forgery(
                "an access scope", curator, "update ops.account set types = null where id = '\(world.curator.rowID)'"),
            Forgery(
                "an email address", curator, "update ops.account set email = 'x@example.org' where id = '\(admin)'"),
            Forgery("somebody else's time zone", curator, "update ops.account set zone = 'UTC' where id = '\(admin)'"),
            Forgery("an enabled account", visitor, "update ops.account set disabled_at = null"),
            Forgery(
                "a client", curator,
                "insert into ops.actor (id, kind, name) values (curation.uuid_v7(), 'client', 'x')",
                "insert into delivery.client (id, name, secret_hash, scopes) select id, 'x', sha256('x'), '{review}' from ops.actor where name = 'x'"
            ),
            Forgery("a client's scopes", curator, "update delivery.client set scopes = '{review}'"),
            Forgery("a webhook", curator, "update ops.webhook set state = 'paused'"),
        ]
    }

    /// What a curator's token decides, and what doesn't follow from it.
    private static func deciding(_ world: World) -> [Forgery] {
        let (actor, live) = (world.curator.rowID, world.live)
        let (curator, visitor) = (world.record(world.curator), world.record(SystemActor.visitor))
        func approval(of revision: UUID) -> String {
            "insert into curation.approval (revision_id, actor_id) values ('\(revision)', '\(actor)')"
        }
        let decision =
            "insert into curation.decision (submission_id, number, verdict, reason, decided_by) values ('\(world.submission)', 1, 'reject', 'spam', '\(actor)')"
        let item =
            "insert into curation.release_item (release_id, entry_id) select id, '\(world.entry)' from curation.release where title = 'Theirs'"
        let cancel =
            "update curation.release set state = 'canceled', finished_at = now() where title = 'Theirs'"
        let schedule =
            "update curation.release set state = 'scheduled', local_time = '2040-01-01', zone = 'UTC', due_at = '2040-01-01' where title = 'Theirs'"
        let unpublishing =
            "select curation.publish(array['\(live)']::uuid[], array[null]::uuid[], '\(actor)', null, 'x')"
        return [
            Forgery("an approval by a curator", curator, approval(of: world.revision)),
            Forgery("an approval of what was decided before", curator, approval(of: world.decided)),
            Forgery("an approval beside a decision", curator, decision, approval(of: world.decided)),
            Forgery("a publication by a curator", curator, unpublishing),
            Forgery("a publication beside a decision", curator, decision, unpublishing),
            Forgery(
                "a publication after a decision that was dated in advance", curator,
                unpublishing.replacing("\(live)", with: "\(world.dated)")),
            Forgery("a release of others canceled by a curator", curator, cancel),
            Forgery("a release canceled beside a decision", curator, decision, cancel),
            Forgery("a release of others scheduled by a curator", curator, schedule),
            Forgery(
                "a release without a decision", curator,
                "insert into curation.release (title, created_by) values ('x', '\(actor)')"),
            Forgery("an item removed by a curator", curator, "delete from curation.release_item"),
            Forgery("an item removed beside a decision", curator, decision, "delete from curation.release_item"),
            Forgery("an item added by a curator", curator, item),
            Forgery("an item changed by a curator", curator, "update curation.release_item set base_revision = null"),
            Forgery("deleted previews", visitor, "delete from curation.preview"),
            Forgery("revoked previews", visitor, "update curation.preview set revoked_at = now()"),
            Forgery("deleted approvals of previews", visitor, "delete from curation.preview_approval"),
            Forgery("changed approvals of previews", visitor, "update curation.preview_approval set name = 'x'"),
        ]
    }

    /// Several people in one transaction: the permission of one and the access scope of another.
    private static func together(_ world: World) -> [Forgery] {
        let (actor, live) = (world.restricted.rowID, world.live)
        let restricted = world.record(world.restricted)
        let cancel =
            "update curation.release set state = 'canceled', finished_at = now() where title = 'Theirs'"
        let decision =
            "insert into curation.decision (submission_id, number, verdict, decided_by) values ('\(world.submission)', 1, 'approve', '\(world.sender.rowID)')"
        let companions = [
            world.record(SystemActor.visitor), world.record(world.curator), world.record(world.sender),
        ]
        return companions.flatMap { companion -> [Forgery] in
            [
                Forgery("a canceled release", restricted, companion, cancel),
                Forgery("removed items", companion, restricted, "delete from curation.release_item"),
                Forgery(
                    "an approval outside the scope", restricted, companion,
                    "insert into curation.approval (revision_id, actor_id) values ('\(world.revision)', '\(actor)')"),
                Forgery(
                    "a publication outside the scope", restricted, companion,
                    "select curation.publish(array['\(live)']::uuid[], array[null]::uuid[], '\(actor)', null, 'x')"),
                Forgery(
                    "screening rules for everybody", companion, restricted,
                    "insert into curation.screening_activation (number, version, created_by) values (99, 1, '\(actor)')"
                ),
                Forgery("revoked previews", companion, restricted, "update curation.preview set revoked_at = now()"),
                Forgery("a decision of a client that only submits", companion, world.record(world.sender), decision),
            ]
        }
    }

    /// Content that others approved, wrote or published.
    private static func content(_ world: World) -> [Forgery] {
        let (admin, entry, revision) = (world.administrator, world.entry, world.revision)
        let (curator, visitor) = (world.record(world.curator), world.record(SystemActor.visitor))
        func decision(_ verdict: String, by actor: UUID) -> String {
            "insert into curation.decision (submission_id, number, verdict, decided_by) values ('\(world.submission)', 1, '\(verdict)', '\(actor)')"
        }
        func newRevision(by author: UUID) -> String {
            """
            insert into curation.revision (entry_id, number, content, preview, content_hash, author_id)
            values ('\(entry)', 2, '{}', '{}', sha256('x'), '\(author)')
            """
        }
        let approval = "insert into curation.approval (revision_id, actor_id) values ('\(revision)', '\(admin)')"
        return [
            Forgery(
                "approvals of an article that needs two people", curator, approval,
                "insert into curation.publish_approval (revision_id, entry_id) values ('\(revision)', '\(entry)')"),
            Forgery("approvals without an event", approval),
            Forgery(
                "fewer approvals", visitor, "update curation.content_type set four_eyes = false, required_approvals = 0"
            ),
            Forgery(
                "what can be published", curator,
                "insert into curation.ready (entry_id, revision_id) values ('\(entry)', '\(revision)')"),
            Forgery("a decision of somebody else", curator, decision("approve", by: admin)),
            Forgery("a decision of the schedule", curator, decision("approve", by: SystemActor.schedule)),
            Forgery(
                "a contributor's decision", world.record(SystemActor.contributor),
                decision("approve", by: SystemActor.contributor)),
            Forgery(
                "a decision of a client that only submits", world.record(world.sender),
                decision("approve", by: world.sender.rowID)),
            Forgery("a revision of somebody else", curator, newRevision(by: admin)),
            Forgery("a revision of a contributor", curator, newRevision(by: SystemActor.contributor)),
            Forgery(
                "a note of somebody else", curator,
                "insert into curation.note (submission_id, text, author_id) values ('\(world.submission)', 'x', '\(admin)')"
            ),
            Forgery(
                "a release of somebody else", curator,
                "insert into curation.release (title, created_by) values ('x', '\(admin)')"),
            Forgery("a release without an account", visitor, "update curation.release set state = 'canceled'"),
            Forgery(
                "a publication of somebody else", curator,
                "select curation.publish(array['\(entry)']::uuid[], array[null]::uuid[], '\(admin)', null, 'x')",
                "select curation.repair('\(admin)', 'x')"),
            Forgery("a publication by a visitor", visitor, "select curation.repair('\(SystemActor.visitor)', 'x')"),
            Forgery(
                "a publication by a client that only submits", world.record(world.sender),
                "select curation.repair('\(world.sender.rowID)', 'x')"),
            Forgery("a publication by the schedule", "select curation.publish_due('\(SystemActor.schedule)', 10)"),
            Forgery("review stages", curator, "update curation.review_stage set archived_at = now()"),
            Forgery("a longer preview", visitor, "update curation.preview set expires_at = now() + interval '1 year'"),
            Forgery(
                "screening rules of somebody else", curator,
                "insert into curation.screening_activation (number, version, created_by) values (99, 1, '\(admin)')"),
        ]
    }
}
