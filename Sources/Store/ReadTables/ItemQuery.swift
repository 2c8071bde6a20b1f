// The queries of lists of items: each reads one page from an index, however many items there are.
import Domain
import Postgres

/// The columns are `document`, `place` (where in the order the item is) and `id`.
struct ItemQuery {
    let filter: ItemReadFilter
    /// The last item of the page before.
    let position: Cursor?

    private static let limit: SQL = "limit \(fixed: DocumentPage.size + 1)"

    var statement: SQL {
        get throws(Failure) {
            let isOfCategories = filter.category != nil || !filter.categories.isEmpty
            return switch (isOfCategories, filter.sort, filter.locale) {
            case (true, .title, _): try ofCategoriesByTitle()
            case (true, _, _): try ofCategories()
            case (false, _, let locale?): try inLanguage(locale)
            case (false, _, nil): try page(where: .empty)
            }
        }
    }

    func order(_ place: String, _ id: String) -> SQL {
        let direction = filter.sort == .oldest ? " desc" : ""
        return "order by \(raw: place)\(raw: direction), \(raw: id)\(raw: direction)"
    }

    /// What the order compares.
    private var place: String {
        filter.sort == .title ? #"left(i.title, 80) collate "und-x-icu""# : "i.age"
    }

    private func after(_ place: String, _ id: String) throws(Failure) -> SQL {
        guard let position else { return .empty }
        let comparison: SQL = filter.sort == .oldest ? "<" : ">"
        let value: SQL =
            filter.sort == .title ? "\(position.values[0])::text" : "\(try position.integer(0))::bigint"
        return " and (\(raw: place), \(raw: id)) \(comparison) (\(value), \(try position.uuid(1))::uuid)"
    }

    /// Conditions on the item `i`; `type` is left out if an index already has it.
    private func conditions(withType: Bool = true) -> SQL {
        var conditions = SQL.empty
        if let tier = filter.tier { conditions += " and i.tier = \(tier)" }
        if let hasVideo = filter.hasVideo { conditions += " and i.has_video = \(hasVideo)" }
        if withType, let type = filter.type { conditions += " and i.type = \(type)" }
        return conditions
    }

    private func page(where condition: SQL) throws(Failure) -> SQL {
        """
        select i.document, \(raw: place) as place, i.id from api_v1.item i
        where true\(condition)\(conditions())\(try after(place, "i.id")) \(order(place, "i.id")) \(Self.limit)
        """
    }

    /// A language and its more specific forms, each with each content type: merges the pages of all, of which there are few.
    private func inLanguage(_ locale: LanguageTag) throws(Failure) -> SQL {
        // In tags, "-" is the only character before ".".
        let (first, end) = (locale.text, locale.text + ".")
        return """
            with recursive form (locale, type) as (
                (select i.locale, i.type from api_v1.item i where i.locale >= \(first) and i.locale < \(end)
                 order by i.locale, i.type limit 1)
                union all
                select n.* from form f cross join lateral (
                    select i.locale, i.type from api_v1.item i
                    where (i.locale, i.type) > (f.locale, f.type) and i.locale < \(end)
                    order by i.locale, i.type limit 1) n)
            select p.* from form f cross join lateral (\(try page(where: " and i.locale = f.locale and i.type = f.type"))) p
            \(order("p.place", "p.id")) \(Self.limit)
            """
    }

    /// Merges the first items of each category, read by its own index: a category may be rare and contain nothing new.
    private func ofCategories() throws(Failure) -> SQL {
        var members: SQL = "k.age is not null and k.category_id = c.id"
        // All videos have this type, and no others: `Projections/item.sql`.
        if let type = filter.type ?? (filter.hasVideo == true ? "video" : nil) { members += " and k.type = \(type)" }
        members += try after("k.age", "k.member_id")
        members += inAllCategories("k.member_id")
        let isRestricted = filter.tier != nil || filter.hasVideo != nil || filter.locale != nil
        let item: SQL = isRestricted ? " join api_v1.item i on i.id = k.member_id" : .empty
        return """
            select i.document, n.age as place, n.member_id as id
            from (
                select distinct k.age, k.member_id
                from (\(ReadCategories.all(of: filter.category.map { [$0] } ?? filter.categories))) c
                cross join lateral (
                    select k.age, k.member_id from api_v1.category_member k\(item)
                    where \(members)\(conditions(withType: false))\(inLocale)
                    \(order("k.age", "k.member_id")) \(Self.limit)) k
                \(order("k.age", "k.member_id")) \(Self.limit)) n
            join api_v1.item i on i.id = n.member_id
            """
    }

    /// By title: of categories with few members all are compared; of others there are some among any items, in whose order
    /// they are read. The condition is written so that no index seems to help.
    private func ofCategoriesByTitle() throws(Failure) -> SQL {
        let categories = ReadCategories.all(of: filter.category.map { [$0] } ?? filter.categories)
        let rest = conditions() + inLocale + inAllCategories("i.id") + (try after(place, "i.id"))
        let columns: SQL = "select i.document, \(raw: place) as place, i.id from api_v1.item i"
        return """
            with chosen as materialized (\(categories)),
            few as materialized (
                select coalesce(sum(c.item_count), 0) <= \(fixed: filter.maxCompared) as are
                from api_v1.category c where c.id in (select id from chosen))
            (\(columns) where (select are from few) and i.id in (
                select k.member_id from api_v1.category_member k
                where k.category_id in (select id from chosen) and k.age is not null offset 0)\(rest)
             \(order("place", "i.id")) \(Self.limit))
            union all
            (\(columns) where not (select are from few)
             and exists (select from unnest(i.category_ids) k (id) where k.id in (select id from chosen))\(rest)
             \(order(place, "i.id")) \(Self.limit))
            """
    }

    private var inLocale: SQL {
        filter.locale.map { " and i.locale >= \($0.text) and i.locale < \($0.text + ".")" } ?? .empty
    }

    /// With the category of the path, one of the filter's, too.
    private func inAllCategories(_ id: String) -> SQL {
        guard filter.category != nil, !filter.categories.isEmpty else { return .empty }
        return """
             and exists (
                select from (\(ReadCategories.all(of: filter.categories))) o
                join api_v1.category_member m on m.category_id = o.id and m.member_id = \(raw: id))
            """
    }
}
