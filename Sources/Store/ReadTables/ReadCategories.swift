// SQL conditions on categories, shared by feeds and items: any of a set (B32), and one required category (A24).
import Domain
import Postgres

package enum ReadCategories {
    /// Matches at least one of the categories; ids and slugs may be mixed. Old slugs count as the new ones, and merged
    /// categories as their targets.
    package static func any(of categories: [IDOrSlug]) -> SQL {
        let (ids, slugs) = separated(categories)
        if slugs.isEmpty {
            // A separate condition for merged categories: the planner knows how many rows the given ids have, and would
            // not for both together.
            return " and (category_ids && \(ids)::uuid[] or category_ids && \(targets(of: ids)))"
        }
        return """
             and category_ids && array(
                select c.id from api_v1.category c where c.id = any(\(ids)::uuid[]) or c.slug = any(\(slugs)::text[])
                union all
                select o.id from api_v1.redirect o where o.kind = 'category' and o.slug = any(\(slugs + ids.map(\.description))::text[]))
            """
    }

    /// A query of their ids: the given ids, those of the slugs, and the targets of old slugs and merged categories. An
    /// id may occur twice. Without slugs the categories are not queried: a statement this small is planned once for all
    /// requests; a larger one is planned for each, which costs twice its execution.
    package static func all(of categories: [IDOrSlug]) -> SQL {
        let (ids, slugs) = separated(categories)
        let named: SQL =
            slugs.isEmpty ? .empty : "union all select c.id from api_v1.category c where c.slug = any(\(slugs)::text[])"
        return """
            select unnest(\(ids)::uuid[]) as id
            \(named)
            union all
            select o.id from api_v1.redirect o where o.kind = 'category' and o.slug = any(\(slugs + ids.map(\.description))::text[])
            """
    }

    private static func separated(_ categories: [IDOrSlug]) -> (ids: [ID<Entry>], slugs: [String]) {
        var (ids, slugs): ([ID<Entry>], [String]) = ([], [])
        for category in categories {
            switch category {
            case .id(let id): ids.append(id)
            case .slug(let slug): slugs.append(slug)
            }
        }
        return (ids, slugs)
    }

    /// The targets of merged categories, whose ids are stored among the redirects.
    private static func targets(of ids: [ID<Entry>]) -> SQL {
        "array(select o.id from api_v1.redirect o where o.kind = 'category' and o.slug = any(\(ids.map(\.description))::text[]))"
    }

    /// Matches members of this category; none for an unknown slug.
    static func member(of category: IDOrSlug) -> SQL {
        switch category {
        case .id(let id): " and category_ids @> array[\(id)::uuid]"
        case .slug(let slug): " and category_ids @> array[(select c.id from api_v1.category c where c.slug = \(slug))]"
        }
    }
}
