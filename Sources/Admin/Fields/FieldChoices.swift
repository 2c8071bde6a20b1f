// The choices of the reference fields of a form, by content type.
import Domain
import Localization
import Store

struct FieldChoices: Sendable {
    /// Entries under one heading, such as the categories of a group; the title is nil for an ungrouped list.
    struct Group: Sendable {
        let title: String?
        var choices: [EntryChoice]
    }

    /// By the name of the content type. A missing type has too many entries for a list.
    let byType: [String: [Group]]

    static let none = FieldChoices(byType: [:])

    /// Loads the choices for the reference fields of `type`: feeds, categories (by group), category groups, and
    /// those of packs.
    static func load(for type: ContentType, rules: ContentRules, _ database: Database) async throws -> FieldChoices {
        var byType: [String: [Group]] = [:]
        for target in Set(type.leaves.flatMap(\.targets)) {
            switch rules.types[target]?.kind {
            case .category: byType[target] = try await categories(database)
            case .feed: byType[target] = [Group(title: nil, choices: try await database.entries.choices(.feed))]
            case .categoryGroup:
                byType[target] = [Group(title: nil, choices: try await database.entries.choices(.categoryGroup))]
            case .item, nil: break
            case let kind?: byType[target] = try await short(kind, database)
            }
        }
        return FieldChoices(byType: byType)
    }

    /// Nil when there are too many entries for a list.
    private static func short(_ kind: ContentType.Kind, _ database: Database) async throws -> [Group]? {
        let choices = try await database.entries.choices(kind, limit: maxListLength + 1)
        return choices.count > maxListLength ? nil : [Group(title: nil, choices: choices)]
    }

    private static let maxListLength = 200

    /// The categories under their groups, group 1 first.
    static func categories(_ database: Database) async throws -> [Group] {
        let directory = try await CategoryDirectory.load(database)
        let all = directory.categories.map { category in
            guard let target = category.mergedInto.flatMap(directory.find) else { return category }
            var named = category
            named.title += tr(" (merged into \(target.title))")
            return named
        }
        let groups = try await database.entries.choices(.categoryGroup).sorted { number($0) < number($1) }
        return groups.map { group in
            Group(
                title: group.title,
                choices: all.filter { $0.content["group"]?.stringValue == group.id.description })
        }.filter { !$0.choices.isEmpty }
    }

    private static func number(_ group: EntryChoice) -> Int64 {
        if case .int(let number) = group.content["number"] { number } else { .max }
    }

    /// The same for a form that the person of the request fills in: what they chose last comes first.
    static func load(for type: ContentType, _ request: AdminRequest) async throws -> FieldChoices {
        async let all = load(for: type, rules: request.context.rules, request.database)
        let lists = type.leaves.filter { $0.type == .references && !type.isManualOrder($0) }.map(\.name)
        let recent = try await recent(request, in: lists)
        return try await all.favoring(recent)
    }

    /// The categories under their groups, those first that the person of the request chose last.
    static func categories(_ request: AdminRequest) async throws -> [Group] {
        let all = FieldChoices(byType: ["": try await categories(request.database)])
        return all.favoring(try await recent(request, in: ["categories"])).byType[""] ?? []
    }

    private static func recent(_ request: AdminRequest, in fields: [String]) async throws -> [ID<Entry>] {
        guard let account = request.session?.account, !fields.isEmpty else { return [] }
        return try await request.database.recentChoices.entries(of: account, in: fields)
    }

    /// Long lists begin with what was chosen recently, most recent first.
    func favoring(_ recent: [ID<Entry>]) -> FieldChoices {
        let positions = Dictionary(zip(recent, recent.indices)) { first, _ in first }
        return FieldChoices(
            byType: byType.mapValues { groups in
                let all = groups.flatMap(\.choices)
                let favored = all.filter { positions[$0.id] != nil }.sorted {
                    positions[$0.id] ?? 0 < positions[$1.id] ?? 0
                }
                .prefix(Self.recentCount)
                guard all.count > Self.shortListLength, !favored.isEmpty else { return groups }
                let ids = Set(favored.map(\.id))
                let rest = groups.map { group in
                    // A list without groups continues below a heading.
                    Group(
                        title: group.title ?? tr("All", context: "choices"),
                        choices: group.choices.filter { !ids.contains($0.id) })
                }
                return [Group(title: tr("Recent", context: "choices"), choices: Array(favored))]
                    + rest.filter { !$0.choices.isEmpty }
            })
    }

    /// The same for a person who approves submissions: feeds into which they can't publish say what that takes.
    func markingClosedFeeds(for actor: Actor) -> FieldChoices {
        if PublishTiming.now.isAllowed(for: actor) { return self }
        let note = actor.may(.approve) ? tr("A publisher must publish it") : tr("An editor must approve it")
        return FieldChoices(
            byType: byType.mapValues { groups in
                groups.map { group in
                    var marked = group
                    for index in marked.choices.indices where !marked.choices[index].publishesOnApproval {
                        marked.choices[index].note = note
                    }
                    return marked
                }
            })
    }

    private static let recentCount = 6
    /// A list that is seen at a glance needs no search, and nothing comes first in it.
    static let shortListLength = 8

    /// The choices of `field`; nil when it has no list and takes ids.
    func groups(for field: Field) -> [Group]? {
        let known = field.targets.compactMap { byType[$0] }
        return known.isEmpty ? nil : known.flatMap(\.self)
    }
}
