// Tests the time zone of a person: where it comes from, which forms start with it, and what fields store.
import Domain
import FoundationEssentials
import Store
import TestSupport
import Testing

@testable import Admin

@Suite("Time zones of people", .databases)
struct ZonePagesTests {
    @Test("The first sign-in with a known zone takes it from the browser; later ones don't change it")
    func signingIn() async throws {
        let fixture = try await AdminFixture.make()
        _ = try await fixture.account("ann@example.org", .publisher)
        func zone(signingInFrom zone: String) async throws -> String? {
            let browser = fixture.stranger
            var form = try await browser.visit("/login").form("Sign in")
            try form.fill("username", "ann@example.org")
            try form.fill("password", AdminFixture.password)
            try form.fill("zone", zone)
            _ = try await browser.press("Sign in", in: form)
            return try await browser.visit("/account").form("Save time zone").value("zone")
        }
        #expect(try await zone(signingInFrom: "") == "UTC")
        #expect(try await zone(signingInFrom: "Mars/Base") == "UTC")
        // A name that browsers keep, and systems may not have.
        #expect(try await zone(signingInFrom: "Asia/Calcutta") == "Asia/Kolkata")
        #expect(try await zone(signingInFrom: "Europe/Berlin") == "Asia/Kolkata")
    }

    @Test("A person changes their zone; every form with a time starts with it, and has one list of zones")
    func forms() async throws {
        let (fixture, visit) = try await AdminFixture.visited(by: .publisher)
        var form = try await visit.visit("/account").form("Save time zone")
        for wrong in ["", "Mars/Base", "europe/berlin", "x'y"] {
            try form.fill("zone", wrong)
            let page = try await visit.press("Save time zone", in: form)
            #expect(page.status == 422 && page.says("Enter a time zone"), "\(wrong)")
            #expect(try page.form("Save time zone").value("zone") == wrong)
        }
        try form.fill("zone", "Europe/Berlin")
        #expect(try await visit.press("Save time zone", in: form).says("Time zone saved."))
        let audited: Int64 = try await fixture.test.superuser().one(
            "select count(*) as n from ops.audit_event where action = 'account.update' and detail ->> 'zone' = 'Europe/Berlin'"
        )("n")
        #expect(audited == 1)

        let article = try await fixture.article("Live")
        let submission = try await fixture.submit("Sent")
        let category = try await fixture.category("Walks")
        let contributor = try #require(try await fixture.test.database.reputations.find(of: submission)).id
        for url in [
            "/entries/new?type=article", "/entries/\(article)/revisions", "/entries/\(article)/unpublish",
            "/queue/\(submission)", "/previews", "/categories/\(category)/archive",
            "/contributors/\(contributor)/status",
        ] {
            let page = try await visit.visit(url)
            let zones = page.forms.flatMap(\.controls).filter { $0.name == "zone" || $0.name.hasSuffix(".zone") }
            #expect(!zones.isEmpty && zones.allSatisfy { $0.value == "Europe/Berlin" }, "\(url): \(zones.map(\.value))")
            #expect(page.html.components(separatedBy: "<datalist id=\"zones\">").count == 2, "\(url)")
        }
    }

    @Test(
        "A date and time is stored with the offset of its zone at that time, and comes back in the person's zone",
        arguments: [
            ("2030-07-01T09:00", "Europe/Berlin", "2030-07-01T09:00:00+02:00", "Europe/Berlin"),
            ("2030-01-01T09:00:30", "Europe/Berlin", "2030-01-01T09:00:30+01:00", "Europe/Berlin"),
            // R12: Berlin skips 02:30 on 31 March 2030, and repeats it on 27 October.
            ("2030-03-31T02:30", "Europe/Berlin", "2030-03-31T02:30:00+01:00", "Europe/Berlin"),
            ("2030-10-27T02:30", "Europe/Berlin", "2030-10-27T02:30:00+01:00", "Europe/Berlin"),
            ("2030-01-01T09:00", "Asia/Calcutta", "2030-01-01T09:00:00+05:30", "UTC+05:30"),
            ("2030-01-01T09:00", "UTC", "2030-01-01T09:00:00Z", "UTC"),
            ("2030-01-01T09:00", "UTC-03:30", "2030-01-01T09:00:00-03:30", "UTC-03:30"),
            // The same offset as in Berlin means the same instant.
            ("2030-01-01T09:00", "UTC+01:00", "2030-01-01T09:00:00+01:00", "Europe/Berlin"),
            ("2030-01-01T09:00:00+04:00", "Europe/Berlin", "2030-01-01T09:00:00+04:00", "UTC+04:00"),
        ])
    func stored(local: String, zone: String, stored: String, shown: String) async throws {
        let (fixture, visit) = try await AdminFixture.visited(by: .editor)
        _ = try await visit.post("/account", [("zone", "Europe/Berlin")])
        let page = try await visit.post("/entries", article(local, zone))
        let entry = try #require(page.entry)
        let revision = try #require(try await fixture.test.database.revisions.newest(of: entry))
        #expect(revision.content.fields["published"] == .string(stored))
        let form = try await visit.get("/entries/\(entry)/revisions").form("Save draft")
        #expect(form.value("field.published.zone") == shown)
        // Saved again without a change, it is the same text.
        let again = try await visit.press("Save draft", in: form)
        #expect(again.says("Nothing changed"))
    }

    @Test(
        "Times are shown by the clock of the person, with UTC for programs, and as they were entered by another clock")
    func shown() async throws {
        let (fixture, visit) = try await AdminFixture.visited(by: .publisher)
        _ = try await fixture.article("Later", .at(WallTime(local: "2099-06-01T18:00", zone: "Europe/London")))
        func times(_ path: String) async throws -> [String] {
            try await visit.get(path).html.matches(of: /<time datetime="([^"]+)" title="[^"]+">(\d{4}[^<]+)<\/time>/)
                .map { "\($0.1) \($0.2)" }
        }
        let paths = ["/schedule", "/releases", "/releases/1", "/releases/1/schedule"]
        for path in paths {
            #expect(try await times(path).contains("2099-06-01T17:00:00Z 2099-06-01 17:00 UTC"), "\(path)")
        }
        _ = try await visit.post("/account", [("zone", "Asia/Kathmandu")])
        for path in paths {
            #expect(try await times(path).contains("2099-06-01T17:00:00Z 2099-06-01 22:45 Asia/Kathmandu"), "\(path)")
            #expect(try await visit.get(path).says("2099-06-01 18:00 Europe/London"), "\(path)")
        }
        _ = try await visit.post("/account", [("zone", "Europe/London")])
        #expect(try await visit.get("/releases").says("2099-06-01 18:00 Europe/London; 1 entry"), "it is there once")
    }

    @Test("An unknown zone is an error at its field, and what was typed is kept")
    func unknown() async throws {
        let visit = try await AdminFixture.make().browser(.editor)
        for zone in ["Mars/Base", "", "UTC+99:00"] {
            let page = try await visit.post("/entries", article("2030-01-01T09:00", zone))
            #expect(page.status == 422 && page.says("Enter a time zone such as Europe/London."), "\(zone)")
            let form = try page.form("Save draft")
            #expect(form.value("field.published") == "2030-01-01T09:00" && form.value("field.published.zone") == zone)
        }
        // A zone alone is no time.
        let none = try await visit.post("/entries", article("", "Europe/Berlin"))
        #expect(none.status == 303)
    }

    private func article(_ local: String, _ zone: String) -> [(String, String)] {
        [
            ("type", "article"), ("field.title", "At a time"), ("field.body", "<p>Text.</p>"),
            ("field.categories", SeedEntry.unsorted.description), ("field.published", local),
            ("field.published.zone", zone), ("action", "draft"),
        ]
    }
}
