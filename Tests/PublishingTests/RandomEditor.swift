// Performs random but repeatable actions on entries.
import Domain
import Lists
import Operations
import Store
import TestBasics
import TestSupport
import Testing

struct RandomEditor {
    let test: TestDatabase
    let write: WriteEntry
    var random: SeededGenerator
    /// What was added later draws from here, so that a seed goes on meaning what it meant.
    private var extra: SeededGenerator
    var entries: [String: [ID<Entry>]] = ["article": [], "video": [], "feed": [], "category": []]
    /// What is made and changed; a type that is there twice twice as often.
    var types = [
        "article", "article", "article", "article", "video", "feed", "category", "category", "onboarding_set", "text",
        "setting",
    ]
    /// Whether categories are merged and parted, too.
    var merges = false
    private var images: [ID<Media>] = []
    private var films: [ID<CatalogItem>] = []
    private(set) var actions = 0
    private(set) var refused = 0

    init(test: TestDatabase, seed: UInt64) {
        self.test = test
        write = test.write
        random = SeededGenerator(seed: seed)
        extra = SeededGenerator(seed: seed + 1000)
    }

    /// One to five changes, then everything that they ask for in one publication; a refusal by a rule counts, and is
    /// fine: nothing of it may have happened.
    mutating func action() async throws {
        actions += 1
        try await image()
        if types.contains("list"), films.count < 6 { try await film() }
        var changes: [LiveChange] = []
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            guard let change = try await change(), !changes.contains(where: { $0.entry == change.entry }) else {
                continue
            }
            changes.append(change)
        }
        guard !changes.isEmpty else { return }
        let publish = test.services.publishRelease
        let planned = try await planned(publish, changes)
        do {
            let number = try await publish.now(changes, note: "random", by: TestDatabase.administrator)
            if let planned, let number { try await check(planned, number) }
        } catch is Failure {
            refused += 1
        }
    }

    /// Acts so many times, and compares the read tables with the live set after every few actions.
    mutating func act(_ times: Int, verifyingEach few: Int) async throws {
        for round in 1...times {
            try await action()
            guard round % few == 0 else { continue }
            let differences = try await test.database.publications.verify()
            #expect(differences.isEmpty, "after action \(round): \(differences.map { "\($0.table) \($0.key)" })")
        }
    }

    struct PlanDiffers: Error {
        let planned: Int
        let done: Int
    }

    private func planned(_ publish: PublishRelease, _ changes: [LiveChange]) async throws -> Int? {
        do {
            return try await publish.plan(.listed(changes), limit: 0).total
        } catch is Failure {
            return nil
        }
    }

    /// The rows that were written are exactly those that were planned.
    private func check(_ planned: Int, _ number: Int64) async throws {
        let done: Int = try await test.client.one("select changes from api_v1.publication where number = \(number)")(
            "changes")
        if done != planned { throw PlanDiffers(planned: planned, done: done) }
    }

    mutating func change() async throws -> LiveChange? {
        let type = types.randomElement(using: &random) ?? "article"
        let known = entries[type, default: []].randomElement(using: &random)
        let roll = Int.random(in: 0..<10, using: &random)
        if let known, roll < 2 { return LiveChange(entry: known, revision: nil) }
        if let known, roll < 4 {
            // An older approved revision comes back.
            let number = Int.random(in: 1...3, using: &random)
            guard let old = try await test.database.revisions.find(known, number: number), old.isApproved else {
                return nil
            }
            return LiveChange(entry: known, revision: old.id)
        }
        if let known, roll < 8 { return try await edit(known, type) }
        let made: ChangeOutcome
        do {
            made = try await write.create(
                type: type, fields: fields(of: type), publishTiming: .approveOnly, by: TestDatabase.administrator)
        } catch is Failure {
            // Nothing can be assigned to an archived category.
            return nil
        }
        entries[type, default: []].append(made.entry)
        return try await newest(of: made.entry)
    }

    /// An approved article in one category, not live.
    func article(in category: ID<Entry>) async throws -> LiveChange {
        let fields: [String: JSONValue] = [
            "title": "In it", "body": "<p>x</p>", "categories": .array([.string(category.description)]),
        ]
        let made = try await write.create(
            type: "article", fields: fields, publishTiming: .approveOnly, by: TestDatabase.administrator)
        return LiveChange(entry: made.entry, revision: try await test.database.revisions.newest(of: made.entry)?.id)
    }

    private mutating func edit(_ id: ID<Entry>, _ type: String) async throws -> LiveChange? {
        guard let newest = try await test.database.revisions.newest(of: id) else { return nil }
        var fields = fields(of: type)
        fields["slug"] = newest.content.fields["slug"]
        if Int.random(in: 0..<3, using: &random) == 0 { fields["slug"] = .string("moved-\(actions)-\(newest.number)") }
        do {
            _ = try await write.edit(
                id, fields: fields, base: newest.number, publishTiming: .approveOnly, by: TestDatabase.administrator)
        } catch is Failure {
            return nil
        }
        return try await self.newest(of: id)
    }

    private func newest(of id: ID<Entry>) async throws -> LiveChange? {
        try await test.database.revisions.newest(of: id).map { LiveChange(entry: id, revision: $0.id) }
    }

    private mutating func fields(of type: String) -> [String: JSONValue] {
        var fields: [String: JSONValue] = ["title": .string("\(type) \(UInt16.random(in: 0...999, using: &random))")]
        switch type {
        case "feed":
            fields["tier"] = .string(Bool.random(using: &random) ? "free" : "premium")
            fields["order"] = .string(Bool.random(using: &random) ? "ranked" : "newest")
            fields["pins"] = some("article", atMost: 3)
            fields["manual_order"] = some("article", atMost: 5)
            fields["categories"] = some("category", atMost: 2)
            if Int.random(in: 0..<3, using: &extra) == 0, let taken = entries["category"]?.randomElement(using: &extra)
            {
                fields["source_category"] = .string(taken.description)
            }
            if Bool.random(using: &random) { fields["featured"] = .int(Int64.random(in: 1...5, using: &random)) }
        case "onboarding_set":
            fields["key"] = .string("onboarding.k\(Int.random(in: 0...9, using: &random))")
            fields["locale"] = .string(["en", "de", "pl"].randomElement(using: &random) ?? "en")
            fields["screens"] = .array(
                (0..<Int.random(in: 2...5, using: &random)).map { number in
                    .object([
                        "text": .string("Screen \(UInt8.random(in: 0...9, using: &random))"),
                        "image": .string("https://media.example/\(number).png"),
                    ])
                })
        case "text":
            fields["key"] = .string("text.k\(Int.random(in: 0...30, using: &random))")
            fields["values"] = .array(
                ["en", "de", "pl"].shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)).map {
                    .object([
                        "locale": .string($0), "value": .string("Text \(UInt8.random(in: 0...9, using: &random))"),
                    ])
                })
        case "setting":
            // Sometimes a second one with the key of the one that was seeded: refused while that is live.
            let isOurs = Int.random(in: 0..<3, using: &random) == 0
            fields["key"] = .string(
                isOurs ? "categories.include_empty" : "setting.k\(Int.random(in: 0...30, using: &random))")
            fields["section"] = "S"
            fields["kind"] = "boolean"
            fields["value"] = .string(Bool.random(using: &random) ? "true" : "false")
        case "category":
            let group = Bool.random(using: &random) ? SeedEntry.topicGroup : SeedEntry.placeGroup
            fields["group"] = .string(group.description)
            fields["position"] = .int(Int64.random(in: 0...9, using: &random))
            if merges {
                // Now and then in a circle, which is refused.
                if Int.random(in: 0..<3, using: &random) == 0 { fields["merged_into"] = one("category") }
                fields["synonyms"] = .string("word \(UInt8.random(in: 0...9, using: &random))")
            }
            if Bool.random(using: &extra) { fields["featured"] = .int(Int64.random(in: 1...5, using: &extra)) }
        case "city":
            fields["center"] = point()
            fields["population"] = .int(Int64.random(in: 0...9, using: &random))
        case "place":
            fields["city"] = one("city")
            fields["address"] = .string("Street \(UInt16.random(in: 0...9, using: &random))")
            fields["point"] = point()
            fields["image"] = .string("https://images.example/\(UInt16.random(in: 0...9, using: &random)).jpg")
            fields["categories"] = some("category", atMost: 3, or: SeedEntry.unsorted)
        case "list":
            let chosen = films.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random))
            fields["items"] = .array(chosen.map { .object(["item": .string($0.description)]) })
        case "review":
            fields["place"] = one("place")
            fields["rating"] = .int(Int64.random(in: 1...5, using: &random))
        case "promotion":
            fields["place"] = one("place")
            fields["starts_at"] = .string("2026-11-2\(Int.random(in: 0...4, using: &random))T10:00:00Z")
            fields["ends_at"] = .string("2026-11-2\(Int.random(in: 5...9, using: &random))T10:00:00+01:00")
        default:
            fields["body"] = .string("<p>Body <b>\(UInt16.random(in: 0...999, using: &random))</b></p>")
            fields["feeds"] = some("feed", atMost: 3)
            fields["categories"] = some("category", atMost: 3, or: SeedEntry.unsorted)
            if Int.random(in: 0..<4, using: &random) == 0 { fields["tier"] = "premium" }
            if type == "article", let image = images.randomElement(using: &random) {
                let alt = Int.random(in: 0..<3, using: &random)
                let members: [String: JSONValue] = ["media": .string(image.description)]
                // Some are described in their place, some in the library, some nowhere: those cannot be published.
                fields["image"] = .object(alt == 0 ? members.merging(["alt": "here"]) { $1 } : members)
            }
            if type == "article", Int.random(in: 0..<4, using: &extra) == 0 {
                let image = Int.random(in: 1...5, using: &extra)
                fields["body"] = .string("<p>b<img src=\"https://elsewhere.example/\(image).png\" alt=\"\"></p>")
            }
            if type == "video" {
                fields["hls_url"] = "https://media.example/a.m3u8"
                if let image = images.randomElement(using: &extra) {
                    fields["poster"] = .object(["media": .string(image.description), "alt": "poster"])
                }
            }
        }
        return fields
    }

    private mutating func point() -> JSONValue {
        .object([
            "lat": .int(Int64.random(in: -90...90, using: &random)),
            "lon": .int(Int64.random(in: -180...180, using: &random)),
        ])
    }

    private mutating func one(_ type: String) -> JSONValue {
        entries[type, default: []].randomElement(using: &random).map { .string($0.description) } ?? .null
    }

    /// Something of a catalog.
    private mutating func film() async throws {
        let kinds = try CatalogKinds(folder: TestDatabase.packageRoot + "/Config/catalogs")
        let title = "Film \(films.count)"
        guard let kind = kinds["movie"],
            let record = CatalogRecord(kind, externalID: title, title: title, details: [:])
        else { return }
        films += try await test.database.transaction(
            by: TestDatabase.administrator, AuditEvent("catalog.update", on: "catalog")
        ) { transaction in
            try await transaction.catalogs.record(
                [record], areComplete: true, kind: "movie", source: "tmdb", by: transaction.actor)
        }
    }

    /// A few images, described now and then anew, which shows with the next version only.
    private mutating func image() async throws {
        let database = test.database
        let number = images.count
        guard number < 4 else {
            guard let known = images.randomElement(using: &random) else { return }
            let point = FocalPoint(x: Int.random(in: 0...1000, using: &random), y: 500) ?? .middle
            try await test.services.updateMedia(
                known, alt: "described \(actions)", focus: point, by: TestDatabase.administrator)
            return
        }
        let sum = String(repeating: String(number), count: 64)
        let file = ImageValue.File(
            path: "\(sum.prefix(2))/\(sum.prefix(62)).jpg", width: 10 + number, height: 10, bytes: 100, sha256: sum)
        let new = NewMedia(
            uploadHash: [UInt8](repeating: UInt8(number), count: 32), name: "p\(number).jpg", type: "image/jpeg",
            alt: number == 0 ? "" : "image \(number)", files: [file])
        let id = try await database.transaction(
            by: TestDatabase.administrator, AuditEvent("media.create", on: "media")
        ) { transaction in try await transaction.media.add(new, by: TestDatabase.administrator) }
        if let id { images.append(id) }
    }

    private mutating func some(_ type: String, atMost limit: Int, or fallback: ID<Entry>? = nil) -> JSONValue {
        let count = Int.random(in: 0...limit, using: &random)
        var chosen = Array(entries[type, default: []].shuffled(using: &random).prefix(count))
        if let fallback, chosen.isEmpty || Bool.random(using: &random) { chosen.append(fallback) }
        return .array(chosen.map { .string($0.description) })
    }
}
