// The schema of catalog item details: the subset of JSON Schema for plain records.
import Domain
import Localization

/// `type`, `properties`, `required`, `items`, `enum`, `minimum`, `maximum`, `minLength`, `maxLength` and the format `uri`, as
/// in JSON Schema 2020-12; `title` and `description` are for people. Other properties are allowed with any value.
package indirect enum DetailSchema: Sendable, Equatable {
    case node(Node)

    package struct Node: Sendable, Equatable {
        var types: [Kind] = []
        var properties: [String: DetailSchema] = [:]
        var required: [String] = []
        var items: DetailSchema?
        var values: [JSONValue] = []
        /// Inclusive minimum of a number.
        var minimum: Double?
        /// Inclusive maximum of a number.
        var maximum: Double?
        /// Minimum length in grapheme clusters.
        var minLength: Int?
        /// Maximum length in grapheme clusters.
        var maxLength: Int?
        /// The format `uri`: an http or https URL, as fields of the type `url` accept it.
        var isURL = false
    }

    enum Kind: String, Sendable, CaseIterable {
        case object, array, string, number, integer, boolean, null
    }

    private var node: Node {
        switch self {
        case .node(let node): node
        }
    }

    // MARK: Reading

    init(reading document: JSONValue, at pointer: String, _ errors: inout FieldErrors) {
        var reader = MemberReader(document, at: pointer)
        var node = Node()
        for name in Self.typeNames(reader.value("type")) {
            if let kind = Kind(rawValue: name) {
                node.types.append(kind)
            } else {
                reader.add("type", "choice", tr("\(name) is not a JSON type."))
            }
        }
        if let properties = reader.value("properties")?.objectValue {
            for (name, schema) in properties {
                node.properties[name] = DetailSchema(
                    reading: schema, at: pointer + "/properties" + FieldErrors.step(name), &errors)
            }
        }
        node.required = reader.texts("required")
        if let items = reader.value("items") {
            node.items = DetailSchema(reading: items, at: pointer + "/items", &errors)
        }
        node.values = reader.list("enum")
        node.minimum = reader.number("minimum")
        node.maximum = reader.number("maximum")
        node.minLength = reader.count("minLength", in: 0...1_000_000)
        node.maxLength = reader.count("maxLength", in: 0...1_000_000)
        if let format = reader.value("format") {
            node.isURL = format == "uri"
            if !node.isURL { reader.add("format", "choice", tr("The only format is uri.")) }
        }
        _ = (reader.value("title"), reader.value("description"), reader.value("$schema"))
        reader.refuseUnknown()
        errors.add(reader.errors)
        self = .node(node)
    }

    /// A string or a list of strings.
    private static func typeNames(_ value: JSONValue?) -> [String] {
        value?.stringValue.map { [$0] } ?? value?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    // MARK: Checking

    /// All errors of a value, at pointers below `pointer`.
    package func check(_ value: JSONValue, at pointer: String = "") -> FieldErrors {
        var errors = FieldErrors()
        check(value, pointer, &errors)
        return errors
    }

    private func check(_ value: JSONValue, _ pointer: String, _ errors: inout FieldErrors) {
        let node = node
        if !node.types.isEmpty, !node.types.contains(where: { Self.matches($0, value) }) {
            let names = node.types.map(\.rawValue).joined(separator: " or ")
            errors.add(pointer, "type", tr("This must be of type \(names)."))
            return
        }
        if !node.values.isEmpty, !node.values.contains(value) {
            errors.add(pointer, "choice", tr("This is not one of the allowed values."))
        }
        switch value {
        case .object(let members):
            for name in node.required where members[name] == nil {
                errors.add(pointer + FieldErrors.step(name), "required", tr("\(name) is missing."))
            }
            for (name, schema) in node.properties {
                if let member = members[name] { schema.check(member, pointer + FieldErrors.step(name), &errors) }
            }
        case .array(let values):
            guard let items = node.items else { return }
            for (index, element) in values.enumerated() { items.check(element, "\(pointer)/\(index)", &errors) }
        case .string(let text):
            checkLength(text, pointer, &errors)
            if node.isURL, !WebURL.isValid(text) {
                errors.add(pointer, "format", tr("Enter a full URL, such as https://example.org/page."))
            }
        case .int(let number): checkSize(Double(number), pointer, &errors)
        case .double(let number): checkSize(number, pointer, &errors)
        case .bool, .null: break
        }
    }

    private func checkLength(_ text: String, _ pointer: String, _ errors: inout FieldErrors) {
        if let minLength = node.minLength, text.count < minLength {
            errors.add(pointer, "too_short", tr("At least \(minLength) characters are required."))
        }
        if let maxLength = node.maxLength, PlainText.isLonger(text, than: maxLength) {
            errors.add(pointer, "too_long", tr("At most \(maxLength) characters are allowed."))
        }
    }

    private func checkSize(_ number: Double, _ pointer: String, _ errors: inout FieldErrors) {
        if let minimum = node.minimum, number < minimum {
            errors.add(pointer, "too_small", tr("Enter \(JSONValue.number(minimum).canonicalText) or more."))
        }
        if let maximum = node.maximum, number > maximum {
            errors.add(pointer, "too_large", tr("Enter \(JSONValue.number(maximum).canonicalText) or less."))
        }
    }

    private static func matches(_ kind: Kind, _ value: JSONValue) -> Bool {
        switch (kind, value) {
        case (.object, .object), (.array, .array), (.string, .string), (.boolean, .bool), (.null, .null): true
        case (.number, .int), (.number, .double), (.integer, .int): true
        default: false
        }
    }
}
