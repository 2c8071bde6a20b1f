// Checks everything an approval needs before anything is written.
import Domain
import Localization
import Store

/// Lookups are cached, so that a bulk action makes each of them once.
struct PrepareApproval: Sendable {
    private let database: any Stores
    private let rules: ContentRules
    private var known: (directory: CategoryDirectory, names: NameIndex)?
    private var trusted: [[ID<Entry>]: Bool] = [:]
    /// Neither archived nor merged.
    private var assignable: Set<ID<Entry>> = []

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
        categories = try await assigned(categories)
        if type.field("feeds") != nil { raw["feeds"] = .array(feeds.map { .string($0.description) }) }
        if type.field("categories") != nil { raw["categories"] = .array(categories.map { .string($0.description) }) }
        raw = try await ResolveCatalogReferences.resolve(raw, of: type, database)
        let checked = try await rules.checked(raw, as: type, for: .revision, keeping: fields)
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
        let known = try await knownCategories()
        switch known.names.find(requested) {
        case .one(let id): return id
        case .unknown: return SeedEntry.unsorted
        case .several(let ids):
            let choices = ids.compactMap { known.directory.find($0)?.slug }.joined(separator: ", ")
            let message = tr("“\(requested)” is the name of several categories: \(choices). Choose one.")
            throw Failure.invalid(FieldErrors("/fields/categories", "ambiguous", message))
        }
    }

    private mutating func knownCategories() async throws -> (directory: CategoryDirectory, names: NameIndex) {
        if let known { return known }
        let directory = try await CategoryDirectory.load(database)
        let loaded = (directory: directory, names: directory.names())
        known = loaded
        return loaded
    }

    /// What a submission or a reviewer means by these categories: for a merged one, its merge target. Throws for an
    /// archived one.
    private mutating func assigned(_ ids: [ID<Entry>]) async throws -> [ID<Entry>] {
        if assignable.isSuperset(of: ids) { return ids }
        let others = try await database.entries.unassignableCategories(among: ids)
        if let archived = others.first(where: \.isArchived) {
            let message = tr(
                "The category \"\(archived.title)\" (\(archived.id)) is archived. Choose another category.")
            throw Failure.invalid(FieldErrors("/fields/categories", "archived", message))
        }
        if !others.isEmpty {
            let targets = try await knownCategories().directory.mergeTargets(of: ids)
            // Those of a circular chain stay.
            if targets != ids { return try await assigned(targets) }
        }
        assignable.formUnion(ids)
        return ids
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
