// Internal notes on submissions and the mentions in them.
import Domain
import FoundationEssentials
import Postgres

package struct NoteRow: Sendable {
    package enum Kind: String, Sendable {
        case note
        /// The reason of an assignment.
        case assign
        /// The reason for taking over a claim.
        case takeOver = "take_over"
        case snooze
    }

    package let kind: Kind
    package let text: String
    package let author: String
    package let writtenAt: Date
    /// The names of the people it mentions.
    package let mentioned: [String]

    init(row: Row) throws {
        kind = Kind(rawValue: try row("kind")) ?? .note
        text = try row("text")
        author = try row("author")
        writtenAt = try row("written_at")
        mentioned = try row("mentioned")
    }
}

package struct NoteStore: Sendable {
    let connection: StoreConnection

    /// The newest two hundred notes on a submission, oldest first.
    package func about(_ submission: ID<Submission>) async throws -> [NoteRow] {
        try await connection.rows(
            """
            select n.kind, n.text, a.name as author, n.written_at,
                coalesce((select array_agg(p.name order by p.name) from curation.mention m
                    join ops.actor p on p.id = m.account_id where m.note_id = n.id), '{}') as mentioned
            from (select * from curation.note where submission_id = \(submission) order by id desc limit 200) n
            join ops.actor a on a.id = n.author_id order by n.id
            """, NoteRow.init)
    }

    /// How many unseen notes mention this person; stops counting at 100.
    package func unseen(by account: ID<Account>) async throws -> Int {
        try await connection.first(
            """
            select count(*) as n
            from (select from curation.mention where account_id = \(account) and seen_at is null limit 100) x
            """
        ) { try $0("n") } ?? 0
    }

    // MARK: Changes

    /// Writes one note on each submission.
    package func add(
        _ text: String, _ kind: NoteRow.Kind, on submissions: [ID<Submission>], mentioning accounts: [ID<Account>] = [],
        by actor: Actor
    ) async throws {
        try await connection.run(
            """
            with written as (
                insert into curation.note (submission_id, kind, text, author_id)
                select s, \(kind.rawValue), \(text), \(actor.rowID) from unnest(\(submissions)::uuid[]) s returning id)
            insert into curation.mention (note_id, account_id)
            select w.id, a from written w, unnest(\(accounts)::uuid[]) a
            """)
    }

    /// Marks the mentions of this person on a submission as seen.
    package func markSeen(_ submission: ID<Submission>, by account: ID<Account>) async throws {
        try await connection.run(
            """
            update curation.mention m set seen_at = now() from curation.note n
            where n.id = m.note_id and n.submission_id = \(submission) and m.account_id = \(account) and m.seen_at is null
            """)
    }
}
