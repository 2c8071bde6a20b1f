// What the staff writes to each other about submissions, and who is named there.
import Domain
import FoundationEssentials
import Postgres

package struct NoteRow: Sendable {
    package enum Kind: String, Sendable {
        case note
        /// Why it was handed on.
        case assign
        /// Why somebody's claim was taken over.
        case takeOver = "take_over"
        case snooze
    }

    package let kind: Kind
    package let text: String
    package let author: String
    package let writtenAt: Date
    /// The names of those it names.
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

    /// The notes about a submission, oldest first; the newest two hundred of them.
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

    /// How many notes that name this person are unseen, counted no further than 100.
    package func unseen(by account: ID<Account>) async throws -> Int {
        try await connection.first(
            """
            select count(*) as n
            from (select from curation.mention where account_id = \(account) and seen_at is null limit 100) x
            """
        ) { try $0("n") } ?? 0
    }

    // MARK: Changes

    /// Writes one note for each submission.
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

    /// Notes that this person has seen what names them on a submission.
    package func see(_ submission: ID<Submission>, by account: ID<Account>) async throws {
        try await connection.run(
            """
            update curation.mention m set seen_at = now() from curation.note n
            where n.id = m.note_id and n.submission_id = \(submission) and m.account_id = \(account) and m.seen_at is null
            """)
    }
}
