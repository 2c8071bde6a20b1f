// The conditions on categories that feeds and items share: any of a set (B32), and one that must be there (A24).
import Domain
import Postgres

enum ReadCategories {
    /// At least one of the categories; ids and slugs may be mixed. Old slugs count as the new ones, and the ids and slugs of
    /// merged categories as those that they lead to.
    static func any(of categories: [IDOrSlug]) -> SQL {
        let (ids, slugs) = apart(categories)
        if slugs.isEmpty {
            // What is merged stands beside it: the planner knows how many rows the ids have, and would not know that of both.
            return " and (category_ids && \(ids)::uuid[] or category_ids && \(leading(from: ids)))"
        }
        return """
             and category_ids && array(
                select c.id from api_v1.category c where c.id = any(\(ids)::uuid[]) or c.slug = any(\(slugs)::text[])
                union all
                select o.id from api_v1.redirect o where o.kind = 'category' and o.slug = any(\(slugs + ids.map(\.description))::text[]))
            """
    }

    /// A query of their ids: those that are given, those of the slugs, and those that old slugs and merged ones lead to. One
    /// may come twice. Without slugs nothing is asked of the categories: a statement this small is planned once for all
    /// requests, a larger one anew for each, which costs twice what it takes to run.
    static func all(of categories: [IDOrSlug]) -> SQL {
        let (ids, slugs) = apart(categories)
        let named: SQL =
            slugs.isEmpty ? .empty : "union all select c.id from api_v1.category c where c.slug = any(\(slugs)::text[])"
        return """
            select unnest(\(ids)::uuid[]) as id
            \(named)
            union all
            select o.id from api_v1.redirect o where o.kind = 'category' and o.slug = any(\(slugs + ids.map(\.description))::text[])
            """
    }

    private static func apart(_ categories: [IDOrSlug]) -> (ids: [ID<Entry>], slugs: [String]) {
        var (ids, slugs): ([ID<Entry>], [String]) = ([], [])
        for category in categories {
            switch category {
            case .id(let id): ids.append(id)
            case .slug(let slug): slugs.append(slug)
            }
        }
        return (ids, slugs)
    }

    /// The categories that merged ones lead to: their ids stand among the old addresses.
    private static func leading(from ids: [ID<Entry>]) -> SQL {
        "array(select o.id from api_v1.redirect o where o.kind = 'category' and o.slug = any(\(ids.map(\.description))::text[]))"
    }

    /// This category; of a slug that is none, nothing is a member.
    static func member(of category: IDOrSlug) -> SQL {
        switch category {
        case .id(let id): " and category_ids @> array[\(id)::uuid]"
        case .slug(let slug): " and category_ids @> array[(select c.id from api_v1.category c where c.slug = \(slug))]"
        }
    }
}
