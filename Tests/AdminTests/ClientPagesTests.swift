// Tests the pages of API clients: adding one, its secret once, its limit, changing over, revoking.
import Accounts
import Domain
import Store
import TestSupport
import Testing

@testable import Admin

@Suite("Client pages", .databases)
struct ClientPagesTests {
    private func client(_ site: EditorSite) async throws -> ClientLine {
        try #require(try await site.test.database.clients.list().first { $0.client.name == "Reader app" })
    }

    @Test("A11: a client is added on the page, its secret is shown once; wrong input is said at its field and kept")
    func adding() async throws {
        let site = try await EditorSite.make()
        let visit = try await site.visitor(.administrator)
        let page = try await visit.get("/clients")
        let wrong = try await visit.fill(page, "/clients", [("name", ""), ("per_minute", "many")])
        #expect(wrong.status == 422 && wrong.holds(#"value="many""#))
        #expect(wrong.says("Write a name.") && wrong.says("at least one scope") && wrong.says("from 1 to 1,000,000"))
        let made = try await visit.fill(
            page, "/clients",
            [("name", "Reader app"), ("scopes", "read-guest"), ("scopes", "read-full"), ("per_minute", "600")])
        let line = try await client(site)
        #expect(made.status == 200 && made.says("it is not shown again") && made.says(line.client.id.description))
        #expect(line.client.scopes == [.readGuest, .readFull] && line.client.perMinute == 600)
        let again = try await visit.get("/clients/\(line.client.id)")
        #expect(again.says("never used") && !again.says("Secret (password)"))
    }

    @Test("A11: a new secret with an overlap lists both; the overlap is ended, the limit changed, the client revoked")
    func changing() async throws {
        let site = try await EditorSite.make()
        let visit = try await site.visitor(.administrator)
        let id = try await ManageClient(database: site.test.database).add(
            name: "Reader app", scopes: [.readGuest], by: TestDatabase.administrator
        ).id
        let place = "/clients/\(id)"
        let page = try await visit.get(place)
        #expect(page.holds(#"name="hours" type="text" class="short" inputmode="numeric" maxlength="4" value="24""#))
        for hours in ["-1", "745", "x"] {
            let wrong = try await visit.fill(page, place + "/rotate", [("hours", hours)])
            #expect(wrong.status == 422 && wrong.says("for 0 to 744 hours") && wrong.holds("value=\"\(hours)\""))
        }
        let renewed = try await visit.fill(page, place + "/rotate", [("hours", "24")])
        #expect(renewed.says("For 24 hours the secret before lets in, too"))
        #expect(try await visit.get("/clients").says("two secrets"))
        let both = try await visit.get(place)
        #expect(both.says("It was not used since there is a new one."))
        #expect(try await visit.fill(both, place + "/old-secret/revoke", []).status == 303)
        #expect(try await client(site).client.oldUntil == nil)
        #expect(try await visit.fill(page, place + "/limit", [("per_minute", "0")]).status == 422)
        #expect(try await visit.fill(page, place + "/limit", [("per_minute", "30")]).status == 303)
        #expect(try await client(site).client.perMinute == 30)
        #expect(try await visit.fill(page, place + "/revoke", []).status == 303)
        let gone = try await visit.get(place)
        #expect(gone.says("revoked") && !gone.hasButton("Make another secret"))
        #expect(try await visit.fill(page, place + "/rotate", [("hours", "0")]).status == 404)
    }
}
