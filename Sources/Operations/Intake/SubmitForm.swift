// Takes what somebody sends with a submission form: guards it against spam, then receives it as from an API client.
import Domain
import FoundationEssentials
import Localization
import Platform
import Store

/// What somebody filled in.
package struct FormInput: Sendable {
    package var contributor: String
    package var email: String
    package var fields: [String: JSONValue]

    package init(contributor: String, email: String, fields: [String: JSONValue]) {
        (self.contributor, self.email, self.fields) = (contributor, email, fields)
    }
}

package struct SubmitForm: Sendable {
    /// In minutes.
    private static let window = 15
    /// Mails to one address within the window; after that, the link is shown only.
    private static let mailsPerAddress = 3

    let database: Database
    let rules: ContentRules
    /// Signs the pages.
    let key: LinkKey?
    /// How often a network may send forms within 15 minutes.
    let perNetwork: Int
    let blocked: Settings.Intake.Blocked

    /// The form with this name, if it is on.
    package func open(_ name: String) async throws -> FormRow? {
        guard FormDefinition.isName(name), let form = try await database.submissionForms.find(name),
            form.definition.isOn
        else { return nil }
        return form
    }

    /// The pass of a page: the one that was sent while it can be sent again, else a new one.
    package func pass(_ form: FormRow, sent text: String?) throws(Failure) -> FormPass {
        guard let key else {
            throw .unavailable("Submission forms are unavailable because webhooks.key can't be used.")
        }
        if let text, let pass = FormPass(text, of: form.id, key: key), pass.age() < FormPass.longest { return pass }
        return FormPass(form.id, key: key)
    }

    /// Checks before anything is read: a filled-in trap (a field that people don't see), a forged or old page, one that was
    /// filled in too fast, and the limit of the network. Throws `Failure.invalid` and, with code `too_many_attempts`,
    /// `Failure.refused`.
    package func admit(
        _ form: FormRow, pass text: String, trap: String, from remoteAddress: String
    ) async throws -> FormPass {
        guard let key, let pass = FormPass(text, of: form.id, key: key), pass.age() < FormPass.longest else {
            throw Failure.invalid(
                FieldErrors(
                    "", "form_expired", tr("This page was open for too long. Check your text, then send it again.")))
        }
        if !trap.isEmpty {
            throw Failure.invalid(FieldErrors("/website", "trap", tr("Leave the field “Website” empty.")))
        }
        if pass.age() < FormPass.shortest {
            throw Failure.invalid(
                FieldErrors("", "too_fast", tr("That was very fast. Check your text, then send it again.")))
        }
        try await database.attempts.admit(
            AttemptLimit.networks(of: remoteAddress, "form-from", most: perNetwork), minutes: Self.window)
        return pass
    }

    /// The form, as the sender of what it receives and of its images.
    package func actor(_ form: FormRow, _ requestID: String?, _ remoteAddress: String) -> Actor {
        Actor(
            kind: .form, id: form.id.uuid, name: form.definition.title, requestID: requestID,
            remoteAddress: remoteAddress)
    }

    /// Receives the submission. Sent twice with the same content, it is stored once. Throws `Failure.invalid` with all
    /// errors at once; `key_reused` if the page was sent before with another content.
    package func callAsFunction(
        _ form: FormRow, _ input: FormInput, pass: FormPass, by actor: Actor
    ) async throws -> (receipt: SubmissionReceipt, isMailed: Bool) {
        let definition = form.definition
        let type = try rules.type(named: definition.type)
        let shown = Set(definition.shownFields(of: type).map(\.name))
        var fields = input.fields.filter { shown.contains($0.key) }
        try await checkPerson(input, fields, definition, type)
        if let feed = definition.feed { fields["feeds"] = .array([.string(feed.description)]) }
        let receive = ReceiveSubmission(
            database: database, rules: rules, allowsAnonymous: definition.allowsAnonymous, blocked: blocked)
        let receipt = try await receive(
            SubmissionDraft(
                type: definition.type, contributor: input.contributor, contributorEmail: input.email,
                contributorLocale: definition.locale, category: definition.category, fields: fields,
                idempotencyKey: pass.idempotencyKey, source: "form"),
            by: actor)
        if !PlainText.isBlank(input.email) {
            let email = try EmailAddress.check(input.email, pointer: "/contributor_email")
            return (receipt, try await mailLink(to: email, receipt, definition, by: actor))
        }
        return (receipt, false)
    }

    /// What the form asks of the person. If something is missing, the errors of the fields are reported with it.
    private func checkPerson(
        _ input: FormInput, _ fields: [String: JSONValue], _ form: FormDefinition, _ type: ContentType
    ) async throws {
        var errors = FieldErrors()
        if !form.allowsAnonymous, PlainText.isBlank(PlainText.singleLine(input.contributor)) {
            errors.add("/contributor", "required", tr("Enter your name."))
        }
        if !PlainText.isBlank(input.email) {
            _ = errors.collect { () throws(Failure) in
                try EmailAddress.check(input.email, pointer: "/contributor_email")
            }
        } else if form.requiresEmail {
            errors.add("/contributor_email", "required", tr("Enter your email address."))
        }
        if errors.isEmpty { return }
        _ = try await errors.collectInvalid { try await rules.checked(fields, as: type, for: .submission) }
        throw Failure.invalid(errors)
    }

    /// Without a published text, and for an address that gets too many, nothing is sent: the page shows the link.
    private func mailLink(
        to email: String, _ receipt: SubmissionReceipt, _ form: FormDefinition, by actor: Actor
    ) async throws -> Bool {
        do {
            // Forms of strangers must not flood anybody's mailbox.
            let subject = "form-mail:" + SHA256.hex(email.lowercased()).prefix(32)
            _ = try await database.attempts.count(
                [AttemptLimit(subject, most: Self.mailsPerAddress)], minutes: Self.window)
            let event = AuditEvent("status_link.create", on: "submission", receipt.id.description)
            _ = try await database.transaction(by: actor, event) { transaction in
                try await transaction.mails.write(
                    .submissionReceived, to: MailRecipient(email: email, name: "", locale: form.locale), link: .status,
                    about: receipt.id, dedupe: "submission_received:\(receipt.id)")
            }
            return true
        } catch is TooManyAttempts {
            return false
        } catch Failure.refused(code: "mail_text", _) {
            return false
        }
    }
}
