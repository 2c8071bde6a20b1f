// The queries of lists of items: each reads one page from an index, however many items there are.
import Domain
import Postgres

/// The columns are `document`, `position` (what the order compares) and `id`.
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

    func order(_ key: String, _ id: String) -> SQL {
        let direction = filter.sort == .oldest ? " desc" : ""
        return "order by \(raw: key)\(raw: direction), \(raw: id)\(raw: direction)"
    }

    /// What the order compares.
    private var orderKey: String {
        filter.sort == .title ? #"left(i.title, 80) collate "und-x-icu""# : "i.age"
    }

    private func after(_ key: String, _ id: String) throws(Failure) -> SQL {
        guard let position else { return .empty }
        let comparison: SQL = filter.sort == .oldest ? "<" : ">"
        let value: SQL =
            filter.sort == .title ? "\(position.values[0])::text" : "\(try position.integer(0))::bigint"
        return " and (\(raw: key), \(raw: id)) \(comparison) (\(value), \(try position.uuid(1))::uuid)"
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
        select i.document, \(raw: orderKey) as position, i.id from api_v1.item i
        where true\(condition)\(conditions())\(try after(orderKey, "i.id")) \(order(orderKey, "i.id")) \(Self.limit)
        """
    }

    /// A language and its more specific forms, each with each content type, and the content types of items without a
    /// language: merges the pages of all, of which there are few.
    private func inLanguage(_ locale: LanguageTag) throws(Failure) -> SQL {
        // In tags, "-" is the only character before ".".
        let (first, end) = (locale.text, locale.text + ".")
        let ofForm = try page(where: " and i.locale = f.locale and i.type = f.type")
        let ofAll = try page(where: " and i.locale is null and i.type = a.type")
        return """
            with recursive form (locale, type) as (
                (select i.locale, i.type from api_v1.item i where i.locale >= \(first) and i.locale < \(end)
                 order by i.locale, i.type limit 1)
                union all
                select n.* from form f cross join lateral (
                    select i.locale, i.type from api_v1.item i
                    where (i.locale, i.type) > (f.locale, f.type) and i.locale < \(end)
                    order by i.locale, i.type limit 1) n),
            for_all (type) as (
                (select i.type from api_v1.item i where i.locale is null order by i.type limit 1)
                union all
                select n.* from for_all a cross join lateral (
                    select i.type from api_v1.item i where i.locale is null and i.type > a.type
                    order by i.type limit 1) n)
            select p.* from (
                select p.* from form f cross join lateral (\(ofForm)) p
                union all
                select p.* from for_all a cross join lateral (\(ofAll)) p) p
            \(order("p.position", "p.id")) \(Self.limit)
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
            select i.document, n.age as position, n.member_id as id
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

    /// By title: the members of small categories are all compared; those of large ones are found among all items.
    private func ofCategoriesByTitle() throws(Failure) -> SQL {
        let categories = ReadCategories.all(of: filter.category.map { [$0] } ?? filter.categories)
        let rest = conditions() + inLocale + inAllCategories("i.id") + (try after(orderKey, "i.id"))
        let columns: SQL = "select i.document, \(raw: orderKey) as position, i.id from api_v1.item i"
        return FewOrMany.query(
            with: "chosen as materialized (\(categories))",
            count: """
                select coalesce(sum(c.item_count), 0) from api_v1.category c where c.id in (select id from chosen)
                """,
            most: filter.maxCompared,
            few: """
                \(columns) where \(FewOrMany.areFew) and i.id in (
                    select k.member_id from api_v1.category_member k
                    where k.category_id in (select id from chosen) and k.age is not null offset 0)\(rest)
                \(order("position", "i.id")) \(Self.limit)
                """,
            many: """
                \(columns) where \(FewOrMany.areMany)
                and exists (select from unnest(i.category_ids) k (id) where k.id in (select id from chosen))\(rest)
                \(order(orderKey, "i.id")) \(Self.limit)
                """)
    }

    /// As in `inLanguage`.
    private var inLocale: SQL {
        filter.locale.map {
            " and (i.locale >= \($0.text) and i.locale < \($0.text + ".") or i.locale is null)"
        } ?? .empty
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
