// Many concurrent reviewers while connections are killed: nothing is decided twice, and nothing gets stuck.
import Domain
import FoundationEssentials
import Operations
import Postgres
import Store
import Synchronization
import TestBasics
import TestSupport
import Testing

@Suite("Concurrent reviewers", .databases)
struct ConcurrentReviewersTests {
    private static let submissions = TestScale.isFull ? 10_000 : 400
    private static let deciders = TestScale.isFull ? 50 : 20

    private final class Counts: Sendable {
        let decided = Atomic(0)
        let failures = Atomic(0)
        let kills = Atomic(0)
        let isDone = Atomic(false)
    }

    private func fill(_ superuser: PostgresClient, _ portal: Actor) async throws {
        try await superuser.transaction(deadline: .seconds(120)) { transaction in
            try await transaction.execute("set local statement_timeout to 0")
            try await transaction.execute(
                "insert into ops.audit_event (actor_id, action, object_type) values (\(SystemActor.system), 'test.fill', 'queue')"
            )
            try await transaction.execute(
                """
                with made as (
                    insert into curation.submission (id, type, client_id, title, fields, received, source, request_hash)
                    select curation.uuid_v7(), 'article', \(portal.rowID), 'Part ' || i, '{}', '{}', 'api', sha256(i::text::bytea)
                    from generate_series(1, \(Self.submissions)::integer) i returning id, type, client_id, title, received_at)
                insert into curation.queue_item (submission_id, type, client_id, title, received_at) select * from made
                """)
        }
    }

    /// Claims and decides the next submission until none is left; after a failure it starts again, as a person would.
    private func work(
        _ test: TestDatabase, _ actor: Actor, number: Int, _ counts: Counts
    ) async throws {
        let claim = test.services.claimSubmission
        let decide = test.services.decideSubmission
        let account = ID<Account>(try #require(actor.id))
        var turn = number
        while true {
            turn += 1
            do {
                guard
                    let id = try await test.database.queue.next(
                        after: nil, QueueFilter(), order: QueueOrder.allCases[number % 3], for: account, .curator)
                else { return }
                // Some abandon their claim; others take it over or wait until it expires.
                try await claim(id, by: actor)
                if turn % 17 == 0 {
                    try await claim.unclaim(id, by: actor)
                    continue
                }
                if turn % 23 == 0 {
                    try await test.client.execute(
                        "update curation.queue_item set claimed_until = now() where submission_id = \(id)")
                    continue
                }
                guard let submission = try await test.database.submissions.find(id), submission.state == .pending else {
                    continue
                }
                _ = try await decide(
                    submission, Decision.Draft(verdict: .reject, reason: .spam), version: submission.version,
                    respectsClaims: true, by: actor)
                counts.decided.add(1, ordering: .relaxed)
            } catch {
                if counts.failures.add(1, ordering: .relaxed).newValue > 1_000_000 { throw error }
            }
        }
    }

    @Test("R21: many reviewers and random kills: each submission is decided once, and none is left")
    func deciders() async throws {
        let test = try await TestDatabase.make()
        let superuser = test.superuser()
        try await fill(superuser, try await test.clientActor())
        var people: [Actor] = []
        for number in 1...Self.deciders { people.append(try await test.actor(.curator, name: "Curator \(number)")) }
        let counts = Counts()
        try await withThrowingTaskGroup { group in
            let killer = Task {
                while !counts.isDone.load(ordering: .relaxed) {
                    let killed = try? await superuser.query(
                        """
                        select pg_terminate_backend(pid) from pg_stat_activity
                        where datname = current_database() and pid <> pg_backend_pid() and state = 'idle in transaction'
                        order by random() limit 1
                        """)
                    counts.kills.add(killed?.count ?? 0, ordering: .relaxed)
                    let next = counts.decided.load(ordering: .relaxed) + 5
                    await until("five more are decided", within: 600) {
                        counts.isDone.load(ordering: .relaxed) || counts.decided.load(ordering: .relaxed) >= next
                    }
                }
            }
            for (number, actor) in people.enumerated() {
                group.addTask { try await work(test, actor, number: number, counts) }
            }
            try await group.waitForAll()
            counts.isDone.store(true, ordering: .relaxed)
            await killer.value
        }
        let row = try await superuser.one(
            """
            select (select count(*) from curation.queue_item) as waiting,
                (select count(*) from curation.decision) as decisions,
                (select count(distinct submission_id) from curation.decision) as decided,
                (select count(*) from ops.audit_event where action = 'submission.reject') as events,
                (select count(distinct decided_by) from curation.decision) as deciders
            """)
        #expect(try row("waiting") as Int == 0)
        #expect(try row("decisions") as Int == Self.submissions)
        #expect(try row("decided") as Int == Self.submissions)
        #expect(try row("events") as Int == Self.submissions)
        #expect(try row("deciders") as Int > 10)
        #expect(counts.kills.load(ordering: .relaxed) > 0)
    }
}
