// Tests that saved views keep their filter by client, whose name has changed.
import Domain
import Postgres
import Store
import TestSupport
import Testing

@Suite("Migration of saved views", .databases)
struct SavedViewMigrationTests {
    @Test("A filter by client is one by source after `migrate`; other parts of the query stay as they are")
    func migrated() async throws {
        let test = try await TestDatabase.make()
        let person = try await test.actor(.curator, name: "Nora")
        let account = ID<Account>(try #require(person.id))
        let client = "0197c0de-0000-7000-8000-000000000001"
        let views = [
            ("Alone", "client=\(client)", "source=\(client)"),
            ("Among others", "type=article&client=\(client)&sort=newest", "type=article&source=\(client)&sort=newest"),
            ("Search", "q=client%3D1&type=client", "q=client%3D1&type=client"),
            ("Both", "client=\(client)&source=Harbor", "client=\(client)&source=Harbor"),
            ("Longer name", "reclient=1", "reclient=1"),
        ]
        for (name, query, _) in views {
            let event = AuditEvent("saved_view.create", on: "saved_view")
            try await test.database.transaction(by: person, event) { transaction in
                try await transaction.savedViews.add(name: name, query: query, isShared: false, of: account)
            }
        }
        try await test.client.execute("delete from vitrine.migration where name = 'core/saved_view_sources'")
        let types = try ContentTypes(
            folder: TestDatabase.packageRoot + "/Config/content-types", packs: TestDatabase.packs)
        try await Schema(client: test.client, roles: try #require(TestDatabase.roles), packs: TestDatabase.packs)
            .migrate(types: types, version: "test")
        let stored = try await test.database.savedViews.visible(to: account)
        for (name, _, expected) in views {
            #expect(stored.first { $0.name == name }?.query == expected, "\(name)")
        }
    }
}
