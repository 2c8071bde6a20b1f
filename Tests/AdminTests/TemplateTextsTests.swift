// Tests what templates see of dates and states.
import Domain
import FoundationEssentials
import Markup
import Testing

@testable import Admin

@Suite("Dates and states in templates")
struct TemplateTextsTests {
    private struct Row: Encodable {
        let state: WebhookState
        let events: [WebhookEvent]
        let lastAttemptAt: Date?
        let createdAt: Date
    }

    private func render(_ source: String) throws -> String {
        let row = Row(
            state: .paused, events: [.entryPublished, .test], lastAttemptAt: nil,
            createdAt: Date(timeIntervalSince1970: 1_700_000_000.9))
        let templates = try TemplateSet(sources: ["page": source])
        return String(decoding: try templates.render("page", row), as: UTF8.self)
    }

    @Test("A state has its label, the class of its tag and its value")
    func states() throws {
        #expect(
            try render("<b class=\"tag {{state.tone}}\">{{state.label}}</b> {{state.value}}")
                == "<b class=\"tag wait\">Paused</b> paused")
        #expect(
            try render("{{#each events}}{{label}} ({{value}}{{tone}}) {{/each}}")
                == "Entry published (entry.published) Test (webhook.test) ")
        #expect(throws: TemplateProblem.self) { try render("{{state.name}}") }
    }

    @Test("A date has its UTC text, its ISO 8601 and its distance from now; nil has none")
    func dates() throws {
        #expect(
            try render("{{createdAt.text}} {{createdAt.iso}}") == "2023-11-14 22:13 UTC 2023-11-14T22:13:20Z")
        #expect(try render("{{#if lastAttemptAt}}{{lastAttemptAt.text}}{{else}}never{{/if}}") == "never")
        #expect(try render("{{createdAt.relative}}").hasSuffix(" ago"))
    }
}
