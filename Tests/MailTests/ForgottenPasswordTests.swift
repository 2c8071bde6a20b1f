// Tests the way back of who forgot a password (B21): one mail, one link, one use; and nothing that tells who has an account.
import Accounts
import Domain
import Platform
import Postgres
import Store
import TestSupport
import Testing

@Suite("Forgotten passwords", .databases)
struct ForgottenPasswordTests {
    private func person(_ world: MailWorld, _ email: String = "ann@example.org") async throws -> ID<Account> {
        try await ManageAccount(database: world.database).add(
            email: email, name: "Ann", role: .editor, password: "nine velvet otters sing", by: world.operatorActor)
    }

    private func ask(_ world: MailWorld, _ email: String, from address: String = "192.0.2.9") async throws -> Bool {
        if case .taken = try await SetPassword(database: world.database).ask(email: email, address: address) {
            return true
        }
        return false
    }

    @Test("B21: who has an account gets one mail from the published text; an unknown or disabled address gets none")
    func oneMail() async throws {
        let world = try await MailWorld.make()
        let id = try await person(world)
        let gone = try await person(world, "gone@example.org")
        try await ManageAccount(database: world.database).setDisabled(gone, true, by: world.operatorActor)
        for email in ["Ann@example.org", "nobody@example.org", "gone@example.org"] {
            #expect(try await ask(world, email))
        }
        try await world.runTasks()
        let mails = try await world.mails()
        #expect(mails.map(\.account) == [id])
        #expect(mails.first?.key == "mail.password_reset" && mails.first?.link == .passwordReset)
    }

    @Test("B21, S10: the same is written down for a known and an unknown address: the same rows, the same words")
    func sameWork() async throws {
        let world = try await MailWorld.make()
        _ = try await person(world)
        func rows(_ email: String) async throws -> [String] {
            _ = try await ask(world, email)
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

    @Test("B21: three mails an hour to one address and twenty from one sender, the next is refused, known or not")
    func throttled() async throws {
        let world = try await MailWorld.make()
        for email in ["ann@example.org", "nobody@example.org"] {
            for number in 1...SetPassword.perAccount + 1 {
                #expect(try await ask(world, email, from: "192.0.2.\(number)") == (number <= SetPassword.perAccount))
            }
        }
        for number in 1...SetPassword.perIP + 1 {
            let isClaimed = try await ask(world, "p\(number)@example.org", from: "198.51.100.7")
            #expect(isClaimed == (number <= SetPassword.perIP))
        }
        // An hour later they may ask again.
        try await world.test.client.execute(
            "update ops.sign_in_failure set failed_at = clock_timestamp() - interval '60 minutes 1 second'")
        #expect(try await ask(world, "ann@example.org"))
    }

    @Test("B21, S14: a new password ends every other session and link of the account, and stays signed in here")
    func sessions() async throws {
        let world = try await MailWorld.make()
        let id = try await person(world)
        let old = Token.make()
        try await world.database.change(by: world.operatorActor, AuditEvent("session.create", on: "session")) {
            try await $0.sessions.add(
                tokenHash: old.hash, account: id, csrf: Token.make().text, address: "", agent: "", hours: 1)
        }
        for _ in 1...2 { #expect(try await ask(world, "ann@example.org")) }
        try await world.runTasks()
        let mails = try await world.mails()
        #expect(mails.count == 2)
        let one = try #require(try await world.link(of: mails[0]))
        let other = try #require(try await world.link(of: mails[1]))
        let choose = SetPassword(database: world.database)
        func set(_ token: Token, _ password: String = "seven quiet herons wade") async throws -> SignedIn? {
            try await choose.set(
                token, for: .passwordReset, password: password, address: "192.0.2.1", agent: "test", sessionHours: 1)?
                .session
        }
        // A bad password uses nothing up.
        await #expect(throws: Failure.self) { try await set(one, "short") }
        let session = try #require(try await set(one))
        #expect(try await world.database.sessions.find(tokenHash: session.token.hash, idleMinutes: 30)?.account == id)
        #expect(try await world.database.sessions.find(tokenHash: old.hash, idleMinutes: 30) == nil)
        #expect(try await set(one) == nil)
        #expect(try await set(other) == nil)
        let hash = try #require(try await world.database.accounts.find(id)?.passwordHash)
        #expect(try await Password.verify("seven quiet herons wade", against: hash))
    }

    @Test("B21: without the published text the job fails where it is shown, and the answer is the same")
    func unpublished() async throws {
        let world = try await MailWorld.make()
        _ = try await person(world)
        try await world.unpublish("mail.password_reset")
        #expect(try await ask(world, "ann@example.org"))
        await #expect(throws: Failure.self) { try await world.runTasks() }
        #expect(try await world.mails().isEmpty)
    }
}
