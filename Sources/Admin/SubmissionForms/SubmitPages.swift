// The page of a submission form: people without an account send a submission with it, in a frame of another site if its origin
// is listed. It needs neither cookies nor a script.
import Domain
import HTTP
import Localization
import Operations
import Store

enum SubmitPages {
    private struct Show: Encodable, Sendable {
        let title: String
        let introduction: String
        let locale: String
        let url: String
        let fields: FieldForm
        let contributor: String
        let email: String
        let requiresName: Bool
        let requiresEmail: Bool
        let emailHint: String
        let contributorErrors: [String]
        let emailErrors: [String]
        /// The field that people don't see; it is shown once it was filled in.
        let website: String
        let websiteErrors: [String]
        let problem: ErrorSummary?
        let draft: TabDraft
    }

    private struct Done: Encodable, Sendable {
        let title: String
        let locale: String
        /// Nil while links can't be made.
        let link: String?
        /// The address that the link is sent to.
        let email: String?
        let again: String
        /// The key of what the tab has kept.
        let draft: String
    }

    private static func draft(_ form: FormRow) -> String { "submission \(form.definition.name)" }

    /// A form that is off, was deleted or never existed: all get the same response. Others respond in their language.
    private static func open(
        _ request: AdminRequest, _ body: @Sendable (FormRow, ContentType) async throws -> Response
    ) async throws -> Response {
        let submit = request.services.submitForm(request.context.statusKey)
        let form = try await submit.open(request.parameters["form"] ?? "").orMissing(tr("submission form is closed,"))
        let type = try request.context.rules.type(named: form.definition.type)
        return await request.response(in: form.definition.locale) { try await body(form, type) }
            .secured(images: request.images, framedBy: form.definition.origins)
            .with("X-Robots-Tag", "noindex, nofollow")
    }

    static func show(_ request: AdminRequest) async throws -> Response {
        try await open(request) { form, type in
            let shown = Set(form.definition.shownFields(of: type).map(\.name))
            let fields = FieldForm(type, values: [:], plain: PlainForm()) { shown.contains($0.name) }
            return try page(request, form, try await EntryPicker.load(fields, request, onlyLive: true))
        }
    }

    private static func page(
        _ request: AdminRequest, _ form: FormRow, _ fields: FieldForm, errors: FieldErrors = FieldErrors()
    ) throws -> Response {
        var request = request
        let definition = form.definition
        // What was sent before can't be sent again with another content.
        let isUsed = errors.items.contains { $0.code == "key_reused" }
        request.pass = try request.services.submitForm(request.context.statusKey)
            .pass(form, sent: isUsed ? nil : request.form.first("csrf")).text
        let model = Show(
            title: definition.title, introduction: definition.introduction, locale: definition.locale,
            url: AdminURL.submit(definition.name), fields: fields,
            contributor: request.form.first("contributor") ?? "", email: request.form.first("contributor_email") ?? "",
            requiresName: !definition.allowsAnonymous, requiresEmail: definition.requiresEmail,
            emailHint: tr("We send you the link to follow your submission. It is never published."),
            contributorErrors: errors.messages(at: "/contributor"),
            emailErrors: errors.messages(at: "/contributor_email"), website: request.form.first("website") ?? "",
            websiteErrors: errors.messages(at: "/website"), problem: ErrorSummary(errors),
            draft: TabDraft(draft(form), at: AdminURL.submit(definition.name), request))
        var response = try request.page("submit/show", model, title: definition.title, status: errors.status)
        if response.status == 429 { response.headers.set("Retry-After", "60") }
        return response
    }

    static func submit(_ request: AdminRequest) async throws -> Response {
        try await open(request) { form, type in
            let shown = Set(form.definition.shownFields(of: type).map(\.name))
            var sent = ContributorForm(request, type) { shown.contains($0.name) }
            // The buttons of lists change the page only, unless it brings files.
            if sent.touched != nil, request.form.uploads.isEmpty {
                return try page(request, form, try await sent.fields())
            }
            let work = request.services.submitForm(request.context.statusKey)
            let actor = work.actor(form, request.request.id, request.request.remoteAddress)
            return try await request.submit(
                orShow: { try page($0, form, try await sent.fields($1), errors: $1) }
            ) {
                let pass = try await work.admit(
                    form, pass: request.form.first("csrf") ?? "", trap: request.form.first("website") ?? "",
                    from: request.request.remoteAddress)
                try await sent.storeImages(by: actor)
                if sent.touched != nil { return try page(request, form, try await sent.fields()) }
                let input = FormInput(
                    contributor: request.form.first("contributor") ?? "",
                    email: request.form.first("contributor_email") ?? "", fields: sent.values)
                let (receipt, isMailed) = try await work(form, input, pass: pass, by: actor)
                return try done(request, form, receipt.id, email: isMailed ? input.email : nil)
            }
        }
    }

    /// Shown once: the private link is in no other page, and in the mail.
    private static func done(
        _ request: AdminRequest, _ form: FormRow, _ submission: ID<Submission>, email: String?
    ) throws -> Response {
        let link = request.context.statusKey.map {
            request.origin + AdminURL.status($0.text(for: submission.bytes, edition: 1))
        }
        let model = Done(
            title: form.definition.title, locale: form.definition.locale, link: link, email: email,
            again: AdminURL.submit(form.definition.name), draft: draft(form))
        return try request.page("submit/done", model, title: tr("Thank you"), status: 201)
    }
}
