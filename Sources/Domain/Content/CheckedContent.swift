// Content that passed all checks, with what the checks changed and what is derived from it.

package struct CheckedContent: Sendable {
    package let content: Content
    /// What was removed from the input, at its fields: not errors, but its author should know. Codes: `removed`
    /// (markup) and `control_characters`.
    package let warnings: FieldErrors
    /// Of an entry's version; empty for a submission.
    package var texts = DerivedTexts()
}

/// What a version of an entry stores beside its fields.
package struct DerivedTexts: Sendable, Equatable {
    /// The text of all markup fields without the markup, for search and previews.
    package var plain = ""
    /// The sanitized HTML of Markdown, by the path of its value: `body`, `values/0/value` (B61).
    package var html: [String: String] = [:]

    package init(plain: String = "", html: [String: String] = [:]) {
        self.plain = plain
        self.html = html
    }

    /// `html` as it is stored; nil if there is none.
    package var storedHTML: String? {
        html.isEmpty ? nil : JSONValue.object(html.mapValues(JSONValue.string)).canonicalText
    }
}
