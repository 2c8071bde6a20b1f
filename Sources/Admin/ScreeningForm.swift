// The form of the screening rules: fields with what they mean, and what was typed in them.
import Domain
import HTTP

struct ScreeningForm: Encodable, Sendable {
    struct Number: Encodable, Sendable {
        let name: String
        let label: String
        let value: String
        let errors: [String]
    }

    struct Group: Encodable, Sendable {
        let legend: String
        let hint: String
        let numbers: [Number]
    }

    struct Choice: Encodable, Sendable {
        let value: String
        let label: String
        let isChosen: Bool
    }

    let words: String
    let wordErrors: [String]
    let languages: String
    let languageErrors: [String]
    let groups: [Group]
    let approveFrom: [Choice]
    let note: String
    let noteErrors: [String]

    private static let layout: [(legend: String, hint: String, fields: [(name: String, label: String)])] = [
        (
            "Links and length", "Every web address counts, in whatever field.",
            [
                ("links", "More links than"), ("link_points", "points"), ("letters", "Fewer letters of text than"),
                ("length_points", "points"),
            ]
        ),
        (
            "The contributor",
            "A record counts from \(ScreeningRules.leastDecided) decisions on; an hour is one of the clock.",
            [
                ("rejected_percent", "Per cent rejected, at least"), ("record_points", "points"),
                ("per_hour", "More within an hour than"), ("rate_points", "points"),
            ]
        ),
        (
            "Language and past spam",
            "Past spam counts when at least \(SpamScore.leastDecided) submissions were rejected as spam and as many accepted.",
            [("language_points", "Another language, points"), ("learned_points", "Certainly spam, points at most")]
        ),
        ("Levels", "A score from these on is medium or high.", [("medium", "Medium from"), ("high", "High from")]),
        (
            "Trust", "Whoever ever sent spam is neither known nor trusted.",
            [
                ("known_approved", "Known: accepted, at least"),
                ("known_rejected_percent", "Known: per cent rejected, at most"),
                ("trusted_approved", "Trusted: accepted, at least"),
                ("trusted_rejected_percent", "Trusted: per cent rejected, at most"),
            ]
        ),
    ]

    /// What is kept, or with `typed` what was sent and refused.
    init(_ rules: JSONValue, typed: FormFields?, errors: FieldErrors) {
        func text(_ name: String, _ kept: String) -> String { typed?.first(name) ?? kept }
        words = text(
            "words",
            (rules["words"]?.arrayValue ?? []).map {
                "\($0["words"]?.stringValue ?? "") = \($0["points"]?.integerValue ?? 0)"
            }.joined(separator: "\n"))
        languages = text(
            "languages", (rules["languages"]?.arrayValue ?? []).compactMap(\.stringValue).joined(separator: " "))
        func messages(below pointer: String) -> [String] {
            errors.items.filter { $0.pointer.hasPrefix(pointer) }.map(\.message)
        }
        wordErrors = messages(below: "/words")
        languageErrors = messages(below: "/languages")
        groups = Self.layout.map { group in
            Group(
                legend: group.legend, hint: group.hint,
                numbers: group.fields.map { field in
                    Number(
                        name: field.name, label: field.label,
                        value: text(field.name, rules[field.name]?.integerValue.map { String($0) } ?? ""),
                        errors: errors.messages(at: "/\(field.name)"))
                })
        }
        let from = text("approve_from", rules["approve_from"]?.integerValue.map { String($0) } ?? "")
        approveFrom = [("", "Nobody's"), ("1", "Known and trusted contributors'"), ("2", "Trusted contributors'")].map {
            Choice(value: $0.0, label: $0.1, isChosen: $0.0 == from)
        }
        note = text("note", "")
        noteErrors = errors.messages(at: "/note")
    }

    /// What a form says, as the rules are read.
    static func json(_ form: FormFields) -> JSONValue {
        var value: [String: JSONValue] = [:]
        func number(_ text: String) -> JSONValue {
            let text = PlainText.singleLine(text)
            return Int64(text).map(JSONValue.int) ?? (text.isEmpty ? .null : .string(text))
        }
        for field in layout.flatMap(\.fields) { value[field.name] = number(form.first(field.name) ?? "") }
        value["approve_from"] = number(form.first("approve_from") ?? "")
        value["languages"] = .array(
            NormalizedTerms.of(form.first("languages") ?? "").map(JSONValue.string))
        let lines = (form.first("words") ?? "").split(whereSeparator: \.isNewline).filter {
            !PlainText.isBlank(String($0))
        }
        value["words"] = .array(
            lines.map { line in
                let parts = line.split(separator: "=", omittingEmptySubsequences: false)
                return .object([
                    "words": .string(parts.dropLast().joined(separator: " ")),
                    "points": number(String(parts.last ?? "")),
                ])
            })
        return .object(value)
    }
}
