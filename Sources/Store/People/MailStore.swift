// Mails: rendered in the transaction of the action that causes them, into the outbox.
import Domain
import FoundationEssentials
import Localization
import Postgres

package struct MailRow: Sendable {
    package let id: ID<Mail>
    package let key: String
    package let recipient: String
    package let account: ID<Account>?
    package let submission: ID<Submission>?
    package let locale: String
    package let subject: String
    package let body: String
    package let link: MailDraft.Link?
    package let state: MailState
    package let attempts: Int
    package let lastError: String?

    init(row: Row) throws {
        id = try row("id")
        key = try row("key")
        recipient = try row("recipient")
        account = try row("account_id")
        submission = try row("submission_id")
        locale = try row("locale")
        subject = try row("subject")
        body = try row("body")
        link = try row("link")
        state = try row("state")
        attempts = try row("attempts")
        lastError = try row("last_error")
    }
}

package struct MailStore: Sendable {
    let connection: StoreConnection

    private static let columns: SQL = """
        id, key, recipient, account_id, submission_id, locale, subject, body, link, state, attempts, last_error
        """

    // MARK: Writing

    /// Writes a mail in the recipient's language, from the published texts; false when a mail with this `dedupe`
    /// exists. `values` replace the placeholders; with `link`, {link} is replaced when the mail is sent. Throws
    /// `Failure.refused` when the texts are not published.
    @discardableResult
    package func write(
        _ text: MailText, to person: MailRecipient, _ values: [String: String] = [:], link: MailDraft.Link? = nil,
        about submission: ID<Submission>? = nil, dedupe: String
    ) async throws -> Bool {
        let (locale, subject, body) = try await texts(text, in: person.locale)
        var values = values
        values["name"] = person.name
        if link != nil { values["link"] = String(MailDraft.linkPlaceholder) }
        let filled = TextRule.fill(body, values)
        // A text without {link} needs no link.
        let draft = MailDraft(
            key: text.rawValue, recipient: person.email, account: person.account, submission: submission,
            locale: locale,
            subject: PlainText.singleLine(TextRule.fill(subject, values)), body: filled,
            link: filled.contains(MailDraft.linkPlaceholder) ? link : nil, dedupe: dedupe)
        return try await add(draft)
    }

    private func texts(_ text: MailText, in locale: String) async throws -> (String, String, String) {
        if let found = try await published(text, in: locale) { return found }
        throw Failure.refused(
            code: "mail_text",
            message: tr(
                "Nothing can be sent: publish the texts \(text.rawValue) and \(text.subjectKey) first, in "
                    + "\(locale) or in a language of the setting locales.fallback."))
    }

    /// Subject and body in the closest language in which both are published.
    private func published(_ text: MailText, in locale: String) async throws -> (String, String, String)? {
        let language = ReadLanguage(LanguageTag(locale))
        return try await connection.first(
            """
            select b.locale, s.value as subject, b.value as body
            from (select \(language.chain) as chain) c
            join api_v1.text b on b.key = \(text.rawValue) and b.locale = any(c.chain)
            join api_v1.text s on s.key = \(text.subjectKey) and s.locale = any(c.chain)
            order by array_position(c.chain, b.locale), array_position(c.chain, s.locale) limit 1
            """
        ) { (try $0("locale") as String, try $0("subject") as String, try $0("body") as String) }
    }

    /// What mails say for these reasons of rejections: in the contributor's language if the team has translated it, else in
    /// English.
    package func reasons(_ reasons: [String], in locale: String) async throws -> [String: String] {
        let translated = try await texts(reasons.map { "mail.reason_\($0)" }, in: locale)
        return reasons.reduce(into: [:]) { texts, reason in
            texts[reason] = translated["mail.reason_\(reason)"] ?? RejectReason(rawValue: reason)?.label
        }
    }

    /// A short published text in the closest available language.
    package func text(_ key: String, in locale: String) async throws -> String? {
        try await texts([key], in: locale)[key]
    }

    /// Short published texts by key, each in the closest available language. Missing ones are left out.
    private func texts(_ keys: [String], in locale: String) async throws -> [String: String] {
        let language = ReadLanguage(LanguageTag(locale))
        let found = try await connection.rows(
            """
            select distinct on (t.key) t.key, t.value from (select \(language.chain) as chain) c
            join api_v1.text t on t.key = any(\(keys)::text[]) and t.locale = any(c.chain)
            order by t.key, array_position(c.chain, t.locale)
            """
        ) { (try $0("key") as String, try $0("value") as String) }
        return Dictionary(found) { first, _ in first }
    }

    /// Subject and body as `write` would fill them, and their language; nil if they are not published.
    package func preview(
        _ text: MailText, in locale: String, _ values: [String: String]
    ) async throws -> (locale: String, subject: String, body: String)? {
        guard let (locale, subject, body) = try await published(text, in: locale) else { return nil }
        return (locale, PlainText.singleLine(TextRule.fill(subject, values)), TextRule.fill(body, values))
    }

    private func add(_ draft: MailDraft) async throws -> Bool {
        try await connection.run(
            """
            insert into ops.outbox_message (key, recipient, account_id, submission_id, locale, subject, body, link, dedupe)
            values (\(draft.key), \(draft.recipient), \(draft.account)::uuid, \(draft.submission)::uuid, \(draft.locale), \(draft.subject), \(draft.body),
                \(draft.link), \(draft.dedupe))
            on conflict on constraint mail_once do nothing
            """) > 0
    }

    /// Cancels waiting mails with a link to an account and deletes its unused links, also those of an operator.
    package func revokeLinks(of account: ID<Account>) async throws {
        try await connection.run(
            """
            update ops.outbox_message set state = 'canceled', finished_at = clock_timestamp()
            where account_id = \(account) and link is not null and state = 'waiting'
            """)
        try await connection.run(
            "delete from ops.sign_in_link where account_id = \(account) and used_at is null")
    }

    package func find(_ id: ID<Mail>) async throws -> MailRow? {
        try await connection.first(
            "select \(Self.columns) from ops.outbox_message where id = \(id) and webhook_id is null", MailRow.init)
    }

    /// Creates the link of a claimed mail, valid for `minutes` from now; false when the mail was canceled in the
    /// meantime, its account was disabled, or it is not addressed to its account.
    package func createLink(of mail: ID<Mail>, tokenHash: [UInt8], minutes: Int) async throws -> Bool {
        try await connection.run(
            """
            insert into ops.sign_in_link (token_hash, account_id, purpose, expires_at)
            select \(tokenHash), a.id, m.link, now() + make_interval(mins => \(minutes)::integer)
            from ops.outbox_message m join ops.account a on a.id = m.account_id
            where m.id = \(mail) and m.state = 'waiting' and a.disabled_at is null and a.email = m.recipient
            for share of m
            """) > 0
    }
}
