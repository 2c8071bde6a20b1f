// Checks all that accepting a submission needs, before anything is written.
import Domain
import Store

/// What is asked once for many submissions is remembered from one to the next.
struct PrepareApproval: Sendable {
    private let database: any Stores
    private let rules: ContentRules
    private let actor: Actor
    private var directory: CategoryDirectory?
    private var trusted: [[ID<Entry>]: Bool] = [:]
    private var checkedTime: WallTime?

    init(database: any Stores, rules: ContentRules, by actor: Actor) {
        self.database = database
        self.rules = rules
        self.actor = actor
    }

    mutating func callAsFunction(_ submission: SubmissionRow, _ draft: Decision.Draft) async throws -> ApprovalDraft {
        let type = try rules.type(named: submission.type)
        var raw = draft.edits ?? submission.fields
        let feeds = draft.feeds.isEmpty ? Self.references(raw["feeds"]) : draft.feeds
        var categories = draft.categories.isEmpty ? Self.references(raw["categories"]) : draft.categories
        if categories.isEmpty { categories = [try await category(requested: submission.requestedCategory)] }
        if type.field("feeds") != nil { raw["feeds"] = .array(feeds.map { .string($0.description) }) }
        if type.field("categories") != nil { raw["categories"] = .array(categories.map { .string($0.description) }) }
        let content = try rules.check(raw, as: type, for: .revision)
        if case .at(let time) = draft.publishTiming, time != checkedTime {
            _ = try await database.releases.instant(of: time)
            checkedTime = time
        }
        let isTrusted = try await mayPublish(feeds)
        if !isTrusted, draft.publishTiming != .approveOnly {
            throw Failure.forbidden(
                "You may not publish into these feeds; choose \"approve later\", and an editor will see it.")
        }
        let wasEdited = draft.edits.map { $0 != submission.fields } ?? false
        return ApprovalDraft(
            submission: submission, type: type, content: content, plain: rules.plain(content, in: type),
            publishTiming: draft.publishTiming, approves: isTrusted || actor.may(.approve),
            author: wasEdited ? actor : Actor(kind: .system, name: "contributor"))
    }

    /// Publishers may always; others into feeds that go live on approval. A tool that reviews may also without a feed.
    private mutating func mayPublish(_ feeds: [ID<Entry>]) async throws -> Bool {
        if actor.may(.publish) { return true }
        if feeds.isEmpty { return actor.kind == .client }
        if let known = trusted[feeds] { return known }
        let isTrusted = try await database.entries.publishOnApproval(feeds)
        trusted[feeds] = isTrusted
        return isTrusted
    }

    /// The category that was wished for, where there is one of that name; the seeded "Unsorted" otherwise (A8).
    private mutating func category(requested: String?) async throws -> ID<Entry> {
        guard let requested, !requested.isEmpty else { return SeedEntry.unsorted }
        let known: CategoryDirectory
        if let directory { known = directory } else { known = try await CategoryDirectory.load(database) }
        directory = known
        return known.meant(by: requested)?.id ?? SeedEntry.unsorted
    }

    private static func references(_ value: JSONValue?) -> [ID<Entry>] {
        (value?.arrayValue ?? []).compactMap { $0.stringValue.flatMap(ID<Entry>.init) }
    }
}
