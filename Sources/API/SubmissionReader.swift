// Reads a submission from a request: JSON, or a form of either type (A3).
import Domain
import HTTP
import Operations

enum SubmissionReader {
    private static let members = [
        "type", "contributor", "contributor_email", "contributor_locale", "category", "fields",
    ]

    static func draft(_ request: Request, rules: ContentRules) throws -> SubmissionDraft {
        var draft: SubmissionDraft
        if JSONBody.isJSON(request) {
            draft = try json(request)
        } else if case .form(let form) = request.body {
            draft = try self.form(form, rules: rules)
        } else {
            throw Problem(
                415, "unsupported_media_type",
                "Send application/json, application/x-www-form-urlencoded or multipart/form-data.")
        }
        draft.idempotencyKey = try IdempotencyKey.read(request.headers)
        return draft
    }

    private static func json(_ request: Request) throws -> SubmissionDraft {
        var body = try JSONBody(request)
        body.allow(members)
        let type = body.text("type", isRequired: true)
        let fields = body.object("fields", isRequired: true)
        let draft = SubmissionDraft(
            type: type ?? "", contributor: body.text("contributor"), contributorEmail: body.text("contributor_email"),
            contributorLocale: body.text("contributor_locale"),
            category: body.text("category"),
            fields: fields ?? [:])
        try body.errors.throwIfAny()
        return draft
    }

    /// A content field is named `fields.title`, `fields[title]` or, unless it is a known member,
    /// `title`. Texts are converted as in the forms of the admin.
    private static func form(_ form: FormFields, rules: ContentRules) throws -> SubmissionDraft {
        var errors = FieldErrors()
        var own: [String: String] = [:]
        var texts: [String: [String]] = [:]
        for field in form.fields {
            if members.contains(field.name), field.name != "fields" {
                let isFirst = own.updateValue(field.value, forKey: field.name) == nil
                if !isFirst { errors.add(FieldErrors.step(field.name), "duplicate_key", "Send this only once.") }
            } else {
                texts[name(of: field.name), default: []].append(field.value)
            }
        }
        for upload in form.uploads {
            errors.add(
                "/fields" + FieldErrors.step(name(of: upload.name)), "type",
                "Files aren't accepted here. Upload images with POST /v1/media.")
        }
        guard let typeName = own["type"], !typeName.isEmpty else {
            errors.add("/type", "required", "This field is required.")
            throw Failure.invalid(errors)
        }
        try errors.throwIfAny()
        let type = try rules.type(named: typeName)
        var fields: [String: JSONValue] = [:]
        for (name, texts) in texts {
            if let field = type.field(name) {
                fields[name] = field.value(fromForm: texts)
            } else {
                fields[name] = texts.count == 1 ? .string(texts[0]) : .array(texts.map(JSONValue.string))
            }
        }
        return SubmissionDraft(
            type: typeName, contributor: own["contributor"], contributorEmail: own["contributor_email"],
            contributorLocale: own["contributor_locale"],
            category: own["category"], fields: fields)
    }

    private static func name(of formName: String) -> String {
        if formName.hasPrefix("fields.") { return String(formName.dropFirst("fields.".count)) }
        if formName.hasPrefix("fields["), formName.hasSuffix("]") {
            return String(formName.dropFirst("fields[".count).dropLast())
        }
        return formName
    }
}
