// Updates the value of a setting, or of a text in one language, and keeps all other edits made meanwhile.
import Domain
import Publishing
import Store

package struct UpdateValue: Sendable {
    private let database: Database
    private let rules: ContentRules

    package init(database: Database, rules: ContentRules) {
        self.database = database
        self.rules = rules
    }

    /// `old` is the value that the actor saw; a different current value is a conflict. `locale` names the language of a
    /// text; an empty new value removes the language.
    package func callAsFunction(
        _ id: ID<Entry>, locale: LanguageTag? = nil, from old: String, to new: String, publishTiming: PublishTiming,
        by actor: Actor
    ) async throws -> ChangeOutcome {
        guard let newest = try await database.revisions.newest(of: id) else { throw Failure.missing("entry") }
        var fields = try newest.stored.readable()
        let current = Self.value(in: fields, locale)
        guard current == old else {
            let label = fields["title"]?.stringValue ?? "value"
            throw Failure.stale([
                StaleValue(
                    key: id.description, label: label, base: old, theirs: current, mine: new, author: newest.author)
            ])
        }
        if let locale {
            fields["values"] = Self.values(fields["values"]?.arrayValue ?? [], locale, new)
        } else {
            fields["value"] = .string(new)
        }
        return try await WriteEntry(database: database, rules: rules).edit(
            id, fields: fields, base: newest.number,
            note: locale.map { "in \($0.text)" } ?? "changed from \"\(old.prefix(100))\" to \"\(new.prefix(100))\"",
            publishTiming: publishTiming,
            by: actor)
    }

    private static func value(in fields: [String: JSONValue], _ locale: LanguageTag?) -> String {
        guard let locale else { return fields["value"]?.stringValue ?? "" }
        let row = (fields["values"]?.arrayValue ?? []).first { $0["locale"]?.stringValue == locale.text }
        return row?["value"]?.stringValue ?? ""
    }

    private static func values(_ rows: [JSONValue], _ locale: LanguageTag, _ new: String) -> JSONValue {
        let row = JSONValue.object(["locale": .string(locale.text), "value": .string(new)])
        var rows = rows
        let index = rows.firstIndex { $0["locale"]?.stringValue == locale.text }
        switch (index, PlainText.singleLine(new).isEmpty) {
        case (.some(let index), true): rows.remove(at: index)
        case (.some(let index), false): rows[index] = row
        case (nil, true): break
        case (nil, false): rows.append(row)
        }
        return .array(rows)
    }
}
