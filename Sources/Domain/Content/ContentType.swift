// A content type: its fields, rules and preview. Read from a file.
import Localization

package struct ContentType: Sendable, Equatable {
    /// The kind of read-table rows that entries of this type produce. Packs add their own.
    package struct Kind: RawRepresentable, Hashable, Sendable, Codable {
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }

        package static let item = Kind(rawValue: "item")
        package static let feed = Kind(rawValue: "feed")
        package static let category = Kind(rawValue: "category")
        package static let categoryGroup = Kind(rawValue: "category_group")
        package static let onboardingSet = Kind(rawValue: "onboarding_set")
        package static let text = Kind(rawValue: "text")
        package static let setting = Kind(rawValue: "setting")
        /// Without read tables of its own.
        package static let other = Kind(rawValue: "other")

        /// The kinds of the core.
        package static let core: Set<Kind> = [
            .item, .feed, .category, .categoryGroup, .onboardingSet, .text, .setting, .other,
        ]
    }

    /// The purpose of the validation.
    package enum Purpose: Sendable {
        /// A submission: only submittable fields, references are optional, no defaults.
        case submission
        /// A version of an entry: all fields, with defaults.
        case revision
        /// Values that replace those of a version: all fields, each by itself. None is required or has a default; the
        /// version with them is checked as a whole.
        case edit
    }

    package let name: String
    @Translated package var label: String
    @Translated package var plural: String
    @Translated package var help: String
    package let kind: Kind
    package let titleField: String
    package let slugField: String?
    /// Whether users may submit content of this type.
    package let submittable: Bool
    /// Whether the author of a revision may not approve it.
    package let fourEyes: Bool
    /// The number of accounts that must approve a revision before it can be published.
    package let requiredApprovals: Int
    /// Whether a person who writes a revision must describe the change (B2); otherwise the program does without a note.
    package let requiresNote: Bool
    package let fields: [Field]
    /// Groups of fields of which at least one must be filled.
    package let requiresOneOf: [[String]]
    /// Groups of fields of which all or none must be filled.
    package let requiresTogether: [[String]]
    /// The rule across its fields.
    package let rule: ContentRule?
    /// The maximum length of texts in the preview, in characters.
    package let previewLength: Int?
    /// The names of fields that it no longer has: stored content may contain them, new versions don't.
    package let removedFields: [String]

    /// The fields that no reader gets.
    package var internalFields: [String] { fields.filter(\.isInternal).map(\.name) + removedFields }

    /// The fields of plain text that readers get, except title and slug; those within rows as `rows.field`. Markup is searched as
    /// the text that it contains.
    package var textFields: [String] {
        fields.filter { !$0.isInternal && $0.name != titleField && $0.name != slugField }.flatMap { field in
            if field.type == .rows { return field.fields.filter(\.isPlainText).map { "\(field.name).\($0.name)" } }
            return field.isPlainText ? [field.name] : []
        }
    }

    package func field(_ name: String) -> Field? {
        fields.first { $0.name == name }
    }

    /// Whether its entries need a category: no item is published without. Only an approved submission gets the default one.
    package var needsCategory: Bool { kind == .item && field("categories") != nil }

    /// Whether a form says that the field may stay empty. In a group of which one must be filled, that depends on the others.
    package func isOptional(_ field: Field) -> Bool {
        !field.required && !requiresOneOf.contains { $0.contains(field.name) }
    }

    /// The fields with single values, with a rows field replaced by its inner fields.
    package var leaves: [Field] {
        fields.flatMap { $0.type == .rows ? $0.fields : [$0] }
    }

    /// Validates and cleans the values; returns the content to store, without empty values. `base` is the URL that
    /// relative addresses in markup refer to.
    ///
    /// `stored` is what the content replaces. Its values of fields that the type doesn't have, because its file was changed,
    /// stay as they are: nobody can edit them, and an edit of another field must not lose them. `removedFields` drops them.
    ///
    /// Throws `Failure.invalid` with all messages at once, at pointers such as `/fields/title`. The codes are
    /// `required`, `unknown_field`, `type`, `too_long`, `too_short`, `too_large`, `too_small`, `format`, `choice`,
    /// `reference`, `scheme`, `control_characters`, and those of its rule: `duplicate` and `placeholder`. The database
    /// checks whether referenced entries exist.
    package func check(
        _ raw: [String: JSONValue], purpose: Purpose, cleaning: FieldCleaning, base: String? = nil,
        keeping stored: [String: JSONValue] = [:]
    ) throws(Failure) -> CheckedContent {
        let context = FieldsCheck.Context(
            pointer: "/fields", label: "", purpose: purpose, cleaning: cleaning, base: base, titleField: titleField,
            slugField: slugField)
        let kept = undeclared(in: stored)
        let dropped = purpose == .submission ? [] : removedFields
        let raw =
            kept.isEmpty && dropped.isEmpty
            ? raw : raw.filter { !dropped.contains($0.key) && kept[$0.key] != $0.value }
        var check = FieldsCheck(fields, in: context)
        var checked = check.values(of: raw)
        var errors = check.errors
        if purpose != .edit { checkGroups(checked, check, &errors) }
        checkTimes(checked, &errors)
        var unknown = FieldsCheck(fields, in: context)
        unknown.refuseUnknown(in: raw)
        errors.add(unknown.errors)
        var warnings = check.warnings
        // The rule applies only if every value is valid by itself.
        if let rule, purpose == .revision, errors.isEmpty {
            let found = rule.check(&checked, cleaning) { RowsCheck.positions(of: raw[$0]) }
            errors.add(found.errors)
            warnings.add(found.warnings)
        }
        try errors.throwIfAny()
        let fields = checked.merging(kept) { checked, _ in checked }
        return CheckedContent(content: Content(fields: fields), warnings: warnings)
    }

    /// The values of fields that it neither has nor lists as removed.
    package func undeclared(in fields: [String: JSONValue]) -> [String: JSONValue] {
        fields.filter { field($0.key) == nil && !removedFields.contains($0.key) }
    }

    private func checkGroups(_ checked: [String: JSONValue], _ check: FieldsCheck, _ errors: inout FieldErrors) {
        for group in requiresOneOf {
            let open = group.compactMap(field).filter(check.isOpen)
            // A rejected value counts as given and has its own message.
            guard let first = open.first,
                !open.contains(where: { checked[$0.name] != nil || !errors.messages(at: $0.pointer).isEmpty })
            else { continue }
            let labels = open.map(\.label).joined(separator: ", ")
            errors.add(first.pointer, "required", tr("Fill in at least one of: \(labels)."))
        }
        for group in requiresTogether.map({ $0.compactMap(field).filter(check.isOpen) })
        where group.contains(where: { checked[$0.name] != nil }) {
            let labels = group.map(\.label).joined(separator: ", ")
            for field in group where checked[field.name] == nil && errors.messages(at: field.pointer).isEmpty {
                errors.add(
                    field.pointer, "required", tr("\(field.label) is required. Fill in all of: \(labels)."))
            }
        }
    }

    /// A time with `after` must be later (>) than the other field, not equal (B51).
    private func checkTimes(_ checked: [String: JSONValue], _ errors: inout FieldErrors) {
        for field in fields {
            guard let other = field.after.flatMap(self.field),
                let later = checked[field.name]?.stringValue.flatMap(Timestamp.init),
                let earlier = checked[other.name]?.stringValue.flatMap(Timestamp.init), !later.isAfter(earlier)
            else { continue }
            errors.add(field.pointer, "too_small", tr("\(field.label): this must be later than \(other.label)."))
        }
    }
}
