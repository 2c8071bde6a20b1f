// The names that people know for the tables, columns and values of a plan.
import Domain
import Localization
import Store

struct PlanLabels: Sendable {
    let types: ContentTypes
    /// Of the objects in the plan, by their keys.
    private let names: [String: String]

    init(_ rows: [RowChange], _ types: ContentTypes) {
        self.types = types
        // Rows of one object share its key, and only some of them contain its name.
        names = Dictionary(
            rows.compactMap { row in Self.name(in: row).map { (row.key, $0) } }, uniquingKeysWith: { first, _ in first }
        )
    }

    // MARK: Rows

    /// The content type of a row that is content itself; nil for rows about content, such as those of the search.
    func contentType(of row: RowChange) -> ContentType? {
        let table = Self.table(of: row)
        if table == "item" || table == "video" {
            let value = row.after ?? row.before
            let name = value?["type"]?.stringValue ?? value?["document"]?["type"]?.stringValue
            return types[name ?? table]
        }
        return types.all.first { $0.kind.rawValue == table }
    }

    /// What a row is; nil for rows that readers don't see as such.
    func subject(of row: RowChange) -> String? {
        if let type = contentType(of: row) { return type.label }
        switch row.table {
        case "feed_item": return tr("Entry in a feed")
        case "onboarding_screen": return tr("Onboarding screen")
        case "list_item": return tr("List item", context: "plan")
        case "redirect": return tr("Redirect", context: "plan")
        case "route_badge": return tr("Badge of a route")
        default: return nil
        }
    }

    /// Its title or name; that of its entry for a row that has none; nil if the plan doesn't contain it.
    func title(of row: RowChange) -> String? {
        if let name = names[row.key] { return name }
        let value = row.after ?? row.before
        let owner = ["item_id", "set_id", "list_id", "route_id"].lazy.compactMap { column in
            value?[column]?.stringValue.flatMap { names[$0] }
        }.first
        guard let badge = value?["badge"]?.stringValue else { return owner }
        return [owner, badge].compactMap(\.self).joined(separator: " · ")
    }

    private static func name(in row: RowChange) -> String? {
        let value = row.after ?? row.before
        return ["title", "name", "slug", "key"].lazy.compactMap { name in
            value?[name]?.stringValue ?? value?["document"]?[name]?.stringValue
        }.first
    }

    /// The table without the ending of one that has the rest of the same rows.
    private static func table(of row: RowChange) -> String {
        for ending in ["_full", "_path"] where row.table.hasSuffix(ending) {
            return String(row.table.dropLast(ending.count))
        }
        return row.table
    }

    // MARK: Fields

    /// The label of a column or a member of a document; nil for what only the program reads.
    func label(_ name: String, of type: ContentType?) -> String? {
        if let field = type?.field(name) { return field.label }
        if Self.technical.contains(name) { return nil }
        return switch name {
        case "access": tr("Access", context: "plan")
        case "categories": tr("Categories", context: "plan")
        case "feeds": tr("Feeds", context: "plan")
        case "item_count": tr("Published items")
        case "lat": tr("Latitude", context: "plan")
        case "locale": tr("Language", context: "plan")
        case "lon": tr("Longitude", context: "plan")
        case "name", "title": tr("Title", context: "plan")
        case "published_at": tr("Publication date")
        // Such as `Place count`.
        default: "\(name.prefix(1).uppercased())\(name.dropFirst())".replacing("_", with: " ")
        }
    }

    /// Order, search and storage.
    private static let technical: Set<String> = [
        "age", "category_ids", "city_id", "city_key", "coordinates", "document", "ends", "feed_id", "feed_ids",
        "group_id", "html", "id", "item_id", "kind", "list_id", "names_key", "paths", "place_id", "rank",
        "rating_rank", "revision", "route_id", "set_id", "set_version", "sha256", "sort_title", "subject_id", "terms",
        "type", "updated_at", "version",
    ]

    /// The value as a reader sees it; nil for none.
    func text(_ value: JSONValue?) -> String? {
        switch value {
        case nil, .null: nil
        case .bool(let isOn): isOn ? tr("Yes", context: "plan") : tr("No", context: "plan")
        case .string(let text): ID<Entry>(text) == nil ? text : names[text] ?? tr("another entry", context: "plan")
        case .array(let values): values.isEmpty ? nil : values.compactMap(self.text).joined(separator: ", ")
        case .object(let members):
            ["name", "title", "label", "alt", "text", "value", "slug"].lazy.compactMap { members[$0]?.stringValue }
                .first ?? value?.canonicalText
        case .int, .double: value?.canonicalText
        }
    }
}
