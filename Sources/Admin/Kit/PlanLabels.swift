// The names that people know for the tables, columns and values of a plan.
import Domain
import Localization
import Store

struct PlanLabels: Sendable {
    let types: ContentTypes
    /// Of the objects in the plan, by their keys.
    private let names: [String: String]
    private let subjects: [String: String]
    private let columns: [String: String]
    private let technical: Set<String>
    private let owners: [String]
    private let details: [String]
    private let endings: [String]

    /// `titles` are those of entries, as far as the person may see them.
    init(_ rows: [RowChange], _ types: ContentTypes, _ packs: PackSet, titles: [ID<Entry>: String] = [:]) {
        self.types = types
        let all = [PackPlanLabels.core] + packs.parts(PackPlanLabels.self)
        subjects = all.reduce(into: [:]) { $0.merge($1.subjects()) { first, _ in first } }
        columns = all.reduce(into: [:]) { $0.merge($1.columns()) { first, _ in first } }
        technical = all.reduce(into: []) { $0.formUnion($1.technical) }
        owners = all.flatMap(\.owners)
        details = all.flatMap(\.details)
        endings = all.flatMap(\.endings)
        // Rows of one object share its key, and only some of them contain its name. Some only have a key, for programs.
        var names = Dictionary(titles.map { ($0.key.description, $0.value) }) { first, _ in first }
        for row in rows.reversed() { names[row.key] = Self.name(in: row, ["title", "name"]) ?? names[row.key] }
        for row in rows where names[row.key] == nil {
            guard let key = Self.name(in: row, ["slug", "key"]) else { continue }
            names[row.key] = names[String(row.key.prefix { $0 != "/" })] ?? key
        }
        self.names = names
    }

    /// The entries that a plan names by their IDs.
    static func entries(in rows: some Sequence<RowChange>) -> Set<ID<Entry>> {
        var found: Set<ID<Entry>> = []
        for row in rows {
            if let id = ID<Entry>(String(row.key.prefix { $0 != "/" })) { found.insert(id) }
            for value in [row.before, row.after].compactMap(\.self) { collect(value, into: &found) }
        }
        return found
    }

    private static func collect(_ value: JSONValue, into found: inout Set<ID<Entry>>) {
        switch value {
        case .string(let text):
            if text.utf8.count == 36, let id = ID<Entry>(text) { found.insert(id) }
        case .array(let values):
            for value in values { collect(value, into: &found) }
        case .object(let members):
            for value in members.values { collect(value, into: &found) }
        case .null, .bool, .int, .double: break
        }
    }

    // MARK: Rows

    /// The content type of a row that is content itself; nil for rows about content, such as those of the search.
    func contentType(of row: RowChange) -> ContentType? {
        let table = table(of: row)
        if table == "item" || table == "video" {
            let value = row.after ?? row.before
            let name = value?["type"]?.stringValue ?? value?["document"]?["type"]?.stringValue
            return types[name ?? table]
        }
        return types.all.first { $0.kind.rawValue == table }
    }

    /// What a row is; nil for rows that readers don't see as such.
    func subject(of row: RowChange) -> String? {
        contentType(of: row)?.label ?? subjects[row.table]
    }

    /// Its title or name, for a text with its language; that of its entry for a row that has none; nil if nobody knows it.
    func title(of row: RowChange) -> String? {
        let value = row.after ?? row.before
        if let name = names[row.key] {
            let languages: Set<ContentType.Kind> = [.text, .onboardingSet]
            guard let kind = contentType(of: row)?.kind, languages.contains(kind),
                let tag = value?["locale"]?.stringValue
            else { return name }
            return "\(name) · \(LanguageName.of(tag))"
        }
        let owner = owners.lazy.compactMap { column in value?[column]?.stringValue.flatMap { names[$0] } }.first
        let rest = details.compactMap { column -> String? in
            guard let text = value?[column]?.stringValue else { return nil }
            return ID<Entry>(text) == nil ? text : names[text]
        }
        let title = ([owner].compactMap(\.self) + rest).joined(separator: " · ")
        return title.isEmpty ? nil : title
    }

    private static func name(in row: RowChange, _ members: [String]) -> String? {
        let value = row.after ?? row.before
        return members.lazy.compactMap { name in
            value?[name]?.stringValue ?? value?["document"]?[name]?.stringValue
        }.first
    }

    /// The table without the ending of one that has the rest of the same rows.
    private func table(of row: RowChange) -> String {
        for ending in endings where row.table.hasSuffix(ending) {
            return String(row.table.dropLast(ending.count))
        }
        return row.table
    }

    // MARK: Fields

    /// The label of a column or a member of a document; nil for what only the program reads.
    func label(_ name: String, of type: ContentType?) -> String? {
        if let field = type?.field(name) { return field.label }
        if technical.contains(name) { return nil }
        // Such as `Place count`.
        return columns[name]
            ?? "\(name.prefix(1).uppercased())\(name.dropFirst())".replacing("_", with: " ")
    }

    /// The value of a column as a reader sees it; nil for none.
    func text(_ value: JSONValue?, of column: String) -> String? {
        if column == "locale", let tag = value?.stringValue { return LanguageName.of(tag) }
        return text(value)
    }

    private func text(_ value: JSONValue?) -> String? {
        switch value {
        case nil, .null: nil
        case .bool(let isOn): isOn ? tr("Yes", context: "plan") : tr("No", context: "plan")
        case .string(let text): ID<Entry>(text) == nil ? text : names[text] ?? tr("another entry", context: "plan")
        case .array(let values): values.isEmpty ? nil : values.compactMap { self.text($0) }.joined(separator: ", ")
        case .object(let members):
            ["name", "title", "label", "alt", "text", "value", "slug"].lazy.compactMap { members[$0]?.stringValue }
                .first ?? value?.canonicalText
        case .int, .double: value?.canonicalText
        }
    }
}
