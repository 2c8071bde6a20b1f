// Writes the next revision of a category, a group or an item, and publishes it as far as the actor may.
import Domain
import Localization
import Store

struct EditRevision: Sendable {
    let draft: EntryDraft
    /// Only a published entry is published again; a draft or an unpublished entry keeps its state.
    let isPublished: Bool

    /// `edit` receives the fields of the newest revision.
    init(
        on newest: RevisionRow, of kind: ContentType.Kind = .category, _ rules: ContentRules, note: String,
        edit: (inout [String: JSONValue]) -> Void
    ) async throws {
        try await self.init(on: newest, as: EditRevision.type(rules, kind), rules, note: note, edit: edit)
    }

    /// The same for an entry of any type.
    init(
        on newest: RevisionRow, as type: ContentType, _ rules: ContentRules, note: String,
        edit: (inout [String: JSONValue]) -> Void
    ) async throws {
        let stored = try newest.stored.readable()
        var fields = stored
        edit(&fields)
        let checked = try await rules.checked(fields, as: type, for: .revision, keeping: stored)
        draft = EntryDraft(
            entry: newest.entry, type: type, content: checked.content, texts: checked.texts, base: newest.number,
            note: note)
        isPublished = newest.isLive
    }

    /// The first revision of a new category.
    init(new fields: [String: JSONValue], _ rules: ContentRules, note: String) async throws {
        let type = try EditRevision.type(rules)
        let checked = try await rules.checked(fields, as: type, for: .revision)
        draft = EntryDraft(type: type, content: checked.content, texts: checked.texts, note: note)
        isPublished = true
    }

    static func type(_ rules: ContentRules, _ kind: ContentType.Kind = .category) throws -> ContentType {
        guard let type = rules.types.all.first(where: { $0.kind == kind }) else {
            throw Failure.missing(tr("content type for categories"))
        }
        return type
    }

    /// The newest revision of an entry of one of these kinds.
    static func newest(
        _ id: ID<Entry>, as kinds: [ContentType.Kind] = [.category], _ database: Database
    ) async throws -> (revision: RevisionRow, kind: ContentType.Kind) {
        guard let entry = try await database.entries.find(id), kinds.contains(entry.kind),
            let newest = try await database.revisions.newest(of: id)
        else { throw Failure.missing("category") }
        return (newest, entry.kind)
    }

    /// Writes all revisions and publishes them together as `timing` says. `seen` is the digest of the plan that the
    /// actor reviewed (`AuditedTransaction.publish`).
    static func write(
        _ revisions: [EditRevision], _ timing: PublishTiming, seen: String? = nil, note: String,
        _ transaction: AuditedTransaction
    ) async throws -> ChangeOutcome {
        try await transaction.lock(for: timing)
        var all: [WrittenRevision] = []
        var changes: [LiveChange] = []
        for revision in revisions {
            let written = try await transaction.write(revision.draft)
            all.append(written)
            if timing == .draft || timing == .now && !revision.isPublished { continue }
            let isApproved = try await transaction.approve(written.revision)
            if isApproved || timing != .now { changes.append(written.change) }
        }
        guard let first = all.first else { throw Failure.refused(code: "unchanged", message: tr("Nothing changed.")) }
        let published = try await transaction.publish(changes, timing, seen: seen, title: note)
        return ChangeOutcome(
            entry: first.entry, others: all.dropFirst().map(\.entry), revision: first.number,
            isApproved: changes.count == all.count, drafts: all.count - changes.count, published)
    }

    /// The timing as far as the actor may choose it, checked before anything is written.
    static func check(_ timing: PublishTiming, by actor: Actor, _ database: Database) async throws -> PublishTiming {
        let timing = timing.orDraft(for: actor)
        try await timing.check(by: actor, database)
        return timing
    }
}
