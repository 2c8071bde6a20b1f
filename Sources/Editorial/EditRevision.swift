// The next revision of what an action edits (categories, groups, items in an order), and how far its actor may take it.
import Domain
import Store

/// How many entries were changed, and how far they got.
package struct EditOutcome: Sendable {
    package let published: Int
    /// New versions that wait for somebody who may publish.
    package let drafts: Int
    package let publication: Int64?
    /// The release that they are in.
    package let release: Int64?
    /// The entry, where the action was about one.
    package var entry: ID<Entry>?
}

struct EditRevision: Sendable {
    let draft: EntryDraft
    /// Only what readers see already is published along; what waits or was withdrawn stays where it is.
    let isOnLive: Bool

    /// `change` gets the fields of the newest revision.
    init(
        on newest: RevisionRow, of kind: ContentType.Kind = .category, _ rules: ContentRules, note: String,
        change: (inout [String: JSONValue]) -> Void
    ) throws {
        try self.init(on: newest, as: EditRevision.type(rules, kind), rules, note: note, change: change)
    }

    /// The same of an entry of any type.
    init(
        on newest: RevisionRow, as type: ContentType, _ rules: ContentRules, note: String,
        change: (inout [String: JSONValue]) -> Void
    ) throws {
        var fields = newest.content.fields
        change(&fields)
        let content = try rules.check(fields, as: type, for: .revision)
        draft = EntryDraft(
            entry: newest.entry, type: type, content: content, plain: rules.plain(content, in: type),
            base: newest.number, note: note)
        isOnLive = newest.isLive
    }

    /// The first revision of a new category.
    init(new fields: [String: JSONValue], _ rules: ContentRules, note: String) throws {
        let type = try EditRevision.type(rules)
        let content = try rules.check(fields, as: type, for: .revision)
        draft = EntryDraft(type: type, content: content, plain: rules.plain(content, in: type), note: note)
        isOnLive = true
    }

    static func type(_ rules: ContentRules, _ kind: ContentType.Kind = .category) throws -> ContentType {
        guard let type = rules.types.all.first(where: { $0.kind == kind }) else {
            throw Failure.missing("content type for categories")
        }
        return type
    }

    /// The newest revision of an entry that is a category, or of another kind where that is said.
    static func newest(
        _ id: ID<Entry>, as kinds: [ContentType.Kind] = [.category], _ database: Database
    ) async throws -> (revision: RevisionRow, kind: ContentType.Kind) {
        guard let entry = try await database.entries.find(id), kinds.contains(entry.kind),
            let newest = try await database.revisions.newest(of: id)
        else { throw Failure.missing("category") }
        return (newest, entry.kind)
    }

    /// Writes all of them, and takes them as far as `timing` says and the actor may: together in one publication or release.
    static func write(
        _ revisions: [EditRevision], _ timing: EditTiming, seen: String? = nil, note: String, _ change: Change
    ) async throws -> EditOutcome {
        var going: [LiveChange] = []
        var entries: [ID<Entry>] = []
        if case .now = timing, change.actor.may(.publish) { _ = try await change.publications.lock() }
        for revision in revisions {
            let written = try await change.write(revision.draft)
            entries.append(written.entry)
            switch timing {
            case .draft: continue
            case .now:
                guard change.actor.may(.publish), revision.isOnLive,
                    try await change.approve(written.revision, of: written.entry)
                else { continue }
            case .release, .at:
                if change.actor.may(.approve) { try await change.approve(written.revision, of: written.entry) }
            }
            going.append(LiveChange(entry: written.entry, revision: written.revision))
        }
        var outcome = try await publishTiming(
            going, drafts: revisions.count - going.count, timing, seen: seen, note: note, change)
        if entries.count == 1 { outcome.entry = entries[0] }
        return outcome
    }

    /// Publishes these changes, or puts them into a release. `seen` is the digest of a plan that somebody looked at: when
    /// publishing would write other rows by now, nothing is done, and the conflict is `plan_moved`.
    static func publishTiming(
        _ changes: [LiveChange], drafts: Int = 0, _ timing: EditTiming, seen: String? = nil, note: String,
        _ change: Change
    ) async throws -> EditOutcome {
        var publication: Int64?
        var release: Int64?
        switch timing {
        case .draft: break
        case .now:
            if !changes.isEmpty {
                if let seen {
                    // Under the lock nothing moves any more.
                    _ = try await change.publications.lock()
                    guard try await change.publications.plan(.these(changes), limit: 0).digest == seen else {
                        throw Failure.conflict(
                            code: "plan_moved",
                            message:
                                "Nothing was done: other things have changed since you looked. This is the plan now."
                        )
                    }
                }
                publication = try await change.publications.publish(.these(changes), note: note, by: change.actor)
            }
        case .release(let number):
            guard let found = try await change.releases.find(number: number) else { throw Failure.missing("release") }
            guard try await change.releases.hold(found.id) else {
                throw Failure.conflict(
                    code: "release_finished", message: "Release \(number) is \(found.state.rawValue) already.")
            }
            try await change.releases.put(changes, into: found.id)
            release = number
        case .at(let time):
            release = try await change.releases.add(title: note, time: time, holding: changes, by: change.actor).number
        }
        return EditOutcome(
            published: publication == nil ? 0 : changes.count, drafts: drafts, publication: publication,
            release: release, entry: changes.count == 1 ? changes[0].entry : nil)
    }

    /// Refuses what the actor may not do, and times that there are not, before anything is written.
    static func check(_ timing: EditTiming, by actor: Actor, _ database: Database) async throws {
        switch timing {
        case .now, .draft: return
        case .release: try actor.require(.makeRelease, "put changes into releases")
        case .at(let time):
            try actor.require(.publish, "schedule publications")
            _ = try await database.releases.instant(of: time)
        }
    }
}
