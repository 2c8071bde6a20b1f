// All categories by their newest revisions: by group, by any of their names, and where a merged one leads.
import Domain

package struct CategoryDirectory: Sendable {
    /// In the curators' order: by position, then name, then id.
    package let categories: [EntryChoice]
    private let byID: [ID<Entry>: EntryChoice]

    package init(_ categories: [EntryChoice]) {
        self.categories = categories
        byID = Dictionary(categories.map { ($0.id, $0) }) { first, _ in first }
    }

    package static func load(_ stores: some Stores) async throws -> CategoryDirectory {
        CategoryDirectory(try await stores.entries.choices(.category))
    }

    package func find(_ id: ID<Entry>) -> EntryChoice? { byID[id] }

    /// Those that stand for themselves.
    package func unmerged(in group: ID<Entry>) -> [EntryChoice] {
        categories.filter { $0.categoryGroup == group && $0.mergedInto == nil }
    }

    /// Those that were merged into each category: directly, or by way of others.
    package func mergedByEnd() -> [ID<Entry>: [EntryChoice]] {
        let merged = categories.filter { $0.mergedInto != nil }
        return Dictionary(grouping: merged) { end(of: $0.id) ?? $0.id }
    }

    /// Where a category leads: itself, or the end of the chain of merges. Nil when the chain is a circle.
    package func end(of id: ID<Entry>) -> ID<Entry>? {
        var (place, steps) = (id, 0)
        while let next = byID[place]?.mergedInto {
            (place, steps) = (next, steps + 1)
            if steps > categories.count { return nil }
        }
        return place
    }

    /// The live category that somebody means by a word: by its address, name, a translation or another word for it; of a
    /// merged one the category that it leads to. Case does not count.
    package func meant(by word: String) -> EntryChoice? {
        let slug = Slug.make(from: word)
        let wanted = word.lowercased()
        let found =
            categories.first { $0.isLive && ($0.slug == slug || $0.title.lowercased() == wanted) }
            ?? categories.first { $0.isLive && $0.otherNames.contains { $0.lowercased() == wanted } }
        guard let end = found.flatMap({ end(of: $0.id) }), let category = byID[end], category.isLive else {
            return nil
        }
        return category
    }

    /// The groups of the category that a submission wishes for; none where that is no category.
    package func groups(requested word: String?) -> Set<ID<Entry>> {
        Set([word.flatMap { meant(by: $0) }?.categoryGroup].compactMap { $0 })
    }

    /// All words, in small letters, that mean a category of other groups than these.
    package func words(outsideOf groups: Set<ID<Entry>>) -> Set<String> {
        let outside = categories.filter { $0.isLive && !($0.categoryGroup.map(groups.contains) ?? true) }
        return Set(outside.flatMap { [$0.title, $0.slug] + $0.otherNames }.map { $0.lowercased() })
    }

    /// Of those that stand for themselves: the others that have a name much like each one's.
    package func similar() -> [ID<Entry>: [EntryChoice]] {
        let unmerged = categories.filter { $0.mergedInto == nil }
        var found: [ID<Entry>: [EntryChoice]] = [:]
        for (one, other) in NameSimilarity.pairs(in: unmerged.map(\.title)) {
            found[unmerged[one].id, default: []].append(unmerged[other])
            found[unmerged[other].id, default: []].append(unmerged[one])
        }
        return found
    }

    /// The first other category that has a name much like this one, or such a word among its other words.
    package func similar(_ name: String, besides id: ID<Entry>) -> EntryChoice? {
        categories.first { category in
            category.id != id && category.mergedInto == nil
                && ([category.title] + category.otherNames).contains { NameSimilarity.areSimilar($0, name) }
        }
    }
}

extension EntryChoice {
    /// Of a category: its group.
    package var categoryGroup: ID<Entry>? { content["group"]?.stringValue.flatMap(ID.init) }

    /// Of a category: the one that it was merged into.
    package var mergedInto: ID<Entry>? { content["merged_into"]?.stringValue.flatMap(ID.init) }

    /// Of a category: its place in the group.
    package var position: Int { content["position"]?.integerValue.map(Int.init) ?? 0 }

    /// Of a category: other words for it, and its names in other languages.
    package var otherNames: [String] { synonyms + translations.map(\.name) }

    package var synonyms: [String] {
        (content["synonyms"]?.stringValue ?? "").split(whereSeparator: \.isNewline).map(String.init)
    }

    package var translations: [(locale: String, name: String)] {
        (content["names"]?.arrayValue ?? []).compactMap { row in
            row["locale"]?.stringValue.flatMap { locale in row["name"]?.stringValue.map { (locale, $0) } }
        }
    }
}
