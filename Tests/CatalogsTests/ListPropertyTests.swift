// Runs random actions on lists and catalogs: the read tables match the published entries, and timestamps are correct.
import Domain
import Lists
import Operations
import Platform
import Postgres
import Store
import TestBasics
import TestSupport
import Testing

@Suite("Lists compared with a full projection", .databases, .packs(.lists))
struct ListPropertyTests {
    @Test(
        "D23, D24, D33: after random actions the read tables are correct, and updated_at changes exactly with the content",
        arguments: TestScale.seeds(1, 2, 3))
    func incrementalEqualsFull(seed: UInt64) async throws {
        let fixture = try await CatalogFixture.make()
        var hand = RandomEditor(fixture: fixture, seed: seed)
        var before = try await Self.snapshot(fixture)
        for round in 1...40 {
            try await hand.action()
            let after = try await Self.snapshot(fixture)
            for (key, row) in after {
                guard let old = before[key] else { continue }
                #expect(old.created == row.created, "\(key) after action \(round)")
                #expect((old.content != row.content) == (old.updated != row.updated), "\(key) after action \(round)")
            }
            before = after
            if round % 5 == 0 { #expect(try await fixture.isVerified(), "after action \(round)") }
        }
        #expect(hand.done > 25)
    }

    private struct Line {
        let content: String
        let updated: String
        let created: String
    }

    /// The content of each published row, without its timestamps and version.
    private static func snapshot(_ fixture: CatalogFixture) async throws -> [String: Line] {
        var found: [String: Line] = [:]
        for (table, key) in [("list", "id"), ("list_item", "list_id, catalog_item_id")] {
            let rows = try await fixture.test.client.query(
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

/// Runs random actions as an authorized actor.
private struct RandomEditor {
    let fixture: CatalogFixture
    private var films: [ID<CatalogItem>] = []
    private var names: [String] = []
    private var lists: [ID<Entry>] = []
    private(set) var done = 0

    private var random: SeededGenerator

    init(fixture: CatalogFixture, seed: UInt64) {
        self.fixture = fixture
        random = SeededGenerator(seed: seed)
    }

    mutating func action() async throws {
        do {
            try await one()
            done += 1
        } catch is Failure {
            // A refused action must not change anything.
        }
    }

    private mutating func one() async throws {
        guard films.count >= 8 else {
            names = (1...8).map { "Film \($0)" }
            films = try await fixture.films(names, ids: names)
            return
        }
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1:
            lists.append(try await fixture.list("List \(lists.count)", some(atMost: 5)))
        case 2, 3:
            // New or unchanged details, sometimes with a new title.
            let index = Int.random(in: 0..<8, using: &random)
            let title =
                Bool.random(using: &random)
                ? names[index] : "Film \(index + 1) \(Int.random(in: 0...2, using: &random))"
            try await fixture.films(
                [title], about: Bool.random(using: &random) ? "Short." : "", areComplete: true, ids: [names[index]])
        case 4:
            let ids = some(atMost: 3)
            let isListed = Bool.random(using: &random)
            _ = try await fixture.test.database.transaction(
                by: TestDatabase.administrator, AuditEvent("catalog.relist", on: "catalog")
            ) { try await $0.catalogs.setListed(ids, isListed, by: TestDatabase.administrator) }
        case 5:
            guard let list = lists.randomElement(using: &random) else { return }
            _ = try await fixture.write.unpublish(list, by: TestDatabase.administrator)
        case 6:
            // Restores an older version.
            guard let list = lists.randomElement(using: &random),
                let newest = try await fixture.test.database.revisions.newest(of: list)
            else { return }
            _ = try await fixture.write.restore(
                list, number: Int.random(in: 1...newest.number, using: &random), base: newest.number,
                publishTiming: .now,
                by: TestDatabase.administrator)
        default:
            guard let list = lists.randomElement(using: &random) else { return }
            let subject: JSONValue? =
                Bool.random(using: &random) ? nil : films.randomElement(using: &random).map { .string($0.description) }
            try await fixture.edit(
                list, ["items": CatalogFixture.rows(some(atMost: 6)), "subject": subject ?? .null],
                publishTiming: Int.random(in: 0..<4, using: &random) == 0 ? .approveOnly : .now)
        }
    }

    private mutating func some(atMost limit: Int) -> [ID<CatalogItem>] {
        Array(films.shuffled(using: &random).prefix(Int.random(in: 0...limit, using: &random)))
    }
}
