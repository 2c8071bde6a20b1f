// Writes many entries at once, identified by the ids of an external source.
import Domain
import FoundationEssentials
import Localization
import Postgres

/// An entry created by an earlier import.
package struct ImportedEntry: Sendable {
    package let entry: ID<Entry>
    package let number: Int
    package let stored: StoredFields
    package let isLive: Bool
    /// It was published once; when it is not live now, it was unpublished.
    package let wasLive: Bool

    package var content: Content { Content(fields: stored.values) }
}

/// One entry to create or update; the caller generates the ids.
package struct ImportedDraft: Sendable {
    package let entry: ID<Entry>
    package let revision: ID<Revision>
    /// 0 creates the entry.
    package let base: Int
    package var content: Content
    package let texts: DerivedTexts
    /// Nil without an external source.
    package let externalID: String?
    /// The submission that it was created from.
    package let submission: ID<Submission>?
    /// Who wrote the content and who approved it; nil for the actor of the transaction.
    package let author: Actor?
    package let approver: Actor?
    package let isApproved: Bool

    package init(
        entry: ID<Entry>, revision: ID<Revision>, base: Int, content: Content, texts: DerivedTexts,
        externalID: String? = nil,
        submission: ID<Submission>? = nil, author: Actor? = nil, approver: Actor? = nil, isApproved: Bool
    ) {
        self.entry = entry
        self.revision = revision
        self.base = base
        self.content = content
        self.texts = texts
        self.externalID = externalID
        self.submission = submission
        self.author = author
        self.approver = approver
        self.isApproved = isApproved
    }
}

/// The names by which a file may reference an entry: its slug, its title, and the other names of a category.
package struct EntryName: Sendable {
    package let id: ID<Entry>
    package let slug: String
    package let title: String
    package let otherNames: [String]
    package let isLive: Bool
    /// It was published once and is not any more.
    package let isArchived: Bool
    /// The category that it was merged into.
    package let mergedInto: ID<Entry>?
}

package struct ImportStore: Sendable {
    let connection: StoreConnection

    /// The entries of a kind with the names that may reference them.
    package func names(of kind: ContentType.Kind) async throws -> [EntryName] {
        try await connection.rows(
            """
            select e.id, coalesce(n.content ->> 'slug', '') as slug, n.content ->> 'title' as title,
                jsonb_build_object('synonyms', n.content -> 'synonyms', 'names', n.content -> 'names') as other_names,
                exists (select from curation.live l where l.entry_id = e.id) as is_live,
                curation.is_archived(e.id) as is_archived, n.content ->> 'merged_into' as merged_into
            from curation.entry e
            cross join lateral (
                select content from curation.revision r where r.entry_id = e.id order by r.number desc limit 1) n
            where e.kind = \(kind.rawValue) order by e.id
            """
        ) { row in
            EntryName(
                id: try row("id"), slug: try row("slug"), title: try row("title"),
                otherNames: OtherNames(try row("other_names")).all, isLive: try row("is_live"),
                isArchived: try row("is_archived"),
                mergedInto: (try row("merged_into") as String?).flatMap { ID<Entry>($0) })
        }
    }

    /// The entries with these ids of a source.
    package func find(_ ids: [String], type: String, source: String) async throws -> [String: ImportedEntry] {
        let rows = try await connection.rows(
            """
            select x.external_id, x.entry_id, n.number, n.content,
                exists (select from curation.live l where l.entry_id = x.entry_id) as is_live,
                exists (select from curation.publication_change c where c.entry_id = x.entry_id) as was_live
            from curation.external_id x
            cross join lateral (
                select number, content from curation.revision r
                where r.entry_id = x.entry_id order by r.number desc limit 1) n
            where x.type = \(type) and x.source = \(source) and x.external_id = any(\(ids)::text[])
            """
        ) { row in
            (
                try row("external_id") as String,
                ImportedEntry(
                    entry: try row("entry_id"), number: try row("number"),
                    stored: try row("content"), isLive: try row("is_live"), wasLive: try row("was_live"))
            )
        }
        return Dictionary(rows) { first, _ in first }
    }

    /// The ids among these for which a source has an entry. Such an entry is never deleted.
    package func known(_ ids: [String], type: String, source: String) async throws -> Set<String> {
        Set(
            try await connection.rows(
                """
                select external_id from curation.external_id
                where type = \(type) and source = \(source) and external_id = any(\(ids)::text[])
                """
            ) { try $0("external_id") as String })
    }

    /// The slugs among these that are in use.
    func existing(_ slugs: [String], kind: ContentType.Kind) async throws -> Set<String> {
        Set(
            try await connection.rows(
                """
                select slug from curation.slug where kind = \(kind.rawValue) and slug = any(\(slugs)::text[])
                """
            ) { try $0("slug") as String })
    }

    /// Waits for other imports of the same source: two at once would create everything twice.
    func lock(type: String, source: String) async throws {
        try await connection.run(
            "select pg_advisory_xact_lock(hashtextextended(\("vitrine.import \(type) \(source)"), 0))")
    }

    /// The statements of up to so many drafts travel together, so that they share a deadline as well.
    private static let smallBatch = 64

    private func send(_ statement: SQL, of drafts: [ImportedDraft]) async throws {
        if drafts.count <= Self.smallBatch {
            try await connection.runLater(statement)
        } else {
            try await connection.run(statement)
        }
    }

    /// Writes entries, slugs, revisions, references and approvals, one statement for each. All have run when it returns.
    func write(
        _ drafts: [ImportedDraft], type: ContentType, source: String?, note: String, by actor: Actor
    ) async throws {
        func authors(_ drafts: [ImportedDraft]) -> [UUID] { drafts.map { ($0.author ?? actor).rowID } }
        let created = drafts.filter { $0.base == 0 }
        try await send(
            """
            insert into curation.entry (id, type, kind, submission_id, created_by)
            select id, \(type.name), \(type.kind.rawValue), s, a
            from unnest(\(created.map(\.entry))::uuid[], \(created.map(\.submission))::uuid[], \(authors(created))::uuid[]) u (id, s, a)
            """, of: drafts)
        if let source {
            try await send(
                """
                insert into curation.external_id (type, source, external_id, entry_id)
                select \(type.name), \(source), x, e
                from unnest(\(created.map(\.externalID))::text[], \(created.map(\.entry))::uuid[]) u (x, e)
                """, of: drafts)
        }
        if let field = type.slugField {
            let slugs = created.map { $0.content.fields[field]?.stringValue ?? "" }
            let written = try await connection.run(
                """
                insert into curation.slug (kind, slug, entry_id)
                select \(type.kind.rawValue), s, e from unnest(\(slugs)::text[], \(created.map(\.entry))::uuid[]) u (s, e)
                on conflict (kind, slug) do nothing
                """)
            if written != created.count {
                throw Failure.conflict(
                    code: "busy", message: tr("Another entry took one of the slugs in the meantime. Try again."))
            }
        }
        try await send(
            """
            insert into curation.revision (id, entry_id, number, content, preview, plain, html, content_hash, author_id, note)
            select r, e, n, c::jsonb, v::jsonb, p, h::jsonb, sha256(convert_to(c, 'UTF8')), a, \(note)
            from unnest(\(drafts.map(\.revision))::uuid[], \(drafts.map(\.entry))::uuid[],
                \(drafts.map { $0.base + 1 })::integer[], \(drafts.map(\.content.canonicalText))::text[],
                \(drafts.map { JSONValue.object($0.content.preview(in: type)).canonicalText })::text[],
                \(drafts.map(\.texts.plain))::text[], \(drafts.map(\.texts.storedHTML))::text[], \(authors(drafts))::uuid[])
                u (r, e, n, c, v, p, h, a)
            """, of: drafts)
        try await writeReferences(drafts, type)
        try await MediaStore(connection: connection).addUses(
            drafts.flatMap { draft in
                draft.content.imageUses(of: type).map { (revision: draft.revision, use: $0) }
            })
        try await approve(drafts.filter(\.isApproved), by: actor)
    }

    private func approve(_ approved: [ImportedDraft], by actor: Actor) async throws {
        let approvers = approved.map { $0.approver ?? actor }
        try await send(
            """
            insert into curation.approval (revision_id, stage, actor_id, actor_role)
            select r, 1, a, o
            from unnest(\(approved.map(\.revision))::uuid[], \(approvers.map(\.rowID))::uuid[],
                \(approvers.map { $0.role?.name ?? $0.kind.rawValue })::text[]) u (r, a, o)
            """, of: approved)
        try await connection.run(
            """
            insert into curation.publish_approval (revision_id, entry_id)
            select * from unnest(\(approved.map(\.revision))::uuid[], \(approved.map(\.entry))::uuid[])
            """)
    }

    private func writeReferences(_ drafts: [ImportedDraft], _ type: ContentType) async throws {
        let references = drafts.flatMap { draft in
            draft.content.references(of: type).map { reference in
                (
                    revision: draft.revision, reference: reference,
                    within: draft.content.within(reference.field, of: type)
                )
            }
        }
        try await send(
            """
            insert into curation.reference (revision_id, field, position, target_entry_id, counted, within_entry_id)
            select * from unnest(\(references.map(\.revision))::uuid[], \(references.map(\.reference.field))::text[],
                \(references.map { $0.reference.position + 1 })::integer[], \(references.map(\.reference.id))::uuid[],
                \(references.map(\.reference.counted))::boolean[],
                \(references.map(\.within))::uuid[])
            """, of: drafts)
        let undeclared = drafts.filter { $0.base > 0 && !type.undeclared(in: $0.content.fields).isEmpty }
        if !undeclared.isEmpty {
            try await RevisionStore(connection: connection).keepReferences(of: undeclared.map(\.revision), type)
        }
    }
}

extension AuditedTransaction {
    /// The entries with these ids; other imports of the same source wait until the transaction ends.
    package func imported(_ ids: [String], type: String, source: String) async throws -> [String: ImportedEntry] {
        try await imports.lock(type: type, source: source)
        return try await imports.find(ids, type: type, source: source)
    }

    /// Writes the drafts. Each created entry gets a slug from its title, from its title and street or country, or from
    /// its id. `source` is nil without an external source.
    package func write(
        _ drafts: [ImportedDraft], type: ContentType, source: String?, note: String
    ) async throws {
        if drafts.isEmpty { return }
        try await entries.checkTargets(of: drafts.map(\.content), type)
        var drafts = drafts
        if let field = type.slugField {
            let candidates = drafts.map { $0.base == 0 ? Self.slugs(for: $0, type) : [] }
            var used = try await imports.existing(candidates.flatMap(\.self), kind: type.kind)
            for (index, slugs) in candidates.enumerated() {
                guard let slug = slugs.first(where: { !used.contains($0) }) else { continue }
                used.insert(slug)
                var fields = drafts[index].content.fields
                fields[field] = .string(slug)
                drafts[index].content = Content(fields: fields)
            }
        }
        try await imports.write(drafts, type: type, source: source, note: note, by: actor)
    }

    private static func slugs(for draft: ImportedDraft, _ type: ContentType) -> [String] {
        let title = draft.content.title(in: type)
        let written = type.slugField.flatMap { draft.content.fields[$0]?.stringValue }
        let further = ["address", "country"].compactMap { draft.content.fields[$0]?.stringValue }
            .map { Slug.make(from: "\(title) \($0)") }
        let created = Slug.candidates(from: title, for: draft.entry)
        return [written, created.first].compactMap { $0 } + further + created.dropFirst()
    }
}
