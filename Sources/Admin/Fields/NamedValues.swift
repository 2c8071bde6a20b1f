// The names and values of a field that can have any names: the ones of its type, each by its label, and others.
import Domain

struct NamedValues: Encodable, Sendable {
    /// A name that the type knows.
    struct Known: Encodable, Sendable {
        let member: String
        let title: String
        let text: String
    }

    struct Line: Encodable, Sendable {
        let member: String
        let text: String
    }

    let known: [Known]
    let others: [Line]
    /// Empty lines for further names.
    let added: [Line]
    /// Names that other entries have in this field.
    private(set) var suggestions: [String] = []

    /// `texts`: names and values, alternating, or one text with an object. A text that is no object is a value without a name.
    init(_ field: Field, _ texts: [String]) {
        let texts = texts.count == 1 ? Field.pairs(ofJSON: texts[0]) ?? ["", texts[0]] : texts
        var lines = stride(from: 0, to: texts.count, by: 2).map { index in
            Line(member: texts[index], text: index + 1 < texts.count ? texts[index + 1] : "")
        }
        var known: [Known] = []
        for choice in field.choices {
            let index = lines.firstIndex { $0.member == choice.value }
            let text = index.map { lines.remove(at: $0).text } ?? ""
            known.append(Known(member: choice.value, title: choice.label, text: text))
        }
        self.known = known
        others = lines.filter { !$0.member.isEmpty || !$0.text.isEmpty }
        added = Array(repeating: Line(member: "", text: ""), count: 2)
    }

    mutating func suggest(_ names: [String]) {
        let shown = Set(known.map(\.member) + others.map(\.member))
        suggestions = names.filter { !shown.contains($0) }
    }
}
