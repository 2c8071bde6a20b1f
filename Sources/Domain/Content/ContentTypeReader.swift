// Reads one content type from its file.
import Localization

/// The returned type is valid only if `errors` is empty.
struct ContentTypeReader {
    private let kinds: Set<ContentType.Kind>
    private(set) var errors = FieldErrors()

    init(kinds: Set<ContentType.Kind>) { self.kinds = kinds }

    static let bounds: ClosedRange<Int64> = 1...1_000_000
    private static let maxInputs = 900

    mutating func read(_ document: JSONValue, file: String) -> ContentType {
        var reader = MemberReader(document, at: file + "#")
        let name = reader.text("name")
        if file != name + ".json" {
            reader.add("name", "format", tr("The type \(name) must be in a file named \(name).json."))
        }
        checkName(name, "name", &reader)
        let fields = reader.list("fields").enumerated().map { index, value in
            readField(value, at: "\(file)#/fields/\(index)")
        }
        let type = ContentType(
            name: name,
            label: reader.text("label"),
            plural: reader.text("plural"),
            help: reader.text("help"),
            kind: ContentType.Kind(rawValue: reader.choice("kind", among: kinds.map(\.rawValue).sorted()) ?? "other"),
            titleField: reader.text("title_field"),
            slugField: reader.optionalText("slug_field"),
            submittable: reader.flag("submittable", default: false),
            fourEyes: reader.flag("four_eyes", default: false),
            requiredApprovals: reader.count("required_approvals", in: 1...10) ?? 1,
            requiresNote: reader.flag("require_note", default: false),
            fields: fields,
            requiresOneOf: Self.groups("requires_one_of", &reader),
            requiresTogether: Self.groups("requires_together", &reader),
            rule: reader.value("rule") == nil ? nil : reader.choice("rule"),
            previewLength: reader.count("preview_length", in: 20...Self.bounds.upperBound),
            removedFields: reader.texts("removed_fields"))
        checkFields(of: type, &reader)
        reader.refuseUnknown()
        errors.add(reader.errors)
        return type
    }

    private static func groups(_ member: String, _ reader: inout MemberReader) -> [[String]] {
        reader.list(member).map { group in group.arrayValue?.compactMap(\.stringValue) ?? [] }
    }

    private func checkName(_ name: String, _ member: String, _ reader: inout MemberReader) {
        guard !name.isEmpty else { return }
        let isName =
            name.utf8.count <= 63 && name.utf8.first.map { (0x61...0x7A).contains($0) } == true
            && name.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
        if !isName {
            reader.add(member, "format", tr("Use lowercase letters, digits and underscores, at most 63 characters."))
        }
    }

    private mutating func readField(_ value: JSONValue, at pointer: String) -> Field {
        var reader = MemberReader(value, at: pointer)
        let type: FieldType = reader.choice("type") ?? .text
        let maxLength = reader.count("max_length", in: Self.bounds) ?? type.defaultMaxLength
        let field = Field(
            name: reader.text("name"),
            label: reader.text("label"),
            help: reader.optionalText("help") ?? "",
            type: type,
            required: reader.flag("required", default: false),
            maxLength: maxLength,
            maxBytes: reader.count("max_bytes", in: Self.bounds) ?? type.defaultMaxBytes(maxLength: maxLength),
            minimum: reader.number("minimum"),
            maximum: reader.number("maximum"),
            choices: readChoices(&reader),
            targets: reader.texts("targets"),
            maxCount: reader.count("max_count", in: 1...(type == .rows ? 500 : 10_000)) ?? 100,
            minCount: reader.count("min_count", in: 1...500),
            fields: readRowFields(&reader),
            rowLabel: reader.optionalText("row_label") ?? reader.text("label"),
            preview: reader.flag("preview", default: false),
            isInternal: reader.flag("internal", default: false),
            submittable: reader.flag("submittable", default: !type.isReference),
            default: reader.value("default"),
            counted: reader.flag("counted", default: false),
            countedWithin: reader.optionalText("counted_within"),
            after: reader.optionalText("after"),
            httpsOnly: reader.flag("https_only", default: false))
        checkName(field.name, "name", &reader)
        checkOptions(of: field, &reader)
        reader.refuseUnknown()
        errors.add(reader.errors)
        return field
    }

    /// Reads the fields of a rows field like those of a type; an empty list for other fields.
    private mutating func readRowFields(_ reader: inout MemberReader) -> [Field] {
        let pointer = reader.pointer
        let fields = reader.list("fields").enumerated().map { index, value in
            readField(value, at: "\(pointer)/fields/\(index)")
        }
        checkNames(of: fields, &reader)
        for (index, field) in fields.enumerated() where field.type == .rows {
            reader.add("fields/\(index)/type", "type", tr("Rows can't contain rows."))
        }
        return fields
    }

    private func checkNames(of fields: [Field], _ reader: inout MemberReader) {
        var seen: Set<String> = []
        for (index, field) in fields.enumerated() where !seen.insert(field.name).inserted {
            reader.add("fields/\(index)/name", "duplicate", tr("There are two fields named \(field.name)."))
        }
    }

    private func readChoices(_ reader: inout MemberReader) -> [Field.Choice] {
        let choices = reader.list("choices").enumerated().map { index, value in
            var choice = MemberReader(value, at: "\(reader.pointer)/choices/\(index)")
            let read = Field.Choice(value: choice.text("value"), label: choice.text("label"))
            choice.refuseUnknown()
            reader.add(choice.errors)
            return read
        }
        if Set(choices.map(\.value)).count < choices.count {
            reader.add("choices", "duplicate", tr("Two choices have the same value."))
        }
        return choices
    }

    /// Checks that the options of a field make sense for its type.
    private func checkOptions(of field: Field, _ reader: inout MemberReader) {
        if field.type != .json, (field.type == .choice) != !field.choices.isEmpty {
            let sentence = tr("A choice field requires choices. A json field can have them, other fields can't.")
            reader.add("choices", "required", sentence)
        }
        if field.type.isReference != !field.targets.isEmpty {
            reader.add("targets", "required", tr("A reference field requires targets; other fields can't have them."))
        }
        if (field.type == .rows) != !field.fields.isEmpty {
            reader.add("fields", "required", tr("A rows field requires fields; other fields can't have them."))
        }
        if let minimum = field.minCount, field.type != .rows || minimum > field.maxCount {
            reader.add("min_count", "type", tr("Only a rows field can have min_count, and it can't exceed max_count."))
        }
        // A form request has at most 1,000 inputs, some of which belong to other fields.
        let inputs = field.maxCount * field.fields.reduce(1) { $0 + $1.type.inputs }
        if field.type == .rows, inputs > Self.maxInputs {
            let sentence = tr("This many rows take \(inputs) form inputs; at most \(Self.maxInputs) are possible.")
            reader.add("max_count", "too_large", sentence)
        }
        if field.counted, !field.type.isReference {
            reader.add("counted", "type", tr("Only a reference field can be counted."))
        }
        if field.countedWithin != nil, !field.counted {
            reader.add("counted_within", "type", tr("Only a counted reference field can have counted_within."))
        }
        if field.after != nil, field.type != .datetime {
            reader.add("after", "type", tr("Only a datetime field can have after."))
        }
        if field.httpsOnly, field.type != .url {
            reader.add("https_only", "type", tr("Only a url field can have https_only."))
        }
        if field.preview, field.type == .richText || field.type == .markdown {
            // The preview truncates text, which would break markup.
            reader.add("preview", "type", tr("Text with markup can't be part of the preview. Use a long_text field."))
        }
        if field.preview, field.isInternal {
            reader.add("internal", "type", tr("An internal field can't be part of the preview."))
        }
        if let minimum = field.minimum, let maximum = field.maximum, minimum > maximum {
            reader.add("minimum", "too_large", tr("minimum is greater than maximum."))
        }
        let counts = field.type.isText || field.type == .references
        let limit = field.type == .references ? field.maxCount : field.maxLength
        if counts, let minimum = field.minimum, Int(exactly: minimum).map({ (0...limit).contains($0) }) != true {
            reader.add("minimum", "type", tr("minimum must be a whole number from 0 to \(limit) here."))
        }
    }

    private func checkFields(of type: ContentType, _ reader: inout MemberReader) {
        checkNames(of: type.fields, &reader)
        for name in type.removedFields where type.field(name) != nil {
            reader.add("removed_fields", "duplicate", tr("The type has the field \(name), so it can't be removed."))
        }
        if let title = type.field(type.titleField) {
            if title.type != .text || !title.required {
                reader.add("title_field", "type", tr("The title must be a required field of type text."))
            }
        } else if !type.titleField.isEmpty {
            refuseField(type.titleField, "title_field", of: type, &reader)
        }
        if let slugField = type.slugField {
            if let slug = type.field(slugField) {
                if slug.type != .text { reader.add("slug_field", "type", tr("The slug must be a field of type text.")) }
            } else {
                refuseField(slugField, "slug_field", of: type, &reader)
            }
        }
        for (member, groups) in [
            ("requires_one_of", type.requiresOneOf), ("requires_together", type.requiresTogether),
        ] {
            for (index, group) in groups.enumerated() {
                if group.isEmpty { reader.add("\(member)/\(index)", "type", tr("Enter a list of field names.")) }
                for name in group where type.field(name) == nil {
                    refuseField(name, "\(member)/\(index)", of: type, &reader)
                }
            }
        }
        for (index, field) in type.fields.enumerated() {
            if let other = field.countedWithin, type.field(other)?.type != .reference {
                reader.add("fields/\(index)/counted_within", "reference", tr("Enter the name of a reference field."))
            }
            if let other = field.after, type.field(other)?.type != .datetime {
                reader.add("fields/\(index)/after", "reference", tr("Enter the name of a datetime field."))
            }
        }
        if ![.item, .feed, .other].contains(type.kind), type.leaves.contains(where: { $0.type == .markdown }) {
            // The API shows the rendered HTML of items and feeds only.
            reader.add("fields", "type", tr("Only items and feeds can have Markdown. Use a long_text field."))
        }
        checkDefaults(of: type, &reader)
    }

    private func refuseField(_ name: String, _ member: String, of type: ContentType, _ reader: inout MemberReader) {
        let sentence = tr("There is no field named \(name).")
        reader.add(member, "unknown_field", Suggestion.sentence(sentence, for: name, among: type.fields.map(\.name)))
    }

    private func checkDefaults(of type: ContentType, _ reader: inout MemberReader) {
        let context = FieldsCheck.Context(
            pointer: "", label: "", purpose: .revision,
            cleaning: FieldCleaning(
                richText: { text, _ in FieldCleaning.Cleaned(html: text) },
                markdown: { FieldCleaning.Cleaned(html: $0) }), titleField: type.titleField,
            slugField: type.slugField)
        for (index, field) in type.fields.enumerated() {
            checkDefault(of: field, at: "fields/\(index)", context, &reader)
            for (inner, field) in field.fields.enumerated() {
                let context = FieldsCheck.Context(
                    pointer: "", label: "", purpose: .revision, cleaning: context.cleaning)
                checkDefault(of: field, at: "fields/\(index)/fields/\(inner)", context, &reader)
            }
        }
    }

    private func checkDefault(
        of field: Field, at pointer: String, _ context: FieldsCheck.Context, _ reader: inout MemberReader
    ) {
        guard let value = field.default else { return }
        var check = FieldCheck(field, in: context)
        let stored = check.value(of: value)
        for item in check.errors.items {
            reader.add("\(pointer)/default", item.code, item.message)
        }
        if check.errors.isEmpty, stored != value {
            reader.add("\(pointer)/default", "format", tr("Enter the default as it is stored."))
        }
    }
}
