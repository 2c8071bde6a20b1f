// Tests every line of "Needs attention" on the home page: what causes it, and that it counts what its list shows.
import Domain
import FoundationEssentials
import Operations
import Platform
import Postgres
import Store
import TestSupport
import Testing

@testable import Admin

@Suite("Needs attention", .databases)
struct AttentionListTests {
    /// A line, and what causes it: as often as `count` says, with something similar that doesn't count beside it.
    struct Cause: Sendable, CustomTestStringConvertible {
        let label: String
        let role: Role
        /// Nil where the content of the deployment decides.
        let count: Int?
        /// The actor is the person who looks.
        let happen: @Sendable (AdminFixture, Actor) async throws -> Void
        /// How many rows the list behind the line shows.
        let rows: @Sendable (BrowserPage) -> Int

        init(
            _ label: String, _ role: Role = .curator, count: Int? = 2, rows: @escaping @Sendable (BrowserPage) -> Int,
            _ happen: @escaping @Sendable (AdminFixture, Actor) async throws -> Void
        ) {
            (self.label, self.role, self.count, self.rows, self.happen) = (label, role, count, rows, happen)
        }

        var testDescription: String { label }
    }

    private static let causes: [Cause] = failures + queue + content + catalogs

    @Test("A line counts what the list behind it shows; without a cause it isn't there", arguments: causes)
    func counts(_ cause: Cause) async throws {
        let fixture = try await AdminFixture.make()
        let actor = try await fixture.test.actor(cause.role, name: "Ann", from: "192.0.2.7")
        let browser = fixture.browser(of: actor)
        #expect(try Self.line(cause.label, on: try await browser.visit("/")) == nil)
        try await cause.happen(fixture, actor)
        let found = try #require(try Self.line(cause.label, on: try await browser.visit("/")))
        let list = try await browser.visit(found.url)
        let rows = cause.rows(list)
        #expect(list.status == 200 && found.count == String(rows), "\(found.url)")
        if let count = cause.count { #expect(rows == count) } else { #expect(rows > 0) }
    }

    /// The number and the URL of a line; nil if it isn't shown.
    private static func line(_ label: String, on page: BrowserPage) throws -> (count: String, url: String)? {
        guard let link = links(page).first(where: { $0.text.hasPrefix(label) }) else { return nil }
        return (String(try #require(link.text.split(separator: " ").last)), link.url)
    }

    @Test("Missing texts are named by their keys, and counted in the navigation; the heading counts the lines")
    func missingTexts() async throws {
        let (fixture, browser) = try await AdminFixture.visited(by: .editor)
        func isInNavigation(_ page: BrowserPage) -> Bool {
            page.links.contains { $0.url == "/texts" && $0.text.hasPrefix("Texts ") && $0.text.hasSuffix(" missing") }
        }
        #expect(!isInNavigation(try await browser.visit("/")))
        let id: ID<Entry> = try await fixture.test.client.one(
            "select id from api_v1.setting where key = 'locales.offered'")("id")
        try await fixture.change(id, "value", to: "en\nfy", .now)
        let page = try await browser.visit("/")
        let line = try #require(Self.links(page).first { $0.text.hasPrefix("Texts missing in fy") })
        let keys: [String] = try await fixture.test.client.query(
            """
            select distinct r.content ->> 'key' as key
            from curation.revision r join curation.entry e on e.id = r.entry_id where e.kind = 'text'
            """
        ).map { try $0("key") }
        #expect(keys.filter { line.text.contains($0) }.count >= 3 && line.text.contains(", …"), "\(line.text)")
        #expect(line.text.contains("Translate") && isInNavigation(page))
        let lines = page.main.ranges(of: "<span class=\"action\">").count
        #expect(lines > 0 && page.says("Needs attention \(lines)"))
    }

    /// Without those of the header and the navigation.
    private static func links(_ page: BrowserPage) -> [(url: String, text: String)] {
        PageReader(String(page.main)).links
    }

    // MARK: Rows of lists

    private static func linked(_ prefix: String) -> @Sendable (BrowserPage) -> Int {
        { page in links(page).count { $0.url.hasPrefix(prefix) } }
    }

    private static func marked(_ html: String) -> @Sendable (BrowserPage) -> Int {
        { page in page.main.ranges(of: html).count }
    }

    private static let retries: @Sendable (BrowserPage) -> Int = { page in
        page.forms.count {
            $0.action.hasPrefix("/tasks/") && $0.action.hasSuffix("/retry") && $0.action != "/tasks/retry"
        }
    }

    // MARK: Causes

    private static let failures: [Cause] = [
        Cause("Failed releases", .editor, rows: marked("<span class=\"tag bad\">Failed</span>")) { fixture, _ in
            try await fixture.article()
            let compose = fixture.test.services.composeRelease
            for title in ["One", "Two", "Later"] {
                // Articles need the default category, so it can't be unpublished.
                let number = try await compose.create(
                    title: title, items: [LiveChange(entry: SeedEntry.unsorted, revision: nil)],
                    by: TestDatabase.administrator)
                if title != "Later" { try await fixture.makeDue(number) }
            }
            _ = try await fixture.test.services.publishRelease.due()
        },
        Cause("Failed background tasks", .publisher, rows: retries) { fixture, _ in
            try await fixture.test.client.execute(
                """
                insert into ops.task (kind, state, last_error, finished_at)
                select 'trial', 'failed', 'no', now() from generate_series(1, 2)
                """)
            try await fixture.test.client.execute("insert into ops.task (kind) values ('trial')")
        },
        Cause("Failed mails", .administrator, rows: retries) { fixture, _ in
            try await fixture.test.client.execute(
                """
                insert into ops.outbox_message (body, state, last_error, finished_at, key, recipient, locale, subject, dedupe)
                select 'Text', s, case s when 'failed' then 'no' end, now(), 'mail.trial', 'a@example.org', 'en', 'Trial',
                    n::text from unnest(array['failed', 'failed', 'sent']) with ordinality u (s, n)
                """)
        },
        Cause("Failed webhook deliveries", .administrator, rows: retries) { fixture, _ in
            let id = try await webhook(fixture)
            try await fixture.test.client.execute(
                """
                insert into ops.outbox_message (webhook_id, type, body, state, attempts, last_error, finished_at)
                select \(id)::uuid, 'webhook.test', '{}', s, 1, case s when 'failed' then 'no' end, now()
                from unnest(array['failed', 'failed', 'delivered']) s
                """)
        },
        Cause("Disabled webhooks", .administrator, rows: marked("<span class=\"tag bad\">Disabled</span>")) {
            fixture, _ in
            for isDisabled in [true, true, false] {
                let id = try await webhook(fixture)
                if isDisabled {
                    try await fixture.test.database.transaction(
                        by: TestDatabase.administrator, AuditEvent("webhook.disable", on: "webhook")
                    ) { _ = try await $0.webhooks.disable(id, because: "It is gone.") }
                }
            }
        },
    ]

    private static let queue: [Cause] = [
        queued("Pending for more than 24 h", "received_at = now() - interval '25 hours'"),
        queued("Assigned to you", "assigned_to = \(viewer)"),
        queued("Claimed by you", "claimed_by = \(viewer), claimed_until = now() + interval '1 hour'"),
        queued("Appeals", "reopened_by = 'appeal'"), queued("Resubmitted", "reopened_by = 'resubmit'"),
        Cause("Reported entries", rows: linked("/reports/0")) { fixture, _ in
            let app = try await fixture.test.clientActor([.report])
            for title in ["One", "Two"] {
                let entry = try await fixture.article(title)
                _ = try await fixture.test.services.receiveReport(ReportDraft(.id(entry), .spam), by: app)
            }
            try await fixture.article("Not reported")
        },
        Cause("Mentions", rows: marked("<span class=\"tag wait\">New</span>")) { fixture, _ in
            let bob = try await fixture.test.actor(.curator, name: "Bob")
            for (title, note) in [("One", "@Ann look here"), ("Two", "@Ann here too"), ("Three", "For nobody")] {
                let submission = try await fixture.submit(title)
                try await fixture.test.services.addNote(note, on: .submission(submission), by: bob)
            }
        },
    ]

    private static let content: [Cause] = [
        Cause("Broken video streams", .editor, rows: linked("/entries/0")) { fixture, _ in
            let actor = TestDatabase.administrator
            for name in ["1", "2", "sound"] {
                let url = "https://a.example/\(name).m3u8"
                try await fixture.publish("video", name, ["hls_url": .string(url)], publishTiming: .draft)
                try await fixture.test.database.transaction(by: actor, AuditEvent("video.verify", on: "entry")) {
                    try await $0.playlists.record(
                        name == "sound" ? .media(3) : .unreachable("no response"), of: url, isPasted: false, by: actor)
                }
            }
        },
        Cause("Texts missing in de", count: nil, rows: marked("<tr id=\"value-")) { fixture, _ in
            let id: ID<Entry> = try await fixture.test.client.one(
                "select id from api_v1.setting where key = 'locales.offered'")("id")
            try await fixture.change(id, "value", to: "en\nde", .now)
        },
        Cause("Images without alternative text", count: 1, rows: linked("/media/0")) { fixture, _ in
            _ = try await fixture.test.services.ingestImage(
                SmallImage.bytes, name: "line.png", alt: "", by: TestDatabase.administrator)
        },
    ]

    private static let catalogs: [Cause] = TestPack.lists.ifEnabled([
        Cause("Failing catalog sources", rows: marked("<span class=\"tag bad\">Failing</span>")) { fixture, _ in
            try await fixture.test.client.execute(
                """
                insert into ops.catalog_source (name, failing_since, last_error)
                values ('tmdb', now(), 'no'), ('other', now(), 'no'), ('sound', null, null)
                """)
        }
    ])

    /// Stands for the person who looks.
    private static let viewer = "VIEWER"

    /// Two submissions that are changed like this, and one that isn't.
    private static func queued(_ label: String, _ change: String) -> Cause {
        Cause(label, rows: linked("/queue/0")) { fixture, actor in
            let account = try #require(actor.id)
            for title in ["One", "Two", "Other"] {
                let id = try await fixture.submit(title)
                if title == "Other" { continue }
                let set = change.replacing(viewer, with: "'\(account.uuidString)'")
                try await fixture.test.client.execute(
                    "update curation.queue_item set \(raw: set) where submission_id = \(id)")
            }
        }
    }

    private static func webhook(_ fixture: AdminFixture) async throws -> ID<Webhook> {
        let id = ID<Webhook>(UUIDv7.make())
        let actor = TestDatabase.administrator
        try await fixture.test.database.transaction(by: actor, AuditEvent("webhook.create", on: "webhook")) {
            try await $0.webhooks.add(
                id: id, url: "https://hooks.example.org/", note: "", events: [.entryPublished], secret: [1], by: actor)
        }
        return id
    }
}
