// Shows the fields of a form as readers will see them, without saving anything.
import Domain
import HTTP
import Localization
import Markup
import Store

enum EntryPreviewPages {
    /// The fields as one audience sees them.
    private struct Audience: Encodable, Sendable {
        /// `guest`, `member`
        let name: String
        let heading: String
        let views: [FieldView]
    }

    /// A rich text for the editor, of a box in which somebody began to write before it was there.
    private struct EditorText: Encodable, Sendable {
        let name: String
        let html: SafeHTML

        /// Nil for another field.
        init?(_ field: Field?, _ form: FormFields) {
            guard let field, field.type == .richText else { return nil }
            let input = FieldInput(of: field)
            name = input.name
            html = RichTextControl(FormValues(form).texts(of: field, at: input), takesFiles: false).html
        }
    }

    private struct Model: Encodable, Sendable {
        let title: String
        /// The slug that the title leads to; nil if one was entered.
        let slug: String?
        let audiences: [Audience]
        let text: EditorText?
    }

    /// `type` is in the query, the typed fields in the form. `only` names the single field to show. Values that can't be
    /// saved are shown as typed; team-only fields are left out.
    static func show(_ request: AdminRequest) async throws -> Response {
        let type = try request.context.rules.type(named: request.text("type") ?? "")
        let only = request.form.first("only")
        let all = FieldForm.values(type, from: request.form)
        let values = all.filter { name, _ in
            type.field(name)?.isInternal == false && (only == nil || only == name)
        }
        let content = Content(fields: values)
        let titles = try await EntryTitles.load([content], of: type, request.database)
        let guest = content.preview(in: type)
        @Sendable func audience(_ name: String, _ heading: String, _ shown: [String: JSONValue]) -> Audience {
            Audience(
                name: name, heading: heading,
                views: type.fields.compactMap { field in
                    shown[field.name].map { FieldView(field, $0, titles: titles, images: request.images) }
                })
        }
        let audiences = try await request.rendering([content, Content(fields: guest)]) {
            let members = audience("member", tr("Members see", context: "preview"), values)
            return only == nil
                ? [members, audience("guest", tr("Guests see", context: "preview"), guest)] : [members]
        }
        return try request.page(
            "admin/entries/preview",
            Model(
                title: EntryPages.shown(content.title(in: type)), slug: try await slug(all, only, type, request),
                audiences: audiences, text: EditorText(only.flatMap { type.field($0) }, request.form)),
            title: tr("Preview", context: "preview"))
    }

    /// Nil if one was entered, and for another field alone.
    private static func slug(
        _ values: [String: JSONValue], _ only: String?, _ type: ContentType, _ request: AdminRequest
    ) async throws -> String? {
        guard let field = type.slugField, values[field] == nil, only == nil || only == field else { return nil }
        return try await SlugHint.slug(for: Content(fields: values).title(in: type), type, request.database)
    }
}
