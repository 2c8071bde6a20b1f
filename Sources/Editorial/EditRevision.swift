// Writes the next revision of a category, a group or a feed item, and publishes it as far as the actor may.
import Domain
import Store

/// How many entries were edited, and what was published.
package struct EditOutcome: Sendable {
    package let published: Int
    /// New versions that are not published yet.
    package let drafts: Int
    package let publication: Int64?
    /// The number of the release that the edits were added to.
    package let release: Int64?
    /// The edited entries, in the order of the edits.
    package var entries: [ID<Entry>]
    /// Set when exactly one entry was edited.
    package var entry: ID<Entry>? { entries.count == 1 ? entries[0] : nil }
}

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
        var fields = newest.content.fields
        edit(&fields)
        let checked = try await rules.checked(fields, as: type, for: .revision)
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
            throw Failure.missing("content type for categories")
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

    /// Writes all revisions and publishes them as `timing` says, as far as the actor may: in one publication or
    /// release.
    static func write(
        _ revisions: [EditRevision], _ timing: EditTiming, seen: String? = nil, note: String,
        _ transaction: AuditedTransaction
    ) async throws -> EditOutcome {
        var changes: [LiveChange] = []
        var entries: [ID<Entry>] = []
        if case .now = timing, transaction.actor.may(.publish) { _ = try await transaction.publications.lock() }
        for revision in revisions {
            let written = try await transaction.write(revision.draft)
            entries.append(written.entry)
            switch timing {
            case .draft: continue
            case .now:
                guard transaction.actor.may(.publish), revision.isPublished,
                    try await transaction.approve(written.revision, of: written.entry)
                else { continue }
            case .release, .at:
                if transaction.actor.may(.approve) {
                    try await transaction.approve(written.revision, of: written.entry)
                }
            }
            changes.append(LiveChange(entry: written.entry, revision: written.revision))
        }
        var outcome = try await publish(
            changes, drafts: revisions.count - changes.count, timing, seen: seen, note: note, transaction)
        outcome.entries = entries
        return outcome
    }

    /// Publishes these changes, or adds them to a release. `seen` is the digest of the plan that the actor reviewed:
    /// when publishing would now write other rows, nothing is done and the conflict is `plan_changed`.
    static func publish(
        _ changes: [LiveChange], drafts: Int = 0, _ timing: EditTiming, seen: String? = nil, note: String,
        _ transaction: AuditedTransaction
    ) async throws -> EditOutcome {
        var publication: Int64?
        var release: Int64?
        switch timing {
        case .draft: break
        case .now:
            if !changes.isEmpty {
                if let seen {
                    // Under the lock the plan can't change any more.
                    _ = try await transaction.publications.lock()
                    guard try await transaction.publications.plan(.listed(changes), limit: 0).digest == seen else {
                        throw Failure.conflict(
                            code: "plan_changed",
                            message:
                                "The plan has changed since you saw it. Nothing was published. Review the new plan."
                        )
                    }
                }
                publication = try await transaction.publications.publish(
                    .listed(changes), note: note, by: transaction.actor)
            }
        case .release(let number):
            guard let found = try await transaction.releases.find(number: number) else {
                throw Failure.missing("release")
            }
            try await transaction.lock(found)
            try await transaction.releases.addItems(changes, to: found.id)
            release = number
        case .at(let time):
            release = try await transaction.releases.add(title: note, time: time, items: changes, by: transaction.actor)
                .number
        }
        return EditOutcome(
            published: publication == nil ? 0 : changes.count, drafts: drafts, publication: publication,
            release: release, entries: changes.map(\.entry))
    }

    /// Checks the actor's permission and the time before anything is written.
    static func check(_ timing: EditTiming, by actor: Actor, _ database: Database) async throws {
        switch timing {
        case .now, .draft: return
        case .release: try actor.require(.createRelease, "add changes to releases")
        case .at(let time):
            try actor.require(.publish, "schedule publications")
            _ = try await database.releases.instant(of: time)
        }
    }
}
