// Tests the pages of API clients: creation, the secret shown once, rate limit, rotation, revocation.
import Domain
import Operations
import Store
import TestSupport
import Testing

@testable import Admin

@Suite("Client pages", .databases)
struct ClientPagesTests {
    private func client(_ site: AdminFixture) async throws -> ClientLine {
        try #require(try await site.test.database.clients.list().first { $0.client.name == "Reader app" })
    }

    @Test("A11: the page creates a client and shows its secret once; invalid input is reported at its field and kept")
    func adding() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .administrator)
        let page = try await visit.get("/clients")
        let wrong = try await visit.fill(page, "/clients", [("name", ""), ("per_minute", "many")])
        #expect(wrong.status == 422 && wrong.holds(#"value="many""#))
        #expect(wrong.says("Enter a name.") && wrong.says("at least one scope") && wrong.says("from 1 to 1,000,000"))
        let created = try await visit.fill(
            page, "/clients",
            [("name", "Reader app"), ("scopes", "read-guest"), ("scopes", "read-full"), ("per_minute", "600")])
        let line = try await client(site)
        #expect(
            created.status == 200 && created.says("it isn't shown again") && created.says(line.client.id.description))
        #expect(line.client.scopes == [.readGuest, .readFull] && line.client.perMinute == 600)
        let again = try await visit.get("/clients/\(line.client.id)")
        #expect(again.says("never used") && !again.says("Secret (password)"))
    }

    @Test("A11: a rotation with an overlap keeps both secrets; the old one, the limit and the client can be changed")
    func changing() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .administrator)
        let id = try await site.test.services.manageClient.create(
            name: "Reader app", scopes: [.readGuest], by: TestDatabase.administrator
        ).id
        let path = "/clients/\(id)"
        let page = try await visit.get(path)
        #expect(
            page.holds(#"name="hours" type="text" class="input-short" inputmode="numeric" maxlength="4" value="24""#))
        for hours in ["-1", "745", "x"] {
            let wrong = try await visit.fill(page, path + "/rotate", [("hours", hours)])
            #expect(wrong.status == 422 && wrong.says("Enter 0 to 744 hours.") && wrong.holds("value=\"\(hours)\""))
        }
        let rotated = try await visit.fill(page, path + "/rotate", [("hours", "24")])
        #expect(rotated.says("The old secret remains valid for 24 hours."))
        #expect(try await visit.get("/clients").says("Rotating"))
        let both = try await visit.get(path)
        #expect(both.says("It hasn't been used since the rotation."))
        #expect(try await visit.fill(both, path + "/old-secret/revoke", []).status == 303)
        #expect(try await client(site).client.oldSecretUntil == nil)
        #expect(try await visit.fill(page, path + "/limit", [("per_minute", "0")]).status == 422)
        #expect(try await visit.fill(page, path + "/limit", [("per_minute", "30")]).status == 303)
        #expect(try await client(site).client.perMinute == 30)
        #expect(try await visit.fill(page, path + "/revoke", []).status == 303)
        let gone = try await visit.get(path)
        #expect(gone.says("Revoked") && !gone.hasButton("Rotate secret"))
        #expect(try await visit.fill(page, path + "/rotate", [("hours", "0")]).status == 404)
    }
}
