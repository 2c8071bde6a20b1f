// The values of a template: the view model of a page as plain values.

package indirect enum TemplateValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case int(Int)
    case double(Double)
    case string(String)
    case html(SafeHTML)
    case array([TemplateValue])
    case object([String: TemplateValue])

    /// False for false, null, the empty string and the empty list; true for everything else, including zero.
    var isTrue: Bool {
        switch self {
        case .null: false
        case .bool(let value): value
        case .string(let value): !value.isEmpty
        case .html(let value): !value.html.isEmpty
        case .array(let values): !values.isEmpty
        case .int, .double, .object: true
        }
    }

    /// The bytes of all texts in it, which is most of what a page with it takes to write.
    package var textBytes: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .html(let value): value.html.utf8.count
        case .array(let values): values.reduce(0) { $0 + $1.textBytes }
        case .object(let fields): fields.reduce(0) { $0 + $1.value.textBytes }
        case .null, .bool, .int, .double: 0
        }
    }

    /// Nil for lists and objects, which have no text.
    var text: String? {
        switch self {
        case .null: ""
        case .bool(let value): value ? "true" : "false"
        case .int(let value): String(value)
        case .double(let value): Int(exactly: value).map(String.init) ?? String(value)
        case .string(let value): value
        case .html(let value): value.html
        case .array, .object: nil
        }
    }
}
