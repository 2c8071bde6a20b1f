// Checks the values of several fields together: those of a content, or of one row within it.

/// Made for one object; what is wrong with it is in `errors` afterwards.
struct FieldsCheck {
    /// Where the object stands and how it is checked.
    struct PageContext {
        /// `/fields`, or `/fields/screens/2`.
        let pointer: String
        /// What messages put before the label of a field: nothing, or the name of the row.
        let label: String
        let purpose: ContentType.Purpose
        let cleaning: FieldCleaning
        var titleField: String?
        var slugField: String?
    }

    let fields: [Field]
    let frame: PageContext
    private(set) var errors = FieldErrors()

    init(_ fields: [Field], in frame: PageContext) {
        self.fields = fields
        self.frame = frame
    }

    /// The values to store, with defaults filled in for a revision; empty ones are left out.
    mutating func values(of raw: [String: JSONValue]) -> [String: JSONValue] {
        var checked: [String: JSONValue] = [:]
        for field in fields where isOpen(field) {
            var value: JSONValue?
            var isGood = true
            if let given = raw[field.name] {
                var check = FieldCheck(field, in: frame)
                value = check.value(of: given)
                errors.add(check.errors)
                isGood = check.errors.isEmpty
            }
            if let value = value ?? (frame.purpose == .revision && isGood ? field.default : nil) {
                checked[field.name] = value
            } else if isGood, isRequired(field) {
                add(field.name, "required", "\(frame.label)\(field.label): this is needed.")
            }
        }
        return checked
    }

    /// To be called last: every member that is no field, or is not for submissions to set.
    mutating func refuseUnknown(in raw: [String: JSONValue]) {
        let open = Set(fields.filter(isOpen).map(\.name))
        let unknown = raw.keys.filter { !open.contains($0) }.sorted()
        // A body of nothing but unknown fields needs no message for each.
        for name in unknown.prefix(20) {
            let field = fields.first { $0.name == name }
            let message =
                field.map { "\(frame.label)\($0.label): this is not for submissions to set." }
                ?? Suggestion.sentence("\(frame.label)There is no field of this name.", for: name, among: open)
            add(name, "unknown_field", message)
        }
    }

    func isOpen(_ field: Field) -> Bool {
        frame.purpose == .revision || field.submittable
    }

    private func isRequired(_ field: Field) -> Bool {
        field.required && (frame.purpose == .revision || !field.type.isReference)
    }

    private mutating func add(_ name: String, _ code: String, _ message: String) {
        errors.add(frame.pointer + FieldErrors.step(name), code, message)
    }
}
