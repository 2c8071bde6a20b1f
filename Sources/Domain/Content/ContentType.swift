// The shape of an entry: its fields, its rules and what a guest may see. Data, not code.

package struct ContentType: Sendable, Equatable {
    /// What entries of this type become in the read tables.
    package enum Kind: String, Sendable, CaseIterable, Codable {
        case item, feed, category
        case categoryGroup = "category_group"
        case city, place, promotion
        case onboardingSet = "onboarding_set"
        case text, setting
        case route, badge
        case list
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
    package let requiredApprovals: Int
    package let fields: [Field]
    /// Of each group of fields at least one must be filled.
    package let requiresOneOf: [[String]]
    /// Of each group of fields all must be filled, or none.
    package let requiresTogether: [[String]]
    /// What must hold across its fields.
    package let rule: ContentRule?
    /// Longer texts are cut to so many characters in the preview.
    package let previewLength: Int?

    package func field(_ name: String) -> Field? {
        fields.first { $0.name == name }
    }

    /// The fields that hold single values: those of rows in the place of the rows.
    package var leaves: [Field] {
        fields.flatMap { $0.type == .rows ? $0.fields : [$0] }
    }

    /// The content as it is stored: every value of its type, cleaned and within its limits; empty ones left out.
    ///
    /// Throws `Failure.invalid` with every message at once, at pointers such as `/fields/title`. The codes are
    /// `required`, `unknown_field`, `type`, `too_long`, `too_short`, `too_large`, `too_small`, `format`, `choice`,
    /// `reference`, `scheme`, `control_characters`, and what its rule adds: `duplicate` and `placeholder`. Whether a referenced entry exists is for the database to say.
    package func check(
        _ raw: [String: JSONValue], purpose: Purpose, cleaning: FieldCleaning
    ) throws(Failure) -> Content {
        let frame = FieldsCheck.PageContext(
            pointer: "/fields", label: "", purpose: purpose, cleaning: cleaning, titleField: titleField,
            slugField: slugField)
        var check = FieldsCheck(fields, in: frame)
        let checked = check.values(of: raw)
        var errors = check.errors
        checkGroups(checked, check, &errors)
        checkTimes(checked, &errors)
        var unknown = FieldsCheck(fields, in: frame)
        unknown.refuseUnknown(in: raw)
        errors.add(unknown.errors)
        // Values that are wrong by themselves have messages enough.
        if let rule, purpose == .revision, errors.isEmpty {
            errors.add(rule.check(checked) { RowsCheck.positions(of: raw[$0]) })
        }
        try errors.throwIfAny()
        return Content(fields: checked)
    }

    private func checkGroups(_ checked: [String: JSONValue], _ check: FieldsCheck, _ errors: inout FieldErrors) {
        for group in requiresOneOf {
            let open = group.compactMap(field).filter(check.isOpen)
            // A value that was refused was given all the same, and has its own message.
            guard let first = open.first,
                !open.contains(where: { checked[$0.name] != nil || !errors.messages(at: $0.pointer).isEmpty })
            else { continue }
            let labels = open.map(\.label).joined(separator: ", ")
            errors.add(first.pointer, "required", "At least one of these is needed: \(labels).")
        }
        for group in requiresTogether.map({ $0.compactMap(field).filter(check.isOpen) })
        where group.contains(where: { checked[$0.name] != nil }) {
            let labels = group.map(\.label).joined(separator: ", ")
            for field in group where checked[field.name] == nil && errors.messages(at: field.pointer).isEmpty {
                errors.add(
                    field.pointer, "required", "\(field.label): this is needed too. They belong together: \(labels).")
            }
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
}
