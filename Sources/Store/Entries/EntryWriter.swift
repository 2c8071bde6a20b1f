// Writes a revision with everything that belongs to it: the entry, its slug, its references.
import Domain
import Localization

/// Validated content of an entry, to be entered as revision `base` + 1; `base` 0 creates the entry.
package struct EntryDraft: Sendable {
    package var entry: ID<Entry>?
    package var type: ContentType
    package var content: Content
    package var texts: DerivedTexts
    package var base: Int
    package var note: String
    package var submission: ID<Submission>?
    /// The author of the content, when that is not the actor of the transaction.
    package var author: Actor?

    package init(
        entry: ID<Entry>? = nil, type: ContentType, content: Content, texts: DerivedTexts, base: Int = 0,
        note: String = "",
        submission: ID<Submission>? = nil, author: Actor? = nil
    ) {
        self.entry = entry
        self.type = type
        self.content = content
        self.texts = texts
        self.base = base
        self.note = note
        self.submission = submission
        self.author = author
    }
}

extension EntryDraft {
    /// Whether it may be written as an `ImportedDraft`, together with others: it needs no derived rows of packs.
    package var isBatchable: Bool {
        content.catalogUses(of: type).isEmpty && !type.fields.contains { $0.type == .path }
    }
}

package struct WrittenRevision: Sendable {
    package let entry: ID<Entry>
    package let revision: ID<Revision>
    package let number: Int

    package init(entry: ID<Entry>, revision: ID<Revision>, number: Int) {
        self.entry = entry
        self.revision = revision
        self.number = number
    }

    /// Publishes it.
    package var change: LiveChange { LiveChange(entry: entry, revision: revision) }
}

extension RevisionRow {
    package var written: WrittenRevision { WrittenRevision(entry: entry, revision: id, number: number) }
}

extension AuditedTransaction {
    /// Writes the draft. References must lead to entries of the types that their fields take. `revision_once` rejects it with a conflict when `base` is not the newest revision.
    package func write(_ draft: EntryDraft) async throws -> WrittenRevision {
        let author = draft.author ?? actor
        let entry =
            if let existing = draft.entry {
                existing
            } else {
                try await entries.add(type: draft.type, submission: draft.submission, by: author)
            }
        var draft = draft
        try await entries.checkTargets(of: [draft.content], draft.type)
        draft.content = try await media.completing(draft.content, of: draft.type)
        let content = try await withSlug(draft, entry: entry)
        if PlainText.isBlank(draft.note), draft.type.requiresNote {
            let message = tr(
                "Enter a note that describes the change. Entries of the type \(draft.type.label) require one.")
            throw Failure.invalid(FieldErrors("/note", "required", message))
        }
        if PlainText.isBlank(draft.note) { draft.note = try await note(on: content, draft, entry: entry) }
        let revision = try await revisions.add(
            NewRevision(entry: entry, number: draft.base + 1, content: content, texts: draft.texts, note: draft.note),
            type: draft.type, by: author.rowID)
        return WrittenRevision(entry: entry, revision: revision, number: draft.base + 1)
    }

    /// The default note of a revision (B2): no revision is without one.
    private func note(on content: Content, _ draft: EntryDraft, entry: ID<Entry>) async throws -> String {
        if draft.base == 0 { return draft.submission == nil ? "Created" : "Approved" }
        let before = try await revisions.find(entry, number: draft.base)?.content
        let labels = draft.type.fields.filter { before?.fields[$0.name] != content.fields[$0.name] }.map(\.label)
        return labels.isEmpty ? "Saved without changes" : "Changed: \(labels.joined(separator: ", "))"
    }

    /// Approves the revision for the actor and, when there are enough approvals, makes it publishable. Returns whether
    /// it is publishable now.
    @discardableResult
    package func approve(_ revision: ID<Revision>) async throws -> Bool {
        try await approve([revision]).publishable.contains(revision)
    }

    /// The same for several revisions. `given` are the ones that the actor had not approved before.
    package func approve(_ revisions: [ID<Revision>]) async throws -> (
        given: Set<ID<Revision>>, publishable: Set<ID<Revision>>
    ) {
        let given = try await self.revisions.addApproval(to: revisions, by: actor)
        return (given, try await self.revisions.approve(revisions))
    }

    /// The content with its slug: the entered one, which must be available, or one generated from the title.
    private func withSlug(_ draft: EntryDraft, entry: ID<Entry>) async throws -> Content {
        guard let field = draft.type.slugField else { return draft.content }
        var fields = draft.content.fields
        if let entered = fields[field]?.stringValue, !entered.isEmpty {
            guard try await entries.reserve(slug: entered, kind: draft.type.kind, for: entry) else {
                throw Failure.invalid(
                    FieldErrors(
                        "/fields/\(field)", "taken",
                        tr("The slug \"\(entered)\" is used by another entry. Choose another.")
                    ))
            }
            return draft.content
        }
        for candidate in Slug.candidates(from: draft.content.title(in: draft.type), for: entry)
        where try await entries.reserve(slug: candidate, kind: draft.type.kind, for: entry) {
            fields[field] = .string(candidate)
            break
        }
        return Content(fields: fields)
    }
}
