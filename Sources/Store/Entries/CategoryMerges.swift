// What the names of categories mean, for submissions and imports: those of a merged one mean its merge target.
import Domain

package struct CategoryMerges: Sendable {
    private let categories: [EntryName]
    /// The category that each merged one was merged into, which may be merged, too.
    private let next: [ID<Entry>: ID<Entry>]

    package init(_ categories: [EntryName]) {
        self.categories = categories
        let merged = categories.compactMap { category in category.mergedInto.map { (category.id, $0) } }
        next = Dictionary(merged) { first, _ in first }
    }

    /// The category itself, or the last target of its chain of merges; nil when the chain is circular.
    package func target(of id: ID<Entry>) -> ID<Entry>? {
        var (target, steps) = (id, 0)
        while let following = next[target] {
            (target, steps) = (following, steps + 1)
            if steps > next.count { return nil }
        }
        return target
    }

    /// What the names, translations, synonyms and slugs mean, and with `byID` the IDs. `others` has the names of
    /// unusable categories, and of categories merged into one.
    package func names(
        byID: Bool = false, where isUsable: (EntryName) -> Bool
    ) -> (usable: NameIndex, others: NameIndex) {
        let ids = Set(categories.filter(isUsable).map(\.id))
        var (usable, others) = (NameIndex(), NameIndex())
        for category in categories {
            let target = self.target(of: category.id)
            let names = byID ? category.otherNames + [category.id.description] : category.otherNames
            if ids.contains(category.id), let target, ids.contains(target) {
                usable.add(target, named: category.title, others: names, slug: category.slug)
            } else {
                let meant = ids.contains(category.id) ? target ?? category.id : category.id
                others.add(meant, named: category.title, others: names, slug: category.slug)
            }
        }
        return (usable, others)
    }
}
