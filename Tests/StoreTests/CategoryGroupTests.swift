// What the database itself says to a third category group, to losing one, and to what a merge may be.
import Domain
import Editorial
import Postgres
import Publishing
import Store
import TestSupport
import Testing

@Suite("The two groups and merges, in the database", .databases)
struct CategoryGroupTests {
    @Test("B29: a third group is refused by the database, whatever number it is given", arguments: [1, 2])
    func third(number: Int) async throws {
        let test = try await TestDatabase.make()
        await #expect(
            throws: Failure.refused(
                code: "rule", message: "There are exactly two category groups; a third cannot be made.")
        ) {
            _ = try await WriteEntry(database: test.database, rules: test.rules).create(
                type: "category_group", fields: ["title": "Third", "number": .int(Int64(number))],
                by: TestDatabase.administrator)
        }
    }

    @Test("B29: neither group can be withdrawn, nor deleted by the owner of the tables")
    func stay() async throws {
        let test = try await TestDatabase.make()
        let refusal = Failure.refused(
            code: "rule", message: "A category group cannot be withdrawn; there are exactly two.")
        await #expect(throws: refusal) {
            _ = try await WriteEntry(database: test.database, rules: test.rules).unpublish(
                SeedEntry.topicGroup, by: TestDatabase.administrator)
        }
        await #expect(throws: refusal) {
            _ = try await PublishRelease(database: test.database).now(
                [LiveChange(entry: SeedEntry.placeGroup, revision: nil)], note: "",
                by: TestDatabase.administrator)
        }
        let owner = try await test.superuser()
        await #expect(throws: (any Error).self) {
            try await owner.query("delete from curation.entry where id = \(SeedEntry.topicGroup)")
        }
        await owner.close()
    }

    @Test("B29: each language has one name; the same language twice is refused at its row")
    func names() async throws {
        let test = try await TestDatabase.make()
        func names(_ locales: String...) -> JSONValue {
            .array(locales.map { .object(["locale": .string($0), "name": "Kaffee"]) })
        }
        func make(_ names: JSONValue) async throws {
            _ = try await WriteEntry(database: test.database, rules: test.rules).create(
                type: "category",
                fields: ["title": "Coffee", "group": .string(SeedEntry.topicGroup.description), "names": names],
                by: TestDatabase.administrator)
        }
        await #expect(
            throws: Failure.invalid(FieldErrors("/fields/names/1/locale", "duplicate", "de is given twice."))
        ) { try await make(names("de", "de")) }
        try await make(names("de", "de-AT"))
    }

    @Test("B29: a merge that was tampered with is named by verify and mended by rebuild")
    func tampered() async throws {
        let test = try await TestDatabase.make()
        let add = CreateCategory(database: test.database, rules: test.rules)
        let by = TestDatabase.administrator
        let one = try await add(named: "One", in: SeedEntry.topicGroup, by: by).entry
        let two = try await add(named: "Two", in: SeedEntry.topicGroup, by: by).entry
        guard let one, let two else { return }
        _ = try await MergeCategory(database: test.database, rules: test.rules)(one, into: two, by: by)
        let owner = try await test.superuser()
        _ = try await owner.query("delete from curation.category_merge")
        await owner.close()
        #expect(try await test.database.publications.verify().map(\.table).contains("merged"))
        _ = try await test.database.change(by: by, AuditEvent("publication.repair", on: "publication")) { change in
            try await change.publications.rebuild(note: "rebuild", by: by)
        }
        #expect(try await test.database.publications.verify().isEmpty)
    }
}
