// What the details of a catalog's items must be: the part of JSON Schema that describes plain records.

/// `type`, `properties`, `required`, `items`, `enum`, `minimum`, `maximum`, `minLength` and `maxLength`, as in JSON Schema
/// 2020-12; `title` and `description` are for people. Properties that are not named are allowed, whatever they are.
package indirect enum DetailSchema: Sendable, Equatable {
    case node(Node)

    package struct Node: Sendable, Equatable {
        var types: [Kind] = []
        var properties: [String: DetailSchema] = [:]
        var required: [String] = []
        var items: DetailSchema?
        var values: [JSONValue] = []
        /// A number must be at least this.
        var minimum: Double?
        /// A number must be at most this.
        var maximum: Double?
        /// In grapheme clusters, at least.
        var minLength: Int?
        /// In grapheme clusters, at most.
        var maxLength: Int?
    }

    enum Kind: String, Sendable, CaseIterable {
        case object, array, string, number, integer, boolean, null
    }

    private var node: Node {
        switch self {
        case .node(let node): node
        }
    }

    /// The names of the properties that it describes, sorted.
    package var propertyNames: [String] { node.properties.keys.sorted() }

    // MARK: Reading

    init(reading document: JSONValue, at place: String, _ errors: inout FieldErrors) {
        var reader = MemberReader(document, at: place)
        var node = Node()
        for name in Self.words(reader.value("type")) {
            if let kind = Kind(rawValue: name) {
                node.types.append(kind)
            } else {
                reader.add("type", "choice", "\(name) is no type of JSON.")
            }
        }
        if let properties = reader.value("properties")?.objectValue {
            for (name, schema) in properties {
                node.properties[name] = DetailSchema(
                    reading: schema, at: place + "/properties" + FieldErrors.step(name), &errors)
            }
        }
        node.required = reader.texts("required")
        if let items = reader.value("items") {
            node.items = DetailSchema(reading: items, at: place + "/items", &errors)
        }
        node.values = reader.list("enum")
        node.minimum = reader.number("minimum")
        node.maximum = reader.number("maximum")
        node.minLength = reader.count("minLength", in: 0...1_000_000)
        node.maxLength = reader.count("maxLength", in: 0...1_000_000)
        _ = (reader.value("title"), reader.value("description"), reader.value("$schema"))
        reader.refuseUnknown()
        errors.add(reader.errors)
        self = .node(node)
    }

    /// One word, or a list of them.
    private static func words(_ value: JSONValue?) -> [String] {
        value?.stringValue.map { [$0] } ?? value?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    // MARK: Checking

    /// Everything that is wrong with a value, at pointers below `place`.
    package func check(_ value: JSONValue, at place: String = "") -> FieldErrors {
        var errors = FieldErrors()
        check(value, place, &errors)
        return errors
    }

    private func check(_ value: JSONValue, _ place: String, _ errors: inout FieldErrors) {
        let node = node
        if !node.types.isEmpty, !node.types.contains(where: { Self.isOf($0, value) }) {
            let names = node.types.map(\.rawValue).joined(separator: " or ")
            errors.add(place, "type", "This must be of type \(names).")
            return
        }
        if !node.values.isEmpty, !node.values.contains(value) {
            errors.add(place, "choice", "This is none of the allowed values.")
        }
        switch value {
        case .object(let members):
            for name in node.required where members[name] == nil {
                errors.add(place + FieldErrors.step(name), "required", "\(name) is missing.")
            }
            for (name, schema) in node.properties {
                if let member = members[name] { schema.check(member, place + FieldErrors.step(name), &errors) }
            }
        case .array(let values):
            guard let items = node.items else { return }
            for (index, element) in values.enumerated() { items.check(element, "\(place)/\(index)", &errors) }
        case .string(let text): checkLength(text, place, &errors)
        case .int(let number): checkSize(Double(number), place, &errors)
        case .double(let number): checkSize(number, place, &errors)
        case .bool, .null: break
        }
    }

    private func checkLength(_ text: String, _ place: String, _ errors: inout FieldErrors) {
        if let least = node.minLength, text.count < least {
            errors.add(place, "too_short", "At least \(least) characters are needed.")
        }
        if let most = node.maxLength, PlainText.isLonger(text, than: most) {
            errors.add(place, "too_long", "At most \(most) characters are allowed.")
        }
    }

    private func checkSize(_ number: Double, _ place: String, _ errors: inout FieldErrors) {
        if let minimum = node.minimum, number < minimum {
            errors.add(place, "too_small", "At least \(JSONValue.number(minimum).canonicalText) is needed.")
        }
        if let maximum = node.maximum, number > maximum {
            errors.add(place, "too_large", "At most \(JSONValue.number(maximum).canonicalText) is allowed.")
        }
    }

    private static func isOf(_ kind: Kind, _ value: JSONValue) -> Bool {
        switch (kind, value) {
        case (.object, .object), (.array, .array), (.string, .string), (.boolean, .bool), (.null, .null): true
        case (.number, .int), (.number, .double), (.integer, .int): true
        default: false
        }
    }
}
