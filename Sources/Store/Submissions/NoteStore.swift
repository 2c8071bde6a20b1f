// Internal notes on submissions, entries and contributors, and the mentions in them.
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

    package let id: UUID
    package let kind: Kind
    package let text: String
    package let author: String
    package let writtenAt: Date
    /// The names of the people it mentions.
    package let mentioned: [String]

    init(row: Row) throws {
        id = try row("id")
        kind = Kind(rawValue: try row("kind")) ?? .note
        text = try row("text")
        author = try row("author")
        writtenAt = try row("written_at")
        mentioned = try row("mentioned")
    }
}

/// A note that mentions a person.
package struct MentionRow: Sendable {
    package let note: UUID
    package let text: String
    package let author: String
    package let writtenAt: Date
    package let isSeen: Bool
    package let subject: NoteSubject
    /// The title of the submission or entry, or the name of the contributor.
    package let title: String

    init(row: Row) throws {
        note = try row("id")
        text = try row("text")
        author = try row("author")
        writtenAt = try row("written_at")
        isSeen = try row("is_seen")
        let entry: ID<Entry>? = try row("entry_id")
        let contributor: ID<Contributor>? = try row("contributor_id")
        if let entry {
            subject = .entry(entry)
        } else if let contributor {
            subject = .contributor(contributor)
        } else {
            subject = .submission(try row("submission_id"))
        }
        title = try row("title")
    }
}

package struct NoteStore: Sendable {
    let connection: StoreConnection

    /// The names of the people that note `n` mentions.
    static let mentioned: SQL = """
        coalesce((select array_agg(p.name order by p.name) from curation.mention m
            join ops.actor p on p.id = m.account_id where m.note_id = n.id), '{}')
        """

    /// The newest notes on a submission, entry or contributor, at most `limit`, oldest first.
    package func about(_ subject: NoteSubject, limit: Int = 200) async throws -> [NoteRow] {
        try await connection.rows(
            """
            select n.id, n.kind, n.text, a.name as author, n.written_at, \(Self.mentioned) as mentioned
            from (select * from curation.note where \(Self.isAbout(subject)) order by id desc limit \(limit)) n
            join ops.actor a on a.id = n.author_id order by n.id
            """, NoteRow.init)
    }

    /// All notes on a submission, entry or contributor, the newest first.
    package func page(about subject: NoteSubject, cursor: String?, limit: Int) async throws -> Page<NoteRow> {
        var condition = Self.isAbout(subject)
        if let cursor { condition += " and id < \(try Cursor(parsing: cursor, count: 1).uuid(0))" }
        let rows = try await connection.rows(
            """
            select n.id, n.kind, n.text, a.name as author, n.written_at, \(Self.mentioned) as mentioned
            from (select * from curation.note where \(condition) order by id desc limit \(limit + 1)) n
            join ops.actor a on a.id = n.author_id order by n.id desc
            """, NoteRow.init)
        return Page(rows: rows, limit: limit) { Cursor([$0.id.uuidString.lowercased()]) }
    }

    private static func isAbout(_ subject: NoteSubject) -> SQL {
        switch subject {
        case .submission(let id): "submission_id = \(id)"
        case .entry(let id): "entry_id = \(id)"
        case .contributor(let id): "contributor_id = \(id)"
        }
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

    /// The notes that mention this person, the newest first, on what is in the access scope of the page.
    package func mentions(of account: ID<Account>, cursor: String?, limit: Int) async throws -> Page<MentionRow> {
        var condition: SQL = "m.account_id = \(account)"
        if let cursor { condition += " and m.note_id < \(try Cursor(parsing: cursor, count: 1).uuid(0))" }
        let scope = AccessScope.current
        if !scope.isAll {
            condition += """
                 and (exists (select from curation.submission x where x.id = n.submission_id and \(scope.submission("x")))
                    or exists (select from curation.entry x where x.id = n.entry_id and \(scope.entry("x")))
                    or exists (select from curation.contributor x
                        where x.id = n.contributor_id and \(ReputationStore.isVisible(scope, contributor: "x"))))
                """
        }
        let rows = try await connection.rows(
            """
            select n.id, n.text, a.name as author, n.written_at, m.seen_at is not null as is_seen, n.entry_id, n.submission_id,
                n.contributor_id, coalesce((select s.title from curation.submission s where s.id = n.submission_id),
                (select c.name from curation.contributor c where c.id = n.contributor_id), (
                    select r.content ->> 'title' from curation.revision r
                    where r.entry_id = n.entry_id order by r.number desc limit 1), '') as title
            from curation.mention m join curation.note n on n.id = m.note_id join ops.actor a on a.id = n.author_id
            where \(condition) order by m.note_id desc limit \(limit + 1)
            """, MentionRow.init)
        return Page(rows: rows, limit: limit) { Cursor([$0.note.uuidString.lowercased()]) }
    }

    /// The accounts that can see a submission, entry or contributor and may be mentioned in notes on it, by name; teams are small.
    package func readers(of subject: NoteSubject) async throws -> [(id: ID<Account>, name: String)] {
        try await connection.rows(
            """
            select a.id, n.name from ops.account a join ops.actor n on n.id = a.id
            where a.disabled_at is null
                and (ops.subject_in_scope(a.types, a.groups, \(subject.submission)::uuid, \(subject.entry)::uuid)
                    or ops.contributor_in_scope(a.types, a.groups, \(subject.contributor)::uuid))
            order by lower(n.name), a.id limit 1000
            """
        ) { (id: try $0("id"), name: try $0("name")) }
    }

    // MARK: Changes

    /// Writes one note on each subject; `mention_scope` rejects people who can't see it.
    package func add(
        _ text: String, _ kind: NoteRow.Kind, on subjects: [NoteSubject], mentioning accounts: [ID<Account>] = [],
        by actor: Actor
    ) async throws {
        try await connection.run(
            """
            with written as (
                insert into curation.note (submission_id, entry_id, contributor_id, kind, text, author_id)
                select s.submission, s.entry, s.contributor, \(kind.rawValue), \(text), \(actor.rowID)
                from unnest(\(subjects.map(\.submission))::uuid[], \(subjects.map(\.entry))::uuid[],
                    \(subjects.map(\.contributor))::uuid[]) s (submission, entry, contributor)
                returning id)
            insert into curation.mention (note_id, account_id)
            select w.id, a from written w, unnest(\(accounts)::uuid[]) a
            """)
    }

    /// Marks the mentions of this person on a submission, entry or contributor as seen.
    package func markSeen(_ subject: NoteSubject, by account: ID<Account>) async throws {
        try await connection.run(
            """
            update curation.mention m set seen_at = now() from curation.note n
            where n.id = m.note_id and n.\(Self.isAbout(subject)) and m.account_id = \(account) and m.seen_at is null
            """)
    }
}
