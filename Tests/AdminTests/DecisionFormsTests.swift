// Tests what the decision forms suggest and show: recent feeds and categories, and the email in the contributor's language.
import Domain
import FoundationEssentials
import Operations
import Store
import TestSupport
import Testing

@Suite("The decision forms", .databases)
struct DecisionFormsTests {
    @Test("The feeds and categories of one's latest approvals come first, where the list is long")
    func recent() async throws {
        let fixture = try await AdminFixture.make()
        var feeds: [ID<Entry>] = []
        for number in 1...8 { feeds.append(try await fixture.feed("Feed \(number)")) }
        let browser = try await fixture.browser(.publisher)
        let other = try await fixture.browser(.publisher, name: "Other")
        func approve(into feed: Int, by browser: Browser) async throws {
            let id = try await fixture.submit("Into feed \(feed) \(UUID().uuidString)")
            var form = try await browser.visit("/queue/\(id)").form("Approve and publish")
            try form.tick("field.feeds", feeds[feed - 1].description)
            let page = try await browser.press("Approve and publish", in: form)
            #expect(page.says("Approved"))
        }
        func offered(to browser: Browser) async throws -> [String] {
            let id = try await fixture.submit()
            let form = try await browser.visit("/queue/\(id)").form("Approve and publish")
            return form.controls.filter { $0.name == "field.feeds" }.map(\.value)
        }
        let all = feeds.map(\.description)
        try await approve(into: 3, by: browser)
        // With eight feeds the order is that of the list, with one more the recent ones come first.
        #expect(try await offered(to: browser) == all)
        feeds.append(try await fixture.feed("Feed 9"))
        try await approve(into: 9, by: browser)
        let expected = [8, 2, 0, 1, 3, 4, 5, 6, 7].map { feeds[$0].description }
        #expect(try await offered(to: browser) == expected)
        let page = try await browser.visit("/queue/\(try await fixture.submit())")
        #expect(page.says("No feed chosen: readers find this only in feeds of its categories and by search."))
        #expect(page.says("Recent") && page.says("All") && page.holds("data-find-choice"))
        #expect(page.holds("data-remove=\"Remove %s\""), "what is selected is named above the list")
        // The form of an entry has the same list, and what was chosen there counts, too.
        func offeredForEntries() async throws -> [String] {
            let page = try await browser.visit("/entries/new?type=article")
            return page.forms.flatMap(\.controls).filter { $0.name == "field.feeds" }.map(\.value)
        }
        #expect(try await offeredForEntries() == expected)
        let fields = [
            ("type", "article"), ("field.title", "Mine"), ("field.body", "<p>Text.</p>"), ("action", "draft"),
            ("field.categories", SeedEntry.unsorted.description), ("field.feeds", feeds[5].description),
        ]
        let entry = try #require(try await browser.post("/entries", fields).entry)
        #expect(try await offeredForEntries() == [5, 8, 2, 0, 1, 3, 4, 6, 7].map { feeds[$0].description })
        // What is selected comes first of all.
        let edited = try await browser.visit("/entries/\(entry)/revisions")
        #expect(edited.says("Selected"))
        let boxes = edited.forms.flatMap(\.controls).filter { $0.name == "field.feeds" }
        #expect(boxes.map(\.value).first == feeds[5].description && boxes.count == feeds.count)
        #expect(boxes.filter(\.isOn).count == 1)
        // Those of others don't matter.
        #expect(try await offered(to: other) == feeds.map(\.description))
    }

    @Test("B60: the email about a rejection is shown in the contributor's language, with what was typed")
    func mail() async throws {
        let fixture = try await AdminFixture.make()
        for (key, english, german) in [
            ("mail.outcome_rejected", "No to {title}: {reason} {message}", "Nein zu {title}: {reason} {message}"),
            ("mail.outcome_rejected.subject", "About {title}", "Zu {title}"),
            ("mail.reason_off_topic", "Off topic", "Passt nicht zum Thema"),
        ] {
            let placeholders = TextRule.placeholders(in: german).map { name in
                JSONValue.object(["name": .string(name), "required": .bool(false)])
            }
            let values = [("en", english), ("de", german)].map { locale, text in
                JSONValue.object(["locale": .string(locale), "value": .string(text)])
            }
            try await fixture.publish(
                "text", key,
                [
                    "key": .string(key), "section": "mail", "format": "plain", "placeholders": .array(placeholders),
                    "values": .array(values),
                ])
        }
        func submit(email: String?, locale: String?) async throws -> ID<Submission> {
            try await fixture.test.services.receiveSubmission(
                SubmissionDraft(
                    type: "article", contributor: "Gerda", contributorEmail: email, contributorLocale: locale,
                    fields: ["title": "Ten cafés", "body": "<p>x</p>"]), by: fixture.client
            ).id
        }
        let browser = try await fixture.browser(.curator)
        let german = try await submit(email: "gerda@example.org", locale: "de-AT")
        let page = try await browser.visit("/queue/\(german)")
        #expect(page.says("Zu Ten cafés") && page.says("Nein zu Ten cafés: …"))
        #expect(page.holds("<span hidden data-reason=\"off_topic\">Passt nicht zum Thema</span>"))
        #expect(page.says("No email is sent, because its text is not published in de-AT."), "about requested changes")

        // The message is too long; what was typed is in the email, too.
        let refused = try await browser.press(
            "Reject", on: page,
            filling: ["reason": "off_topic", "message": "<b>Leider</b> " + String(repeating: "x", count: 5000)])
        #expect(refused.status == 422)
        #expect(refused.says("Nein zu Ten cafés: Passt nicht zum Thema <b>Leider</b> xxx"))

        let english = try await submit(email: "pola@example.org", locale: "pl")
        #expect(try await browser.visit("/queue/\(english)").says("No to Ten cafés: …"))
        let none = try await submit(email: nil, locale: "de")
        #expect(!(try await browser.visit("/queue/\(none)").says("Nein zu")))
    }
}
