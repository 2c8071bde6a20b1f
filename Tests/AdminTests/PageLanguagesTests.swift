// Tests in which language pages are: those of contributors in that of their form or submission.
import Domain
import FoundationEssentials
import HTTP
import Localization
import Markup
import Store
import TestSupport
import Testing

@testable import Admin
@testable import Operations

@Suite("Languages of pages", .databases)
struct PageLanguagesTests {
    private static let german = MessageCatalog(
        language: "de",
        texts: [
            "About you": "Über Sie", "Enter your name.": "Geben Sie Ihren Namen ein.",
            "What has happened": "Was geschehen ist",
        ])

    private func submissionForm(_ name: String, in locale: String, _ fixture: AdminFixture) async throws -> FormRow {
        var definition = FormDefinition(name: name, type: "article", title: "Stories")
        definition.locale = locale
        definition.isOn = true
        _ = try await fixture.test.services.manageSubmissionForm.create(definition, by: TestDatabase.administrator)
        return try #require(try await fixture.test.database.submissionForms.find(name))
    }

    private func send(
        _ form: FormRow, _ changed: [String: String], _ fixture: AdminFixture
    ) async throws -> BrowserPage {
        let pass = FormPass(
            form.id, key: try #require(AdminFixture.statusKey), openedAt: Date(timeIntervalSinceNow: -60))
        let fields = ["csrf": pass.text, "contributor": "Carl", "field.title": "Ten", "field.body": "<p>x</p>"]
        return try await fixture.stranger.send(
            "POST", "/submit/\(form.definition.name)", fields.merging(changed) { $1 }.map { ($0.key, $0.value) },
            headers: ["Sec-Fetch-Site": "cross-site"])
    }

    @Test("A form, its errors and the status page of what it sent are in the language of the form")
    func contributors() async throws {
        let fixture = try await AdminFixture.make(translations: [Self.german])
        let form = try await submissionForm("stories", in: "de-AT", fixture)
        let page = try await fixture.stranger.visit("/submit/stories")
        #expect(page.html.contains("<html lang=\"de\">") && page.says("Über Sie"))
        #expect(try await send(form, ["contributor": ""], fixture).says("Geben Sie Ihren Namen ein."))
        let sent = try await send(form, [:], fixture)
        let link = try #require(sent.html.firstMatch(of: /\/s\/[\w-]+/)?.0)
        let status = try await fixture.stranger.visit(String(link))
        #expect(status.html.contains("<html lang=\"de\">") && status.says("Was geschehen ist"))
    }

    @Test("Without a translation, and for the team, pages are in the configured language")
    func others() async throws {
        let fixture = try await AdminFixture.make(translations: [Self.german])
        for (name, locale) in [("one", "en-GB"), ("two", "fr")] {
            _ = try await submissionForm(name, in: locale, fixture)
            let page = try await fixture.stranger.visit("/submit/\(name)")
            #expect(page.html.contains("<html lang=\"en\">") && page.says("About you"))
        }
        let closed = try await fixture.stranger.visit("/submit/none")
        #expect(closed.status == 404 && closed.html.contains("<html lang=\"en\">"))
        #expect(try await fixture.browser(.curator).visit("/queue").html.contains("<html lang=\"en\">"))
        let id = try await fixture.submit()
        let link = try #require(AdminFixture.statusKey).text(for: id.bytes, edition: 1)
        #expect(try await fixture.stranger.visit("/s/" + link).says("What has happened"))
    }

    @Test("A team can work in another language than a form")
    func english() throws {
        let none = try TemplateSet(sources: [:])
        let languages = PageLanguages(
            PageLanguages.Language(messages: Self.german, templates: none),
            others: [PageLanguages.Language(messages: nil, templates: none)])
        #expect(languages.messages(for: "en-US") == nil && languages.messages(for: "de-CH") === Self.german)
        #expect(languages.messages(for: nil) === Self.german && languages.messages(for: "pl") === Self.german)
    }

    @Test("Single words are translated: an assignee, the first choice of a menu, states in a preview")
    func singleWords() async throws {
        let german = MessageCatalog(
            language: "de",
            texts: [
                "Assigned to {0}": "Zuständig: {0}", "assignee\u{4}you": "Sie", "first\u{4}Choose…": "Wählen …",
                "preview\u{4}New": "Neu", "preview\u{4}item": "Beitrag",
            ])
        let fixture = try await AdminFixture.make(language: german)
        let ann = try await fixture.test.actor(.curator, name: "Ann", from: "192.0.2.7")
        let id = try await fixture.submit("First")
        let browser = fixture.browser(of: ann)
        var form = try await browser.visit("/queue/\(id)").form("Assign")
        try form.fill("assignee", ID<Account>(ann.rowID).description)
        _ = try await browser.press("Assign", in: form)
        let queue = try await browser.visit("/queue")
        #expect(queue.says("Zuständig: Sie"))

        var list = try queue.form("Reject…")
        try list.tick("id", id.description)
        #expect(try await browser.press("Reject…", in: list).holds("<option value=\"\">Wählen …</option>"))

        let time = try WallTime(local: "2099-05-01T10:00", zone: "UTC")
        _ = try await fixture.article("Tomorrow", .at(time))
        let preview = try await fixture.test.services.managePreview.create(
            title: "May", at: time, days: 7, by: try await fixture.test.actor(.editor))
        let page = try await fixture.stranger.visit("/preview/\(preview.token.text)")
        #expect(page.holds(">Neu</span> Beitrag: "))
    }

    @Test("Words within sentences are translated: states, numbers of people and entries, changes of the schedule")
    func words() {
        let german = MessageCatalog(
            language: "de",
            texts: [
                "Release {0} is already published.": "Release {0} ist schon veröffentlicht.",
                "Release {0} is already canceled.": "Release {0} ist schon abgesagt.",
                "Note added. {0, plural, one {# person} other {# people}} notified.":
                    "Notiz angelegt. {0, plural, one {# Person} other {# Personen}} benachrichtigt.",
                "release pages\u{4}{0, plural, one {# entry} other {# entries}}":
                    "{0, plural, one {# Eintrag} other {# Einträge}}",
                "schedule\u{4}Publish": "Veröffentlichen", "schedule\u{4}Update": "Ändern",
                "schedule\u{4}Unpublish": "Zurückziehen",
            ])
        func texts() -> [String] {
            [
                Failure.releaseFinished(3, .published).sentence, Failure.releaseFinished(4, .canceled).sentence,
                Flash(AddNote.Outcome(notified: 1, unknown: [])).text,
                Flash(AddNote.Outcome(notified: 2, unknown: [])).text, ReleasePages.entries(1), ReleasePages.entries(2),
            ] + [UpcomingChange.Kind.publish, .update, .unpublish].map(\.label)
        }
        #expect(
            texts() == [
                "Release 3 is already published.", "Release 4 is already canceled.",
                "Note added. 1 person notified.", "Note added. 2 people notified.", "1 entry", "2 entries",
                "Publish", "Update", "Unpublish",
            ])
        MessageCatalog.$current.withValue(german) {
            #expect(
                texts() == [
                    "Release 3 ist schon veröffentlicht.", "Release 4 ist schon abgesagt.",
                    "Notiz angelegt. 1 Person benachrichtigt.", "Notiz angelegt. 2 Personen benachrichtigt.",
                    "1 Eintrag", "2 Einträge", "Veröffentlichen", "Ändern", "Zurückziehen",
                ])
        }
    }

    @Test("A label within a sentence is written as the language writes it there, not in lower case")
    func labelsWithinSentences() {
        let german = MessageCatalog(
            language: "de",
            texts: [
                "This submission is already marked as a duplicate. Undo that decision first.":
                    "Diese Einsendung ist schon als Duplikat markiert. Nimm das erst zurück.",
                "role\u{4}curator": "Kurator", "role\u{4}curators": "Kuratoren", "permission\u{4}Decide": "Entscheiden",
                "permission\u{4}Read the queue": "Warteschlange lesen", "priority\u{4}Urgent": "Dringend",
            ])
        let reviewer = Role(name: "reviewer", label: "Team", permissions: [.readQueue, .decide])
        func texts() -> [String] {
            var texts = [Role.curator.labelInText, Role.curator.people, reviewer.labelInText, reviewer.meaning]
            texts.append(inText(Priority.urgent.label))
            do throws(Failure) {
                try Decision.Draft(verdict: .approve).check(on: .duplicate)
            } catch {
                texts.append(error.sentence)
            }
            return texts
        }
        #expect(
            texts() == [
                "curator", "curators", "Team", "Read the queue, Decide", "urgent",
                "This submission is already marked as a duplicate. Undo that decision first.",
            ])
        MessageCatalog.$current.withValue(german) {
            #expect(
                texts() == [
                    "Kurator", "Kuratoren", "Team", "Warteschlange lesen, Entscheiden", "Dringend",
                    "Diese Einsendung ist schon als Duplikat markiert. Nimm das erst zurück.",
                ])
        }
    }

    @Test("Numbers with their nouns follow the rules of the language: approvals of stages, entries, files")
    func numbers() {
        let polish = MessageCatalog(
            language: "pl",
            texts: [
                "{0}: {1, plural, one {# approval} other {# approvals}} by {2}":
                    "{0}: {1, plural, one {# zgoda} few {# zgody} other {# zgód}} ({2})",
                "review stages\u{4}{0}, then {1}": "{0}, potem {1}", "role\u{4}editors": "redaktorzy",
                "outcome\u{4}{0, plural, one {# entry} other {# entries}}":
                    "{0, plural, one {# wpis} few {# wpisy} other {# wpisów}}",
                "item\u{4}{0, plural, one {# file} other {# files}}, {1}":
                    "{0, plural, one {# plik} few {# pliki} other {# plików}}, {1}",
            ])
        func texts() -> [String?] {
            let stages = [1, 2, 5].map { ReviewStage(name: "Lektorat", role: .editor, requiredApprovals: $0) }
            let entries = BulkActionKind.Object.entry
            return [
                ReviewStagePages.summary(of: stages), ReviewStagePages.summary(of: []), entries.count(1),
                entries.count(2), FeedPanel.size(files: 1, bytes: 1024),
            ]
        }
        #expect(
            texts() == [
                "Lektorat: 1 approval by editors, then Lektorat: 2 approvals by editors, "
                    + "then Lektorat: 5 approvals by editors",
                nil, "1 entry", "2 entries", "1 file, 1 KB",
            ])
        MessageCatalog.$current.withValue(polish) {
            #expect(
                texts() == [
                    "Lektorat: 1 zgoda (redaktorzy), potem Lektorat: 2 zgody (redaktorzy), "
                        + "potem Lektorat: 5 zgód (redaktorzy)",
                    nil, "1 wpis", "2 wpisy", "1 plik, 1 KB",
                ])
        }
    }

    @Test("A priority has the same name in every language: forms, queries, JSON and the audit trail contain it")
    func priorities() {
        let german = MessageCatalog(language: "de", texts: ["priority\u{4}Urgent": "Dringend"])
        MessageCatalog.$current.withValue(german) {
            #expect(Priority.urgent.label == "Dringend" && Priority.urgent.name == "urgent")
            #expect(Priority(name: "urgent") == .urgent && Priority(name: "dringend") == nil)
        }
        #expect(Priority.allCases.map(\.name) == ["urgent", "high", "normal", "low"])
    }

    @Test("What an email to a contributor is about is translated with the sentence around it")
    func nouns() {
        let german = MessageCatalog(
            language: "de",
            texts: [
                "email about\u{4}approval": "die Annahme", "email about\u{4}rejection": "die Ablehnung",
                "requested changes": "die Bitte um Änderungen",
            ])
        func nouns() -> [String] { ["approve", "reject", "request_changes"].map(ContributorPanel.subject) }
        #expect(nouns() == ["approval", "rejection", "requested changes"])
        MessageCatalog.$current.withValue(german) {
            #expect(nouns() == ["die Annahme", "die Ablehnung", "die Bitte um Änderungen"])
        }
    }
}
