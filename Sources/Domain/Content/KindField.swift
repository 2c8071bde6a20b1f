// A field that the read tables of a kind need, or read if a type has it; checked when content types are loaded.
import Localization

package struct KindField: Sendable, Equatable {
    package let name: String
    let types: [FieldType]
    /// Whether every entry must have a value: the field is required or has a default.
    let isRequired: Bool
    /// The kinds of the entries that it may refer to.
    let targets: Set<ContentType.Kind>
    /// The numbers that its column holds, inclusive.
    let range: ClosedRange<Int>?
    /// What is read of each row.
    package let fields: [KindField]

    package static let title = KindField("title", .text)
    /// The slug field of the type, which needs no value of its own: it is made from the title.
    package static let slug = KindField("slug", .text)
    /// Translated names.
    package static let names = KindField(
        "names", .rows, isRequired: false, fields: [KindField("locale", .locale), KindField("name", .text)])

    /// The numbers of an integer column.
    package static let integers = Int(Int32.min)...Int(Int32.max)

    package init(
        _ name: String, _ types: FieldType..., isRequired: Bool = true, targets: Set<ContentType.Kind> = [],
        range: ClosedRange<Int>? = nil, fields: [KindField] = []
    ) {
        self.name = name
        self.types = types
        self.isRequired = isRequired
        self.targets = targets
        self.range = range
        self.fields = fields
    }

    /// Adds what is wrong with the field of this name among `fields`, at pointers below `pointer`. `kinds` are those of all
    /// content types.
    func check(
        _ fields: [Field], of type: ContentType, at pointer: String, _ kinds: [String: ContentType.Kind],
        _ errors: inout FieldErrors
    ) {
        let kind = type.kind.rawValue
        if self == .slug {
            guard type.slugField != name else { return }
            return errors.add("\(pointer)/slug_field", "required", tr("The slug field of the kind \(kind) is slug."))
        }
        guard let index = fields.firstIndex(where: { $0.name == name }) else {
            guard isRequired else { return }
            return errors.add("\(pointer)/fields", "required", tr("The kind \(kind) requires a field named \(name)."))
        }
        let (field, pointer) = (fields[index], "\(pointer)/fields/\(index)")
        if !types.contains(field.type) {
            let names = types.map(\.rawValue).joined(separator: ", ")
            errors.add("\(pointer)/type", "type", tr("The kind \(kind) requires one of these types: \(names)."))
        }
        if isRequired, !field.required, field.default == nil {
            errors.add("\(pointer)/required", "required", tr("The kind \(kind) requires a value: make it required."))
        }
        if let range, field.minimum ?? -.infinity < Double(range.lowerBound) {
            errors.add("\(pointer)/minimum", "too_small", tr("Enter \(range.lowerBound) or more."))
        }
        if let range, field.maximum ?? .infinity > Double(range.upperBound) {
            errors.add("\(pointer)/maximum", "too_large", tr("Enter \(range.upperBound) or less."))
        }
        for target in field.targets where !targets.isEmpty {
            // An unknown type has its own message.
            guard let found = kinds[target], !targets.contains(found) else { continue }
            let names = targets.map(\.rawValue).sorted().joined(separator: ", ")
            errors.add("\(pointer)/targets", "reference", tr("\(target) is not of the kind \(names)."))
        }
        for inner in self.fields where field.type == .rows {
            inner.check(field.fields, of: type, at: pointer, kinds, &errors)
        }
    }
}
