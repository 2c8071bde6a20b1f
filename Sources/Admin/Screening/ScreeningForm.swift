// The form for new screening rules: its fields with labels, values and errors.
import Domain
import HTTP
import Localization

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

    let terms: String
    let termErrors: [String]
    let languages: String
    let languageErrors: [String]
    let groups: [Group]
    let approveFrom: [Option]
    let note: String
    let noteErrors: [String]

    private static var layout: [(legend: String, hint: String, fields: [(name: String, label: String)])] {
        let points = tr("Points to add")
        return [
            (
                tr("Many links"), tr("Links in all fields count."),
                [("links", tr("More links than")), ("link_points", points)]
            ),
            (
                tr("Short text"), tr("Letters of the text count."),
                [("letters", tr("Fewer letters than")), ("length_points", points)]
            ),
            (
                tr("Many rejections"),
                tr("Counts after \(ScreeningRules.leastDecided) decisions on a contributor."),
                [("rejected_percent", tr("Rejected (%), at least")), ("record_points", points)]
            ),
            (
                tr("Many submissions"), tr("Of one contributor within a clock hour."),
                [("per_hour", tr("More submissions than")), ("rate_points", points)]
            ),
            (
                tr("Other languages"), tr("The text is in no accepted language."),
                [("language_points", points)]
            ),
            (
                tr("Similar to past spam"),
                tr("Needs at least \(SpamScore.leastDecided) spam and \(SpamScore.leastDecided) approved submissions."),
                [("learned_points", tr("Points to add, at most"))]
            ),
            (
                tr("Risk levels"), tr("The risk is low below the points of medium."),
                [("medium", tr("Medium from (points)")), ("high", tr("High from (points)"))]
            ),
            (
                tr("Trust", context: "group"), tr("Contributors who ever sent spam are neither known nor trusted."),
                [
                    ("known_approved", tr("Known: approved, at least")),
                    ("known_rejected_percent", tr("Known: rejected (%), at most")),
                    ("trusted_approved", tr("Trusted: approved, at least")),
                    ("trusted_rejected_percent", tr("Trusted: rejected (%), at most")),
                ]
            ),
        ]
    }

    /// Shows the saved rules, or the rejected input if `typed` is set.
    init(_ rules: JSONValue, typed: FormFields?, errors: FieldErrors) {
        func text(_ name: String, _ saved: String) -> String { typed?.first(name) ?? saved }
        terms = text(
            "terms",
            (rules["terms"]?.arrayValue ?? []).map {
                "\($0["term"]?.stringValue ?? "") = \($0["points"]?.integerValue ?? 0)"
            }.joined(separator: "\n"))
        languages = text(
            "languages", (rules["languages"]?.arrayValue ?? []).compactMap(\.stringValue).joined(separator: " "))
        func messages(below pointer: String) -> [String] {
            errors.items.filter { $0.pointer.hasPrefix(pointer) }.map(\.message)
        }
        termErrors = messages(below: "/terms")
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
        approveFrom = [
            ("", tr("Off", context: "group")), ("1", tr("Known and trusted contributors")),
            ("2", tr("Trusted contributors")),
        ].map {
            Option(value: $0.0, label: $0.1, isChosen: $0.0 == from)
        }
        note = text("note", "")
        noteErrors = errors.messages(at: "/note")
    }

    /// The submitted form as the JSON that `ScreeningRules` reads.
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
        let lines = (form.first("terms") ?? "").split(whereSeparator: \.isNewline).filter {
            !PlainText.isBlank(String($0))
        }
        value["terms"] = .array(
            lines.map { line in
                let parts = line.split(separator: "=", omittingEmptySubsequences: false)
                return .object([
                    "term": .string(parts.dropLast().joined(separator: " ")),
                    "points": number(String(parts.last ?? "")),
                ])
            })
        return .object(value)
    }
}
