// All categories in their newest revisions: by group, by name, and with the targets of merges.
import Domain

package struct CategoryDirectory: Sendable {
    /// In the curators' order: by position, then name, then id.
    package let categories: [EntryChoice]
    private let byID: [ID<Entry>: EntryChoice]
    private let merges: CategoryMerges

    package init(_ categories: [EntryChoice]) {
        self.categories = categories
        merges = CategoryMerges(categories.map(\.categoryName))
        byID = Dictionary(categories.map { ($0.id, $0) }) { first, _ in first }
    }

    package static func load(_ stores: some Stores) async throws -> CategoryDirectory {
        CategoryDirectory(try await stores.entries.choices(.category))
    }

    package func find(_ id: ID<Entry>) -> EntryChoice? { byID[id] }

    /// The unmerged categories of a group.
    package func unmerged(in group: ID<Entry>) -> [EntryChoice] {
        categories.filter { $0.categoryGroup == group && $0.mergedInto == nil }
    }

    /// The categories merged into each category, directly or through others.
    package func mergedByTarget() -> [ID<Entry>: [EntryChoice]] {
        let merged = categories.filter { $0.mergedInto != nil }
        return Dictionary(grouping: merged) { mergeTarget(of: $0.id) ?? $0.id }
    }

    /// The category itself, or the last target of its chain of merges; nil when the chain is circular.
    package func mergeTarget(of id: ID<Entry>) -> ID<Entry>? { merges.target(of: id) }

    /// These categories, each once, with the targets of merges in place of merged ones: what IDs mean in a submission, as
    /// `names` says it of names.
    package func mergeTargets(of ids: [ID<Entry>]) -> [ID<Entry>] {
        var seen: Set<ID<Entry>> = []
        return ids.map { mergeTarget(of: $0) ?? $0 }.filter { seen.insert($0).inserted }
    }

    /// What the names of the live categories mean.
    package func names() -> NameIndex { merges.names(where: \.isLive).usable }

    /// The similarly named unmerged categories of each unmerged category.
    package func similar() -> [ID<Entry>: [EntryChoice]] {
        let unmerged = categories.filter { $0.mergedInto == nil }
        var found: [ID<Entry>: [EntryChoice]] = [:]
        for (one, other) in NameSimilarity.pairs(in: unmerged.map(\.title)) {
            found[unmerged[one].id, default: []].append(unmerged[other])
            found[unmerged[other].id, default: []].append(unmerged[one])
        }
        return found
    }

    /// The first other unmerged category with a similar name or synonym.
    package func similar(_ name: String, besides id: ID<Entry>) -> EntryChoice? {
        categories.first { category in
            category.id != id && category.mergedInto == nil
                && ([category.title] + category.otherNames.all).contains { NameSimilarity.areSimilar($0, name) }
        }
    }
}

extension EntryChoice {
    /// The group of a category.
    package var categoryGroup: ID<Entry>? { content["group"]?.stringValue.flatMap(ID.init) }

    /// The merge target of a category.
    package var mergedInto: ID<Entry>? { content["merged_into"]?.stringValue.flatMap(ID.init) }

    /// The position of a category in its group.
    package var position: Int { content["position"]?.integerValue.map(Int.init) ?? 0 }

    package var otherNames: OtherNames { OtherNames(content) }

    fileprivate var categoryName: EntryName {
        EntryName(
            id: id, slug: slug, title: title, otherNames: otherNames.all, isLive: isLive, isArchived: isArchived,
            mergedInto: mergedInto)
    }
}

/// What a category is called besides its title.
package struct OtherNames: Sendable {
    package let synonyms: [String]
    package let translations: [(locale: String, name: String)]

    package var all: [String] { synonyms + translations.map(\.name) }

    init(_ content: JSONValue) {
        synonyms = (content["synonyms"]?.stringValue ?? "").split(whereSeparator: \.isNewline).map(String.init)
        translations = (content["names"]?.arrayValue ?? []).compactMap { row in
            row["locale"]?.stringValue.flatMap { locale in row["name"]?.stringValue.map { (locale, $0) } }
        }
    }
}
