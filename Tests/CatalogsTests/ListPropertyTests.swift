// Random actions on lists and catalogs: the read tables are what the live set and the facts say, and times tell the truth.
import Domain
import Editorial
import Platform
import Postgres
import Store
import TestSupport
import Testing

@Suite("Lists against a full comparison", .databases)
struct ListPropertyTests {
    @Test(
        "D23, D24, D33: after random actions the read tables are right, and updated_at changes exactly with the content",
        arguments: [1, 2, 3])
    func incrementalEqualsFull(seed: Int) async throws {
        let shelf = try await Shelf.make()
        var hand = RandomHand(shelf: shelf)
        var before = try await Self.image(shelf)
        for round in 1...40 {
            try await hand.action()
            let after = try await Self.image(shelf)
            for (key, row) in after {
                guard let old = before[key] else { continue }
                #expect(old.created == row.created, "\(key) after action \(round)")
                #expect((old.content != row.content) == (old.updated != row.updated), "\(key) after action \(round)")
            }
            before = after
            if round % 5 == 0 { #expect(try await shelf.isVerified(), "after action \(round)") }
        }
        #expect(hand.done > 25)
    }

    /// Without the rule that finds them, dependent rows stay as they were: the full comparison must say so.
    @Test(
        "The comparison notices every rule of dependence of lists that is missing",
        arguments: [
            "catalog_item/fact", "catalog_item/list", "list/list", "list/fact", "list_item/list",
            "list_item/fact",
        ])
    func mutation(rule: String) async throws {
        let table = String(rule.prefix { $0 != "/" })
        let shelf = try await Shelf.make()
        try await shelf.test.forget(table, cause: String(rule.dropFirst(table.count + 1)))
        var hand = RandomHand(shelf: shelf)
        var found = false
        for _ in 1...150 where !found {
            try await hand.action()
            found = try await shelf.test.database.publications.verify().contains { $0.table == table }
        }
        #expect(found)
    }

    private struct Line {
        let content: String
        let updated: String
        let created: String
    }

    /// What readers see of each row, apart from its own times and version.
    private static func image(_ shelf: Shelf) async throws -> [String: Line] {
        var found: [String: Line] = [:]
        for (table, key) in [("list", "id"), ("list_item", "list_id, catalog_item_id")] {
            let rows = try await shelf.test.client.query(
                """
                select '\(raw: table) ' || concat_ws('/', \(raw: key)) as key, updated_at::text as updated,
                    created_at::text as created,
                    (to_jsonb(t) - array['updated_at', 'version', 'age', 'document']
                        || jsonb_build_object('document', t.document::jsonb - array['updated_at', 'version']))::text as content
                from api_v1.\(raw: table) t
                """)
            for row in rows {
                found[try row("key")] = Line(
                    content: try row("content"), updated: try row("updated"), created: try row("created"))
            }
        }
        return found
    }
}

/// Actions at random, always as somebody who may.
private struct RandomHand {
    let shelf: Shelf
    private var films: [ID<CatalogItem>] = []
    private var names: [String] = []
    private var lists: [ID<Entry>] = []
    private(set) var done = 0

    init(shelf: Shelf) { self.shelf = shelf }

    mutating func action() async throws {
        do {
            try await one()
            done += 1
        } catch is Failure {
            // A rule said no: nothing of it may have happened.
        }
    }

    private mutating func one() async throws {
        guard films.count >= 8 else {
            names = (1...8).map { "Film \($0)" }
            films = try await shelf.films(names, ids: names)
            return
        }
        switch Int.random(in: 0..<10) {
        case 0, 1:
            lists.append(try await shelf.list("List \(lists.count)", some(atMost: 5)))
        case 2, 3:
            // Described anew, or the same; a new title now and then.
            let index = Int.random(in: 0..<8)
            let title = Bool.random() ? names[index] : "Film \(index + 1) \(Int.random(in: 0...2))"
            try await shelf.films([title], about: Bool.random() ? "Short." : "", areWhole: true, ids: [names[index]])
        case 4:
            let ids = some(atMost: 3)
            let isListed = Bool.random()
            _ = try await shelf.test.database.change(
                by: TestDatabase.administrator, AuditEvent("catalog.relist", on: "catalog")
            ) { try await $0.catalogs.offer(ids, isListed, by: TestDatabase.administrator) }
        case 5:
            guard let list = lists.randomElement() else { return }
            _ = try await shelf.write.unpublish(list, by: TestDatabase.administrator)
        case 6:
            // An older version comes back.
            guard let list = lists.randomElement(),
                let newest = try await shelf.test.database.revisions.newest(of: list)
            else { return }
            _ = try await shelf.write.restore(
                list, number: Int.random(in: 1...newest.number), base: newest.number, publishTiming: .now,
                by: TestDatabase.administrator)
        default:
            guard let list = lists.randomElement() else { return }
            let subject: JSONValue? = Bool.random() ? nil : films.randomElement().map { .string($0.description) }
            try await shelf.edit(
                list, ["items": Shelf.rows(some(atMost: 6)), "subject": subject],
                publishTiming: Int.random(in: 0..<4) == 0 ? .approveOnly : .now)
        }
    }

    private func some(atMost most: Int) -> [ID<CatalogItem>] {
        Array(films.shuffled().prefix(Int.random(in: 0...most)))
    }
}
