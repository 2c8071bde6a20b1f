// Tests the mail queue: claims, retries, failures, and secrets that are never stored.
import Domain
import Operations
import Platform
import Postgres
import Store
import TestSupport
import Testing

@Suite("Outgoing mail", .databases)
struct OutboxTests {
    @Test("With an unreachable server mails stay queued for a retry, with the reason")
    func deadServer() async throws {
        let world = try await MailWorld.make()
        _ = try await world.invite("ann@example.org")
        try await world.send()
        let mail = try #require(try await world.mails().first)
        #expect(mail.state == .waiting && mail.attempts == 1)
        #expect(mail.lastError?.isEmpty == false)
        // It is not due again at once.
        try await world.send()
        #expect(try await world.mails().first?.attempts == 1)
    }

    @Test("After the last attempt a mail has failed with a reason, and can be retried")
    func givenUp() async throws {
        let world = try await MailWorld.make()
        _ = try await world.invite("ann@example.org")
        try await world.send(attempts: 1)
        let mail = try #require(try await world.mails(.failed).first)
        #expect(mail.lastError?.isEmpty == false && world.finished[.mail, .failed] == 1)
        try await world.test.services.retryTask(mail.id.uuid, by: world.operatorActor)
        #expect(try await world.mails(.waiting).map(\.id) == [mail.id])
        await #expect(throws: Failure.self) {
            try await world.test.services.retryTask(mail.id.uuid, by: world.operatorActor)
        }
    }

    @Test(
        "B63: a test deployment sends only to mail.allowed_recipients",
        arguments: [
            (nil, MailState.failed, "ann@example.org"), ("example.com", .failed, "ann@example.org"),
            ("example.org", .waiting, "ann@example.org"), ("ann@example.org", .waiting, "ann@example.org"),
            ("@Example.org", .waiting, "ann@example.org"), ("Bücher.example", .waiting, "ann@bücher.example"),
            ("x@y.example,ann@bücher.example", .waiting, "Ann@bücher.example"),
        ])
    func testDeployment(only: String?, state: MailState, recipient: String) async throws {
        let world = try await MailWorld.make()
        _ = try await world.invite(recipient)
        var settings = ["VITRINE_ENVIRONMENT": "test"]
        settings["VITRINE_MAIL_ALLOWED_RECIPIENTS"] = only
        try await world.send(settings)
        let mail = try #require(try await world.mails().first)
        #expect(mail.state == state)
        if state == .failed { #expect(mail.lastError?.contains("mail.allowed_recipients") == true) }
    }

    @Test("A mail is claimed by one of many, and by another only after the lease expires")
    func claims() async throws {
        let world = try await MailWorld.make()
        for number in 1...5 { _ = try await world.invite("p\(number)@example.org") }
        let claimed = try await concurrently(0..<6) { _ in
            try await world.database.outbox.claim(.mail, limit: 2).messages.map(\.id.uuid)
        }.flatMap { $0 }
        #expect(claimed.count == 5 && Set(claimed).count == 5)
        try await world.test.client.execute("update ops.outbox_message set next_at = clock_timestamp()")
        let later = try await world.database.outbox.claim(.mail, limit: 9).messages
        #expect(later.count == 5 && later.allSatisfy { $0.attempts == 2 })
    }

    @Test("S43: no table contains a link: neither the queued mail nor its hash reveals it")
    func noSecretAtRest() async throws {
        let world = try await MailWorld.make()
        _ = try await world.invite("ann@example.org")
        let mail = try #require(try await world.mails().first)
        let token = try #require(try await world.link(of: mail))
        let row: String = try await world.test.client.one(
            "select string_agg(m::text, '') || (select string_agg(l::text, '') from ops.sign_in_link l) as row from ops.outbox_message m"
        )("row")
        #expect(!row.contains(token.text) && !row.contains("/welcome/"))
    }

    @Test(
        "The database refuses a mail without a link placeholder or with an invalid recipient",
        arguments: [
            ("body = 'no place'", "mail_link_has_placeholder"),
            ("recipient = E'a@b.example\\r\\nBcc: c@d'", "mail_recipient"),
            ("recipient = 'a b@c.example'", "mail_recipient"),
            ("recipient = 'a@b.example,c@d.example'", "mail_recipient"),
            ("subject = E'a\\nb'", "mail_subject"), ("subject = ' '", "mail_subject"),
            ("state = 'failed', finished_at = now(), last_error = null", "outbox_message_failed_has_reason"),
            ("state = 'sent'", "outbox_message_finished"), ("account_id = null", "mail_link_has_account"),
        ])
    func constraints(change: String, constraint: String) async throws {
        let world = try await MailWorld.make()
        _ = try await world.invite("ann@example.org")
        await #expect {
            try await world.test.client.execute("update ops.outbox_message set \(raw: change)")
        } throws: { ($0 as? PostgresError)?.constraint == constraint }
    }

    @Test(
        "A failed scheduled release queues one mail per publisher, and none without the published text",
        arguments: [
            true, false,
        ])
    func failedRelease(isPublished: Bool) async throws {
        let world = try await MailWorld.make()
        if !isPublished { try await world.unpublish("mail.release_failed") }
        let publisher = try await world.test.actor(.publisher, name: "Pat")
        _ = try await world.test.actor(.editor, name: "Ed")
        let gone = try await world.test.actor(.administrator, name: "Gone")
        _ = try await world.test.actor(.administrator, name: "Ada")
        try await world.test.services.manageAccount.setDisabled(
            ID<Account>(try #require(gone.id)), true, by: world.operatorActor)
        try await world.test.client.transaction { transaction in
            try await transaction.execute(
                "insert into ops.audit_event (actor_id, action, object_type) values (\(SystemActor.system), 'release.fail', 'release')"
            )
            try await transaction.execute(
                """
                insert into curation.release (title, state, local_time, zone, due_at, created_by)
                values ('May Day', 'scheduled', now(), 'UTC', now(), \(SystemActor.system))
                """)
            try await transaction.execute(
                "update curation.release set state = 'failed', failure = 'No category is left.', finished_at = now()")
        }
        try await world.runTasks()
        let mails = try await world.mails()
        #expect(mails.count == (isPublished ? 2 : 0))
        #expect(mails.allSatisfy { $0.key == "mail.release_failed" && $0.body.contains("No category is left.") })
        #expect(mails.allSatisfy { $0.subject == "Failed: May Day" })
        #expect(mails.allSatisfy { $0.body.contains("https://vitrine.example.org/releases/1") })
        if isPublished { #expect(mails.contains { $0.account?.uuid == publisher.id }) }
        // The task again, as after a crash: no second mail.
        try await world.test.client.execute(
            "update ops.task set state = 'waiting', finished_at = null, next_at = now() where kind = 'notify_failure'")
        try await world.runTasks()
        #expect(try await world.mails().count == mails.count)
    }

    @Test("A kind of task that fails repeatedly queues one mail a day")
    func failedTasks() async throws {
        await avoidEndOfHour()
        let world = try await MailWorld.make()
        _ = try await world.test.actor(.publisher, name: "Pat")
        for _ in 1...3 {
            try await world.database.tasks.add(kind: "no_such_task", payload: .object([:]), maxAttempts: 1)
        }
        var tasks: [TaskRow] = []
        while let task = try await world.database.tasks.claim() { tasks.append(task) }
        for task in tasks { _ = try await world.database.tasks.fail(task.id, error: "nobody knows it") }
        #expect(tasks.count == 3)
        try await world.runTasks()
        let mails = try await world.mails()
        #expect(mails.count == 1)
        #expect(mails.first?.body.contains("nobody knows it") == true)
        #expect(mails.first?.body.contains("https://vitrine.example.org/tasks?state=failed") == true)
    }
}
