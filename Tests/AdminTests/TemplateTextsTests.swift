// Tests what templates see of rows: texts of dates and states, and no secrets.
import Domain
import FoundationEssentials
import Markup
import Operations
import Store
import TestSupport
import Testing

@testable import Admin

@Suite("Rows in templates", .databases)
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

    @Test("Rows with secrets have none of them in templates")
    func secrets() async throws {
        let site = try await AdminFixture.make()
        _ = try await site.browser(.administrator)
        _ = try await site.test.services.manageClient.create(
            name: "Reader app", scopes: [.readGuest], by: TestDatabase.administrator)
        let accounts = try await site.test.database.accounts.page(state: nil, cursor: nil, limit: 1)
        let account = try #require(accounts.items.first).account
        let client = try #require(try await site.test.database.clients.list().first).client
        #expect(try names(of: account) == ["email", "hasSecondFactor", "id", "isDisabled", "locale", "name"])
        #expect(try names(of: client) == ["id", "isRevoked", "name", "oldSecretUntil", "perMinute", "scopes"])
    }

    private func names(of row: some Encodable) throws -> [String] {
        guard case .object(let fields) = try TemplateValue(encoding: row) else { return [] }
        return fields.keys.sorted()
    }
}
