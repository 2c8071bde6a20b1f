// Updates a text in one language, and keeps all other edits made meanwhile.
import Domain
import Store

package struct UpdateText: Sendable {
    let database: Database
    let rules: ContentRules

    /// `old` is the text that the actor saw; a different current text is a conflict. An empty new text removes the
    /// language.
    package func callAsFunction(
        _ id: ID<Entry>, in locale: LanguageTag, from old: String, to new: String, publishTiming: PublishTiming,
        by actor: Actor
    ) async throws -> ChangeOutcome {
        guard let newest = try await database.revisions.newest(of: id) else { throw Failure.missing("entry") }
        var fields = try newest.stored.readable()
        let rows = fields["values"]?.arrayValue ?? []
        let current = rows.first { $0["locale"]?.stringValue == locale.text }?["value"]?.stringValue ?? ""
        guard current == old else {
            let label = fields["title"]?.stringValue ?? "value"
            throw Failure.stale([
                StaleValue(
                    key: id.description, label: label, base: old, theirs: current, mine: new, author: newest.author)
            ])
        }
        fields["values"] = Self.values(rows, locale, new)
        return try await WriteEntry(database: database, rules: rules).edit(
            id, fields: fields, base: newest.number, note: "In \(locale.text)", publishTiming: publishTiming, by: actor)
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
