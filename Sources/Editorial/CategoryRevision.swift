// The next revision of a category, and how far those who write it may take it.
import Domain
import Store

/// How many categories were changed, and how far they got.
package struct CategoryOutcome: Sendable {
    package let published: Int
    /// New versions that wait for somebody who may publish.
    package let drafts: Int
    package let publication: Int64?
}

struct CategoryRevision: Sendable {
    let draft: EntryDraft
    /// Only what readers see already is published along; a category that waits or was withdrawn stays where it is.
    let isOnLive: Bool

    /// `change` gets the fields of the newest revision.
    init(
        on newest: RevisionRow, _ rules: ContentRules, note: String, change: (inout [String: JSONValue]) -> Void
    ) throws {
        let type = try CategoryRevision.type(rules)
        var fields = newest.content.fields
        change(&fields)
        let content = try rules.check(fields, as: type, for: .revision)
        draft = EntryDraft(
            entry: newest.entry, type: type, content: content, plain: rules.plain(content, in: type),
            base: newest.number, note: note)
        isOnLive = newest.isLive
    }

    static func type(_ rules: ContentRules) throws -> ContentType {
        guard let type = rules.types.all.first(where: { $0.kind == .category }) else {
            throw Failure.missing("content type for categories")
        }
        return type
    }

    /// The newest revision of an entry that is a category.
    static func newest(_ id: ID<Entry>, _ database: Database) async throws -> RevisionRow {
        guard let entry = try await database.entries.find(id), entry.kind == .category,
            let newest = try await database.revisions.newest(of: id)
        else { throw Failure.missing("category") }
        return newest
    }

    /// Writes all of them and publishes, together, those that the actor may publish.
    static func write(_ revisions: [CategoryRevision], note: String, _ change: Change) async throws -> CategoryOutcome {
        var live: [LiveChange] = []
        for revision in revisions {
            let written = try await change.write(revision.draft)
            guard change.actor.may(.publish), revision.isOnLive,
                try await change.approve(written.revision, of: written.entry)
            else { continue }
            live.append(LiveChange(entry: written.entry, revision: written.revision))
        }
        let number =
            live.isEmpty ? nil : try await change.publications.publish(.these(live), note: note, by: change.actor)
        return CategoryOutcome(published: live.count, drafts: revisions.count - live.count, publication: number)
    }
}
