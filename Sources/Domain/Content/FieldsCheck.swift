// Validates the values of several fields together: those of content or of one row.
import Localization

/// Checks one object; `errors` and `warnings` contain what was found afterwards.
struct FieldsCheck {
    /// The position of the object in the input, and the options of the check.
    struct Context {
        /// `/fields`, or `/fields/screens/2`.
        let pointer: String
        /// The prefix of field labels in messages: empty, or the name of the row.
        let label: String
        let purpose: ContentType.Purpose
        let cleaning: FieldCleaning
        /// The URL that relative addresses in markup refer to.
        var base: String?
        var titleField: String?
        var slugField: String?
    }

    let fields: [Field]
    let context: Context
    private(set) var errors = FieldErrors()
    private(set) var warnings = FieldErrors()

    init(_ fields: [Field], in context: Context) {
        self.fields = fields
        self.context = context
    }

    /// The values to store, with defaults for a revision and without empty values.
    mutating func values(of raw: [String: JSONValue]) -> [String: JSONValue] {
        var checked: [String: JSONValue] = [:]
        for field in fields where isOpen(field) {
            var value: JSONValue?
            var isValid = true
            if let given = raw[field.name] {
                var check = FieldCheck(field, in: context)
                value = check.value(of: given)
                errors.add(check.errors)
                warnings.add(check.warnings)
                isValid = check.errors.isEmpty
            }
            if let value = value ?? (context.purpose == .revision && isValid ? field.default : nil) {
                checked[field.name] = value
            } else if isValid, isRequired(field) {
                add(field.name, "required", tr("\(context.label)\(field.label) is required."))
            }
        }
        return checked
    }

    /// Call last: rejects members that are not fields, or that submissions can't set.
    mutating func refuseUnknown(in raw: [String: JSONValue]) {
        let open = Set(fields.filter(isOpen).map(\.name))
        for name in Suggestion.unknown(raw.keys, besides: open) {
            let field = fields.first { $0.name == name }
            let message =
                field.map { tr("\(context.label)\($0.label): submissions can't set this field.") }
                ?? Suggestion.sentence(tr("\(context.label)Unknown field name."), for: name, among: open)
            add(name, "unknown_field", message)
        }
    }

    func isOpen(_ field: Field) -> Bool {
        context.purpose != .submission || field.submittable
    }

    private func isRequired(_ field: Field) -> Bool {
        switch context.purpose {
        case .submission: field.required && !field.type.isReference
        case .revision: field.required
        case .edit: false
        }
    }

    private mutating func add(_ name: String, _ code: String, _ message: String) {
        errors.add(context.pointer + FieldErrors.step(name), code, message)
    }
}
