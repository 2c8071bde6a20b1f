// The shape of an entry: its fields, its rules and what a guest may see. Data, not code.

package struct ContentType: Sendable, Equatable {
    /// What entries of this type become in the read tables.
    package enum Kind: String, Sendable, CaseIterable, Codable {
        case item, feed, category
        case categoryGroup = "category_group"
        case city, place, promotion
        case other
    }

    /// What content is checked for.
    package enum Purpose: Sendable {
        /// Sent in: only submittable fields, none of the references that curators choose, no defaults.
        case submission
        /// A version of an entry: all fields, defaults filled.
        case revision
    }

    package let name: String
    package let label: String
    package let plural: String
    package let help: String
    package let kind: Kind
    package let titleField: String
    package let slugField: String?
    /// Submissions may be of this type.
    package let submittable: Bool
    /// The author of a revision may not consent to it.
    package let fourEyes: Bool
    /// How many accounts must consent before a revision counts as approved.
    package let consents: Int
    package let fields: [Field]
    /// Of each group of fields at least one must be filled.
    package let requiresOneOf: [[String]]
    /// Longer texts are cut to so many characters in the preview.
    package let previewLength: Int?

    package func field(_ name: String) -> Field? {
        fields.first { $0.name == name }
    }

    /// The content as it is stored: every value of its type, cleaned and within its limits; empty ones left out.
    ///
    /// Throws `Failure.invalid` with every message at once, at pointers such as `/fields/title`. The codes are
    /// `required`, `unknown_field`, `type`, `too_long`, `too_short`, `too_large`, `too_small`, `format`, `choice`,
    /// `reference`, `scheme` and `control_characters`. Whether a referenced entry exists is for the database to say.
    package func check(
        _ raw: [String: JSONValue], purpose: Purpose, cleaning: FieldCleaning
    ) throws(Failure) -> Content {
        var errors = FieldErrors()
        var checked: [String: JSONValue] = [:]
        for field in fields where isOpen(field, for: purpose) {
            var value: JSONValue?
            var isGood = true
            if let given = raw[field.name] {
                var check = FieldCheck(field: field, type: self, cleaning: cleaning)
                value = check.value(of: given)
                errors.add(check.errors)
                isGood = check.errors.isEmpty
            }
            if let value = value ?? (purpose == .revision && isGood ? field.default : nil) {
                checked[field.name] = value
            } else if isGood, isRequired(field, for: purpose) {
                errors.add(field.pointer, "required", "\(field.label): this is needed.")
            }
        }
        checkGroups(raw, checked, purpose: purpose, &errors)
        checkTimes(checked, &errors)
        refuseUnknown(raw, purpose: purpose, &errors)
        try errors.throwIfAny()
        return Content(fields: checked)
    }

    private func isOpen(_ field: Field, for purpose: Purpose) -> Bool {
        purpose == .revision || field.submittable
    }

    private func isRequired(_ field: Field, for purpose: Purpose) -> Bool {
        field.required && (purpose == .revision || !field.type.isReference)
    }

    private func checkGroups(
        _ raw: [String: JSONValue], _ checked: [String: JSONValue], purpose: Purpose, _ errors: inout FieldErrors
    ) {
        for group in requiresOneOf {
            let open = group.compactMap(field).filter { isOpen($0, for: purpose) }
            // A value that was refused was given all the same, and has its own message.
            guard let first = open.first,
                !open.contains(where: { checked[$0.name] != nil || !errors.messages(at: $0.pointer).isEmpty })
            else { continue }
            let labels = open.map(\.label).joined(separator: ", ")
            errors.add(first.pointer, "required", "At least one of these is needed: \(labels).")
        }
    }

    /// A time that must be after another one is later than it, not the same (B51).
    private func checkTimes(_ checked: [String: JSONValue], _ errors: inout FieldErrors) {
        for field in fields {
            guard let other = field.after.flatMap(self.field),
                let later = checked[field.name]?.stringValue.flatMap(Timestamp.init),
                let earlier = checked[other.name]?.stringValue.flatMap(Timestamp.init), !later.isAfter(earlier)
            else { continue }
            errors.add(field.pointer, "too_small", "\(field.label): this must be later than \(other.label).")
        }
    }

    private func refuseUnknown(_ raw: [String: JSONValue], purpose: Purpose, _ errors: inout FieldErrors) {
        let unknown = raw.keys.filter { name in field(name).map { !isOpen($0, for: purpose) } ?? true }.sorted()
        if unknown.isEmpty { return }
        let open = Set(fields.filter { isOpen($0, for: purpose) }.map(\.name))
        // A body of nothing but unknown fields needs no message for each.
        for name in unknown.prefix(20) {
            let message =
                field(name).map { "\($0.label): this is not for submissions to set." }
                ?? Suggestion.sentence("There is no field of this name.", for: name, among: open)
            errors.add("/fields" + FieldErrors.step(name), "unknown_field", message)
        }
    }
}
