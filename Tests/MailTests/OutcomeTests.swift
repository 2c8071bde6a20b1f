// Tests notifications of contributors: one mail per decision, after the undo window, none when undone.
import Domain
import Fetch
import FoundationEssentials
import Operations
import Platform
import Postgres
import Store
import Tasks
import TestSupport
import Testing

@Suite("Outcome messages", .databases)
struct OutcomeTests {
    private static let texts = [
        ("mail.outcome_approved", "Good news about {title}", "Dear {name}, {title} was accepted. {link}"),
        ("mail.outcome_rejected", "About {title}", "{title}: {reason}. {message} {link}"),
        ("mail.outcome_changes_requested", "About {title}", "{message} Change it at {link}"),
    ]

    private struct Loop {
        let world: MailWorld
        let ann: Actor
        let portal: Actor

        var database: Database { world.database }

        static func make(publishes: Bool = true) async throws -> Loop {
            let world = try await MailWorld.make()
            let write = world.test.services.writeEntry
            for (key, subject, body) in OutcomeTests.texts where publishes {
                for (key, text) in [(key, body), (key + ".subject", subject)] {
                    let names = TextRule.placeholders(in: text)
                    _ = try await write.create(
                        type: "text",
                        fields: [
                            "title": .string(key), "key": .string(key), "section": "mail", "format": "plain",
                            "placeholders": .array(
                                names.map { .object(["name": .string($0), "required": .bool(false)]) }),
                            "values": .array([.object(["locale": "en", "value": .string(text)])]),
                        ], publishTiming: .now, by: world.operatorActor)
                }
            }
            return Loop(
                world: world, ann: try await world.test.actor(.publisher, name: "Ann"),
                portal: try await world.test.clientActor())
        }

        func submit(
            _ email: String? = "carl@example.org", title: String = "Ten cafés", locale: String? = nil
        ) async throws -> ID<Submission> {
            try await world.test.services.receiveSubmission(
                SubmissionDraft(
                    type: "article", contributor: "Carl", contributorEmail: email, contributorLocale: locale,
                    fields: ["title": .string(title), "body": "<p>x</p>"]), by: portal
            ).id
        }

        func decide(_ id: ID<Submission>, _ draft: Decision.Draft) async throws {
            _ = try await world.test.services.decideSubmission(
                id, draft, version: nil, by: ann)
        }

        func undo(_ id: ID<Submission>) async throws {
            try await world.test.services.undoDecision(id, version: nil, by: ann)
        }

        /// Lets the time of all that waits be so long ago.
        func wait(_ interval: String) async throws {
            try await world.test.client.execute(
                "update ops.outcome set decided_at = clock_timestamp() - \(interval)::interval where state = 'waiting'")
        }

        func notify(grace: Int = 10) async throws {
            _ = try await database.work(as: Actor(kind: .system, name: "schedule")) {
                try await NotifyContributors.write(afterMinutes: grace, world.test.rules.types, $0)
            }
        }

        func states(_ id: ID<Submission>) async throws -> [String] {
            try await database.outcomes.list(of: id).map { "\($0.verdict) \($0.state.rawValue)" }
        }
    }

    private static let reject = Decision.Draft(verdict: .reject, reason: .offTopic, message: "Sorry.")

    @Test("A decision is notified once, exactly from the end of its undo window")
    func grace() async throws {
        let loop = try await Loop.make()
        let id = try await loop.submit()
        try await loop.decide(id, Self.reject)
        try await loop.wait("9 minutes 30 seconds")
        try await loop.notify()
        #expect(try await loop.world.mails().isEmpty)
        #expect(try await loop.states(id) == ["reject waiting"])
        try await loop.wait("10 minutes")
        try await loop.notify()
        for _ in 1...3 { try await loop.notify() }
        let mails = try await loop.world.mails()
        #expect(mails.map(\.recipient) == ["carl@example.org"])
        #expect(mails.first?.subject == "About Ten cafés")
        #expect(mails.first?.body == "Ten cafés: Off topic. Sorry. \(MailDraft.linkPlaceholder)")
        #expect(mails.first?.link == .status && mails.first?.submission == id)
        #expect(try await loop.states(id) == ["reject notified"])
    }

    @Test(
        "A contributor is written to in their own language, reason and all, and in English where the team has no other")
    func language() async throws {
        let loop = try await Loop.make(publishes: false)
        let write = loop.world.test.services.writeEntry
        for (key, english, german) in [
            ("mail.outcome_rejected", "No to {title}: {reason} {link}", "Nein zu {title}: {reason} {link}"),
            ("mail.outcome_rejected.subject", "About {title}", "Zu {title}"),
            ("mail.reason_off_topic", nil, "Passt nicht zum Thema."),
        ] as [(String, String?, String)] {
            let values = [("en", english), ("de", german)].compactMap { locale, text in
                text.map { JSONValue.object(["locale": .string(locale), "value": .string($0)]) }
            }
            _ = try await write.create(
                type: "text",
                fields: [
                    "title": .string(key), "key": .string(key), "section": "mail", "format": "plain",
                    "placeholders": .array(
                        TextRule.placeholders(in: german).map {
                            .object(["name": .string($0), "required": .bool(false)])
                        }),
                    "values": .array(values),
                ], publishTiming: .now, by: loop.world.operatorActor)
        }
        let german = try await loop.submit("gerda@example.org", locale: "de-AT")
        let polish = try await loop.submit("pola@example.org", locale: "pl")
        for id in [german, polish] { try await loop.decide(id, Self.reject) }
        try await loop.wait("1 hour")
        try await loop.notify()
        let mails = try await loop.world.mails()
        let subjects = Dictionary(mails.map { ($0.recipient, $0.subject) }) { first, _ in first }
        let bodies = Dictionary(mails.map { ($0.recipient, $0.body) }) { first, _ in first }
        #expect(subjects == ["gerda@example.org": "Zu Ten cafés", "pola@example.org": "About Ten cafés"])
        #expect(
            bodies["gerda@example.org"] == "Nein zu Ten cafés: Passt nicht zum Thema. \(MailDraft.linkPlaceholder)")
        #expect(bodies["pola@example.org"] == "No to Ten cafés: Off topic \(MailDraft.linkPlaceholder)")
    }

    @Test("Without an undo window a decision is notified immediately")
    func noGrace() async throws {
        let loop = try await Loop.make()
        let id = try await loop.submit()
        try await loop.decide(id, Decision.Draft(verdict: .requestChanges, message: "Name them."))
        try await loop.notify(grace: 0)
        #expect(try await loop.world.mails().map(\.key) == ["mail.outcome_changes_requested"])
    }

    @Test("An undone decision is never notified; the next decision is, once")
    func undone() async throws {
        let loop = try await Loop.make()
        let id = try await loop.submit()
        try await loop.decide(id, Self.reject)
        try await loop.undo(id)
        try await loop.wait("1 day")
        try await loop.notify()
        #expect(try await loop.world.mails().isEmpty)
        try await loop.decide(id, Decision.Draft(verdict: .approve))
        try await loop.wait("1 day")
        try await loop.notify()
        #expect(try await loop.world.mails().map(\.key) == ["mail.outcome_approved"])
        #expect(try await loop.states(id) == ["approve notified", "reject superseded"])
        // Undone after the notification: an unsent mail is canceled, and the next decision is notified.
        try await loop.undo(id)
        #expect(try await loop.world.mails().map(\.state) == [.canceled])
        try await loop.decide(id, Self.reject)
        try await loop.wait("1 day")
        try await loop.notify()
        #expect(try await loop.world.mails(.waiting).map(\.key) == ["mail.outcome_rejected"])
    }

    @Test("A sent mail is not canceled by an undo; a new decision sends a new one")
    func undoneLater() async throws {
        let loop = try await Loop.make()
        let id = try await loop.submit()
        try await loop.decide(id, Self.reject)
        try await loop.notify(grace: 0)
        try await loop.world.test.client.execute(
            "update ops.outbox_message set state = 'sent', attempts = 1, finished_at = clock_timestamp()")
        try await loop.undo(id)
        #expect(try await loop.world.mails().map(\.state) == [.sent])
        try await loop.decide(id, Self.reject)
        try await loop.notify(grace: 0)
        #expect(try await loop.world.mails().count == 2)
    }

    @Test("Without an email address or published text nothing is sent, with different reasons")
    func nothingToSend() async throws {
        let loop = try await Loop.make(publishes: false)
        let (none, some) = (try await loop.submit(nil), try await loop.submit())
        for id in [none, some] { try await loop.decide(id, Self.reject) }
        try await loop.notify(grace: 0)
        #expect(try await loop.world.mails().isEmpty)
        #expect(try await loop.states(none) == ["reject no_email"])
        #expect(try await loop.states(some) == ["reject no_text"])
    }

    @Test("Two daemons notify each decision once")
    func atOnce() async throws {
        let loop = try await Loop.make()
        for number in 1...6 { try await loop.decide(try await loop.submit(title: "Part \(number)"), Self.reject) }
        try await concurrently(1...4) { _ in try await loop.notify(grace: 0) }
        try await loop.notify(grace: 0)
        #expect(try await loop.world.mails().count == 6)
    }

    @Test("Decisions of a bulk action are notified one by one; none is when it is undone within the undo window")
    func bulkAction() async throws {
        let loop = try await Loop.make()
        var ids: [ID<Submission>] = []
        for number in 1...3 { ids.append(try await loop.submit(title: "Part \(number)")) }
        let carryOut = loop.world.test.services.runBulkAction
        func reject() async throws -> ID<BulkAction> {
            let bulkAction = try await loop.world.test.services.planBulkAction(.reject, .listed(ids), by: loop.ann)
            _ = try await carryOut(bulkAction, .decide(Self.reject), by: loop.ann)
            return bulkAction
        }
        _ = try await loop.world.test.services.undoBulkAction(try await reject(), by: loop.ann)
        try await loop.notify(grace: 0)
        #expect(try await loop.world.mails().isEmpty)
        _ = try await reject()
        try await loop.notify(grace: 0)
        #expect(Set(try await loop.world.mails().map(\.subject)) == ["About Part 1", "About Part 2", "About Part 3"])
    }

    @Test("A decision replaces an earlier request for changes; a duplicate notifies nobody")
    func replaced() async throws {
        let loop = try await Loop.make()
        let (first, second) = (try await loop.submit(title: "First"), try await loop.submit(title: "Second"))
        try await loop.decide(first, Decision.Draft(verdict: .requestChanges, message: "Name them."))
        try await loop.decide(first, Self.reject)
        try await loop.decide(second, Decision.Draft(verdict: .duplicate, original: .submission(first)))
        try await loop.notify(grace: 0)
        #expect(try await loop.world.mails().map(\.key) == ["mail.outcome_rejected"])
        #expect(try await loop.states(second) == [])
    }

    @Test("S5: a title that looks like a placeholder is not expanded")
    func placeholders() async throws {
        let loop = try await Loop.make()
        let id = try await loop.submit(title: "The {link} and {reason}")
        try await loop.decide(id, Decision.Draft(verdict: .reject, reason: .spam, message: "a\u{1A}b"))
        try await loop.notify(grace: 0)
        let body = try #require(try await loop.world.mails().first?.body)
        #expect(body == "The {link} and {reason}: Spam or advertising. ab \(MailDraft.linkPlaceholder)")
    }

    @Test(
        "A text without a required placeholder, or with an unknown one, is refused",
        arguments: [
            ("mail.outcome_changes_requested", "No way back", 1), ("mail.outcome_changes_requested", "{link}", 0),
            ("mail.outcome_rejected", "No", 1), ("mail.outcome_rejected", "{reason}", 0),
            ("mail.outcome_approved", "Yes", 0), ("mail.outcome_approved", "{reason}", 1),
        ])
    func needed(key: String, text: String, problems: Int) async throws {
        let world = try await MailWorld.make()
        let names = TextRule.placeholders(in: text)
        do {
            _ = try await world.test.services.writeEntry.create(
                type: "text",
                fields: [
                    "title": "T", "key": .string(key), "section": "mail", "format": "plain",
                    "placeholders": .array(names.map { .object(["name": .string($0), "required": .bool(false)]) }),
                    "values": .array([.object(["locale": "en", "value": .string(text)])]),
                ], publishTiming: .now, by: world.operatorActor)
            #expect(problems == 0)
        } catch Failure.invalid(let errors) {
            #expect(errors.items.map(\.code) == Array(repeating: "placeholder", count: problems))
        }
    }

    @Test("A subscribed webhook gets each decision after its undo window, without the contributor's email address")
    func webhook() async throws {
        let loop = try await Loop.make()
        try await loop.world.test.superuser().transaction { transaction in
            try await transaction.execute(
                """
                insert into ops.audit_event (actor_id, action, object_type)
                values ('00000000-0000-7000-8000-000000000001', 'webhook.create', 'webhook')
                """)
            try await transaction.execute(
                """
                insert into ops.webhook (url, events, secret, created_by) values (
                    'https://example.org', array['submission.decided'], 'x', '00000000-0000-7000-8000-000000000001')
                """)
        }
        let id = try await loop.submit()
        try await loop.decide(id, Self.reject)
        try await loop.notify()
        func bodies() async throws -> [String] {
            try await loop.world.test.client.query("select body from ops.outbox_message where webhook_id is not null")
                .map { try $0("body") }
        }
        #expect(try await bodies().isEmpty)
        try await loop.wait("10 minutes")
        try await loop.notify()
        try await loop.notify()
        let body = try #require(try await bodies().first)
        #expect(try await bodies().count == 1)
        let data = try JSONValue(parsing: Array(body.utf8))["data"]
        #expect(data?["submission"]?.stringValue == id.description)
        #expect(data?["verdict"] == "reject" && data?["reason"] == "off_topic" && data?["message"] == "Sorry.")
        #expect(!body.contains("carl"))
    }

    @Test("The mail links to the status page, and the next mail contains a replaced link")
    func link() async throws {
        let key = try #require(SecretBox(key: [UInt8](repeating: 9, count: 32))?.linkKey("status"))
        let loop = try await Loop.make()
        let id = try await loop.submit()
        #expect(try await loop.database.contributors.edition(of: id) == 1)
        try await loop.world.test.services.trackSubmission(key).rotateLink(of: id, by: loop.ann)
        #expect(try await loop.database.contributors.edition(of: id) == 2)
        let mail = try #require(try await loop.world.mails().first)
        #expect(mail.key == "mail.status_link" && mail.recipient == "carl@example.org" && mail.link == .status)
        #expect(mail.body.contains(MailDraft.linkPlaceholder) && !mail.body.contains("/s/"))
        #expect(try await loop.database.contributors.edition(of: ID(UUID())) == nil)
    }

    @Test("S43: a link to a status page is made for the email address of its contributor only")
    func linkForOthers() async throws {
        let loop = try await Loop.make()
        let id = try await loop.submit()
        let editions: [(String, Int?)] = [("carl@example.org", 1), ("thief@example.org", nil)]
        for (recipient, edition) in editions {
            #expect(try await loop.database.contributors.edition(of: id, for: recipient) == edition)
        }
        // As a stolen login of the database could do.
        try await loop.world.test.client.execute(
            """
            insert into ops.outbox_message (key, recipient, submission_id, locale, subject, link, dedupe, body)
            values ('mail.status_link', 'thief@example.org', \(id), 'en', 'Yours', 'status', 'x',
                \(String(MailDraft.linkPlaceholder)))
            """)
        let key = try #require(SecretBox(key: [UInt8](repeating: 9, count: 32))?.linkKey("status"))
        let settings = try Settings.load(environment: [
            "VITRINE_MAIL_URL": "smtp://127.0.0.1:1", "VITRINE_MAIL_FROM": "no-reply@example.org",
            "VITRINE_MAIL_PLAIN": "true",
        ])
        let send = SendMail(
            database: loop.database, rules: try MailRules(settings, statusKey: key),
            client: FetchClient(policy: FetchPolicy(), threads: 1))
        try await SendOutbox(
            database: loop.database, mail: send, webhooks: nil, finished: loop.world.finished,
            log: Logger(level: .error))(.mail)
        #expect(try await loop.world.mails().map(\.state) == [.canceled])
    }
}
