// Tests invitations (B60): one mail per email address, from the published text, in the person's language.
import Domain
import Operations
import Platform
import Postgres
import Store
import TestSupport
import Testing

@Suite("Invitations", .databases)
struct InvitationTests {
    @Test(
        "B60: inviting a person queues exactly one mail, rendered from the published text with the name and a link placeholder"
    )
    func oneMail() async throws {
        let world = try await MailWorld.make()
        let id = try await world.invite("Ann@Example.org")
        let mails = try await world.mails()
        let mail = try #require(mails.first)
        #expect(mails.count == 1)
        #expect(mail.key == "mail.invitation" && mail.recipient == "ann@example.org" && mail.account == id)
        #expect(mail.state == .waiting && mail.link == .invitation && mail.locale == "en")
        #expect(mail.subject == "You've been invited")
        #expect(mail.body.hasPrefix("Hello Ann Example,\n") && mail.body.contains(MailDraft.linkPlaceholder))
        #expect(try await world.database.accounts.find(id)?.state == .invited)
    }

    @Test(
        "B60: an email address in use is refused and gets no second mail, in any case and concurrently"
    )
    func twice() async throws {
        let world = try await MailWorld.make()
        let emails = ["ann@example.org", "ANN@example.org", "Ann@Example.ORG", "ann@example.org"]
        let created = try await concurrently(emails) { email in (try? await world.invite(email)) != nil }
        #expect(created.count { $0 } == 1)
        #expect(try await world.mails().count == 1)
        await #expect(
            throws: Failure.invalid(
                FieldErrors(
                    "/email", "taken", "An account with this email address already exists."))
        ) { try await world.invite("aNN@example.org") }
    }

    @Test(
        "B60: without a published text or subject no account is created and the error names the missing text",
        arguments: [
            "mail.invitation", "mail.invitation.subject",
        ])
    func unpublished(key: String) async throws {
        let world = try await MailWorld.make()
        try await world.unpublish(key)
        await #expect {
            try await world.invite("ann@example.org")
        } throws: { error in
            guard case Failure.refused("mail_text", let message) = error else { return false }
            return message.contains("mail.invitation") && message.contains("publish")
        }
        #expect(try await world.mails().isEmpty)
        #expect(try await world.database.accounts.find(email: "ann@example.org") == nil)
    }

    @Test(
        "B60: the mail is in the person's language, its broader form, or a fallback language",
        arguments: [
            ("de-AT", "de", "Hallo"), ("de", "de", "Hallo"), ("fr", "en", "Hello"), ("en", "en", "Hello"),
        ])
    func language(asked: String, got: String, word: String) async throws {
        let world = try await MailWorld.make()
        try await world.rewrite(
            "mail.invitation", [("en", "Hello {name}: {link}"), ("de", "Hallo {name}: {link}")])
        _ = try await world.invite("ann@example.org", locale: asked)
        let mail = try #require(try await world.mails().first)
        #expect(mail.locale == got && mail.body.hasPrefix(word))
    }

    @Test("B60, S5: a name is never expanded as a placeholder or link")
    func names() async throws {
        let world = try await MailWorld.make()
        try await world.rewrite("mail.invitation", [("en", "{name}|{link}")])
        _ = try await world.invite("ann@example.org", name: "{link} \u{1A}{name}")
        let mail = try #require(try await world.mails().first)
        #expect(mail.body == "{link} {name}|\(MailDraft.linkPlaceholder)")
    }

    @Test(
        "B60: a text without {name} or {link} can be neither saved nor published, even if its placeholders aren't marked as required",
        arguments: [
            ("mail.invitation", "Hello {name}"), ("mail.invitation", "Go {link}"), ("mail.password_reset", "Hello"),
            ("mail.invitation", "{name} {link} {city}"),
        ])
    func placeholders(key: String, words: String) async throws {
        let world = try await MailWorld.make()
        await #expect(throws: Failure.self) { try await world.rewrite(key, [("en", words)]) }
        // Past the program: the read table refuses, too.
        let rule = key == "mail.invitation" ? "text_invitation" : "text_password_reset"
        let used = TextRule.placeholders(in: words)
        await #expect {
            try await world.test.client.execute(
                "update api_v1.text set used = \(used)::text[], required = '{}', placeholders = \(used)::text[] where key = \(key)"
            )
        } throws: { ($0 as? PostgresError)?.constraint == rule }
    }

    @Test("B60: a resent invitation is a new mail and invalidates the old link; an active account gets none")
    func again() async throws {
        let world = try await MailWorld.make()
        let id = try await world.invite("ann@example.org")
        let first = try #require(try await world.mails().first)
        let old = try #require(try await world.link(of: first))
        try await world.test.services.invitePerson.resend(id, by: world.operatorActor)
        #expect(try await world.mails(.canceled).map(\.id) == [first.id])
        #expect(try await world.database.accounts.findLink(tokenHash: old.hash, for: .invitation) == nil)
        // The sender that had claimed the old one makes no link any more.
        #expect(try await world.link(of: first) == nil)
        let second = try #require(try await world.mails(.waiting).first)
        let token = try #require(try await world.link(of: second))
        let session = try await world.test.services.setPassword.set(
            token, for: .invitation, name: "Ann B.", password: "nine velvet otters sing", remoteAddress: "192.0.2.1",
            userAgent: "test")
        #expect(session?.session?.name == "Ann B.")
        await #expect(throws: Failure.self) {
            try await world.test.services.invitePerson.resend(id, by: world.operatorActor)
        }
        #expect(try await world.mails().count == 2)
    }

    @Test("S43: an invitation link can't reset a password or sign in, works until it expires, and once")
    func links() async throws {
        let world = try await MailWorld.make()
        _ = try await world.invite("ann@example.org")
        let mail = try #require(try await world.mails().first)
        let token = try #require(try await world.link(of: mail))
        for purpose in [LinkPurpose.signIn, .passwordReset] {
            #expect(try await world.database.accounts.findLink(tokenHash: token.hash, for: purpose) == nil)
        }
        func set() async throws -> SignedIn? {
            try await world.test.services.setPassword.set(
                token, for: .invitation, name: "Ann", password: "nine velvet otters sing", remoteAddress: "192.0.2.1",
                userAgent: "test")?.session
        }
        // Exactly at its end it is over: `>` and not `>=`.
        let atEnd: Bool = try await world.test.client.transaction { transaction in
            try await transaction.execute("set local session_replication_role = replica")
            try await transaction.execute(
                "update ops.sign_in_link set created_at = now() - interval '1 h', expires_at = now()")
            return try await transaction.one(
                "select not exists (select from ops.sign_in_link where expires_at > now()) as over")("over")
        }
        #expect(atEnd)
        #expect(try await set() == nil)
        try await world.test.client.execute("update ops.sign_in_link set expires_at = now() + interval '1 h'")
        #expect(try await set() != nil)
        #expect(try await set() == nil)
    }

    @Test("A disabled account gets no mail with a link, and a queued one is canceled")
    func disabled() async throws {
        let world = try await MailWorld.make()
        let id = try await world.invite("ann@example.org")
        try await world.test.services.manageAccount.setDisabled(id, true, by: world.operatorActor)
        #expect(try await world.mails().map(\.state) == [.canceled])
        await #expect(throws: Failure.self) {
            try await world.test.services.invitePerson.resend(id, by: world.operatorActor)
        }
    }

    @Test("The last administrator can be neither disabled nor given another role; the second one can")
    func lastAdministrator() async throws {
        let world = try await MailWorld.make()
        let manage = world.test.services.manageAccount
        let one = ID<Account>(try #require(try await world.test.actor(.administrator).id))
        await #expect(throws: Failure.self) { try await manage.setDisabled(one, true, by: world.operatorActor) }
        await #expect(throws: Failure.self) { try await manage.setRole(one, .editor, by: world.operatorActor) }
        let two = ID<Account>(try #require(try await world.test.actor(.administrator).id))
        let done = try await concurrently([one, two]) { id in
            (try? await manage.setDisabled(id, true, by: world.operatorActor)) != nil
        }
        #expect(done.count { $0 } == 1)
    }
}
