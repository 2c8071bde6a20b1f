// Checks everything an approval needs before anything is written.
import Domain
import Localization
import Store

/// Lookups are cached, so that a bulk action makes each of them once.
struct PrepareApproval: Sendable {
    private let database: any Stores
    private let rules: ContentRules
    private var names: (directory: CategoryDirectory, index: NameIndex)?
    private var trusted: [[ID<Entry>]: Bool] = [:]
    private var checkedCategories: Set<ID<Entry>> = []

    init(database: any Stores, rules: ContentRules) {
        self.database = database
        self.rules = rules
    }

    mutating func callAsFunction(
        _ submission: SubmissionRow, _ draft: Decision.Draft, by actor: Actor
    ) async throws -> ApprovalDraft {
        let type = try rules.type(named: submission.type)
        let fields = try submission.stored.readable()
        var raw = draft.edits ?? fields
        let feeds = draft.feeds.isEmpty ? Self.references(raw["feeds"]) : draft.feeds
        var categories = draft.categories.isEmpty ? Self.references(raw["categories"]) : draft.categories
        if categories.isEmpty { categories = [try await category(requested: submission.requestedCategory)] }
        if type.field("feeds") != nil { raw["feeds"] = .array(feeds.map { .string($0.description) }) }
        if type.field("categories") != nil { raw["categories"] = .array(categories.map { .string($0.description) }) }
        raw = try await ResolveCatalogReferences.resolve(raw, of: type, database)
        let checked = try await rules.checked(raw, as: type, for: .revision, keeping: fields)
        try await check(categories)
        let isTrusted = try await mayPublish(feeds, actor)
        if !isTrusted, draft.publishTiming != .approveOnly {
            let problem =
                feeds.isEmpty ? tr("You may not publish without a feed.") : tr("You may not publish into these feeds.")
            throw Failure.forbidden("\(problem) \(PublishTiming.alternative(for: actor))")
        }
        let wasEdited = draft.edits.map { $0 != fields } ?? false
        return ApprovalDraft(
            submission: submission, type: type, content: checked.content, texts: checked.texts,
            warnings: checked.warnings,
            publishTiming: draft.publishTiming, approves: isTrusted || actor.may(.approve),
            author: wasEdited ? actor : Actor(kind: .visitor, name: "contributor"), approver: actor)
    }

    /// Publishers always may; all others only into feeds that publish on approval. API clients also may without a feed.
    private mutating func mayPublish(_ feeds: [ID<Entry>], _ actor: Actor) async throws -> Bool {
        if PublishTiming.now.isAllowed(for: actor) { return true }
        if feeds.isEmpty { return actor.kind == .client }
        if let known = trusted[feeds] { return known }
        let isTrusted = try await database.entries.publishOnApproval(feeds)
        trusted[feeds] = isTrusted
        return isTrusted
    }

    /// The requested category if one has that name; otherwise the seeded "Unsorted" (A8). Throws for a name of several.
    private mutating func category(requested: String?) async throws -> ID<Entry> {
        guard let requested, !requested.isEmpty else { return SeedEntry.unsorted }
        let known: (directory: CategoryDirectory, index: NameIndex)
        if let names {
            known = names
        } else {
            let directory = try await CategoryDirectory.load(database)
            known = (directory, directory.names())
        }
        names = known
        switch known.index.find(requested) {
        case .one(let id): return id
        case .unknown: return SeedEntry.unsorted
        case .several(let ids):
            let choices = ids.compactMap { known.directory.find($0)?.slug }.joined(separator: ", ")
            let message = tr("“\(requested)” is the name of several categories: \(choices). Choose one.")
            throw Failure.invalid(FieldErrors("/fields/categories", "ambiguous", message))
        }
    }

    private mutating func check(_ categories: [ID<Entry>]) async throws {
        if checkedCategories.isSuperset(of: categories) { return }
        if let archived = try await database.entries.archivedCategories(among: categories).first {
            let message = tr(
                "The category \"\(archived.title)\" (\(archived.id)) is archived. Choose another category.")
            throw Failure.invalid(FieldErrors("/fields/categories", "archived", message))
        }
        checkedCategories.formUnion(categories)
    }

    private static func references(_ value: JSONValue?) -> [ID<Entry>] {
        (value?.arrayValue ?? []).compactMap { $0.stringValue.flatMap(ID<Entry>.init) }
    }
}

extension PublishTiming {
    /// What an actor can choose instead of publishing.
    fileprivate static func alternative(for actor: Actor) -> String {
        actor.kind == .account
            ? tr("Choose “\(approveOnlyLabel(for: actor))”.", context: "publish timing")
            : tr("Approve without publishing instead.")
    }
}
