// Tests password resets (B21): one mail, one link, one use, and no hint whether an account exists.
import Domain
import Operations
import Platform
import Postgres
import Store
import TestSupport
import Testing

@Suite("Forgotten passwords", .databases)
struct ForgottenPasswordTests {
    private func person(_ world: MailWorld, _ email: String = "ann@example.org") async throws -> ID<Account> {
        try await world.test.services.manageAccount.create(
            email: email, name: "Ann", role: .editor, password: "nine velvet otters sing", by: world.operatorActor)
    }

    private func request(_ world: MailWorld, _ email: String, from remoteAddress: String = "192.0.2.9") async throws
        -> Bool
    {
        if case .accepted = try await world.test.services.setPassword.request(
            email: email, remoteAddress: remoteAddress)
        {
            return true
        }
        return false
    }

    @Test("B21: an account gets one mail from the published text; an unknown or disabled email address gets none")
    func oneMail() async throws {
        let world = try await MailWorld.make()
        let id = try await person(world)
        let gone = try await person(world, "gone@example.org")
        try await world.test.services.manageAccount.setDisabled(gone, true, by: world.operatorActor)
        for email in ["Ann@example.org", "nobody@example.org", "gone@example.org"] {
            #expect(try await request(world, email))
        }
        try await world.runTasks()
        let mails = try await world.mails()
        #expect(mails.map(\.account) == [id])
        #expect(mails.first?.key == "mail.password_reset" && mails.first?.link == .passwordReset)
    }

    @Test("B21, S10: known and unknown email addresses write the same rows with the same text")
    func sameWork() async throws {
        let world = try await MailWorld.make()
        _ = try await person(world)
        func rows(_ email: String) async throws -> [String] {
            _ = try await request(world, email)
            return try await world.test.client.query(
                """
                select kind || ' ' || attempts || ' ' || state as row from ops.task where payload ->> 'email' = \(email)
                union all select 'failure' from ops.sign_in_failure where subject = \("reset:\(email)")
                union all select action || coalesce(object_id, '') || detail::text from ops.audit_event
                    where action = 'password_reset.request' and id = (select max(id) from ops.audit_event) order by 1
                """
            ).map { try $0("row") }
        }
        let known = try await rows("ann@example.org")
        #expect(known.count == 3)
        #expect(try await rows("nobody@example.org") == known)
    }

    @Test(
        "B21: three mails per hour and email address, and the same response to more; twenty requests per IP address, then it is refused"
    )
    func throttled() async throws {
        let world = try await MailWorld.make()
        func queued(_ email: String) async throws -> Int {
            try await world.test.client.one("select count(*) as n from ops.task where payload ->> 'email' = \(email)")(
                "n")
        }
        for email in ["ann@example.org", "nobody@example.org"] {
            for number in 1...SetPassword.perAccount + 2 {
                #expect(try await request(world, email, from: "192.0.2.\(number)"))
                #expect(try await queued(email) == min(number, SetPassword.perAccount))
            }
        }
        for number in 1...SetPassword.perIP + 1 {
            let isAccepted = try await request(world, "p\(number)@example.org", from: "198.51.100.7")
            #expect(isAccepted == (number <= SetPassword.perIP))
        }
        // An hour later requests are allowed again.
        try await world.test.client.execute(
            "update ops.sign_in_failure set failed_at = clock_timestamp() - interval '60 minutes 1 second'")
        #expect(try await request(world, "ann@example.org"))
    }

    @Test("B21, S14: a new password ends every other session and link of the account, and stays signed in here")
    func sessions() async throws {
        let world = try await MailWorld.make()
        let id = try await person(world)
        let old = Token.make()
        try await world.database.transaction(by: world.operatorActor, AuditEvent("session.create", on: "session")) {
            try await $0.sessions.add(
                tokenHash: old.hash, account: id, csrf: Token.make().text, remoteAddress: "", userAgent: "", hours: 1)
        }
        for _ in 1...2 { #expect(try await request(world, "ann@example.org")) }
        try await world.runTasks()
        let mails = try await world.mails()
        #expect(mails.count == 2)
        let one = try #require(try await world.link(of: mails[0]))
        let other = try #require(try await world.link(of: mails[1]))
        let choose = world.test.services.setPassword
        func set(_ token: Token, _ password: String = "seven quiet herons wade") async throws -> SignedIn? {
            try await choose.set(
                token, for: .passwordReset, password: password, remoteAddress: "192.0.2.1", userAgent: "test")?
                .session
        }
        // An invalid password doesn't use the link.
        await #expect(throws: Failure.self) { try await set(one, "short") }
        let session = try #require(try await set(one))
        #expect(try await world.database.sessions.find(tokenHash: session.token.hash, idleMinutes: 30)?.account == id)
        #expect(try await world.database.sessions.find(tokenHash: old.hash, idleMinutes: 30) == nil)
        #expect(try await set(one) == nil)
        #expect(try await set(other) == nil)
        let hash = try #require(try await world.database.accounts.find(id)?.passwordHash)
        #expect(try await Password.verify("seven quiet herons wade", against: hash))
    }

    @Test("B21: without the published text the task fails, and the response is the same")
    func unpublished() async throws {
        let world = try await MailWorld.make()
        _ = try await person(world)
        try await world.unpublish("mail.password_reset")
        #expect(try await request(world, "ann@example.org"))
        await #expect(throws: Failure.self) { try await world.runTasks() }
        #expect(try await world.mails().isEmpty)
    }
}
