// Tests moving a release to another deployment: compared first, and not public before it is published there.
import Domain
import FoundationEssentials
import Operations
import Platform
import Postgres
import Store
import Synchronization
import TestSupport
import Testing

@Suite("Release bundles", .databases)
struct ReleaseBundleTests {
    private let actor = TestDatabase.administrator

    private func export(_ test: TestDatabase, _ number: Int64) async throws -> [UInt8] {
        let bytes = Mutex<[UInt8]>([])
        let library = test.library.files
        let read: ExportBundle.FileReader = { text in
            guard let path = MediaPath(text) else { return nil }
            return try await library.bytes(path)
        }
        _ = try await test.services.exportRelease(number, files: read) { line in
            bytes.withLock { $0 += line }
        }
        return bytes.withLock { $0 }
    }

    private func move(
        _ bundle: [UInt8], to test: TestDatabase, isDryRun: Bool = false
    ) async throws -> ImportRelease.Report {
        let library = test.library.files
        let processor = test.library.processor
        let keep: ImportBundle.FileWriter = { file in
            if let path = MediaPath(file.path) { try await library.put(file.bytes, at: path) }
        }
        let open: @Sendable () throws -> BundleChunks = {
            let rest = Mutex<[UInt8]?>(bundle)
            return {
                rest.withLock { rest in
                    defer { rest = nil }
                    return rest
                }
            }
        }
        return try await test.services.importRelease(
            open, title: "From test", isDryRun: isDryRun, publishTiming: .approveOnly,
            inspect: { try await processor.size(of: $0) }, files: keep, by: actor)
    }

    @Test("B63: what a bundle says of an image is checked before anything is written")
    func damagedImages() async throws {
        let (from, to) = (try await TestDatabase.make(), try await TestDatabase.make())
        let image = try await from.services.ingestImage(
            SmallImage.bytes, name: "gray.png", alt: "Gray", by: actor
        ).media
        let fields: [String: JSONValue] = [
            "title": "A hull", "body": "<p>Oak.</p>", "categories": .entries([SeedEntry.unsorted]),
            "image": .object(["media": .string(image.id.description)]),
        ]
        _ = try await from.create("article", fields, .approveOnly)
        let compose = from.services.composeRelease
        let number = try await compose.create(title: "Spring", by: actor)
        _ = try await compose.addWaiting(to: number, by: actor)
        let text = String(decoding: try await export(from, number), as: UTF8.self)
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines[1].hasPrefix("{\"file\"") && lines[2].hasPrefix("{\"media\""))
        let file = try #require(image.files.last)
        let other = Array("no image".utf8)
        let sum = SHA256.hex(other)
        let noImage = [0xFF, 0xD8, 0xFF] + other
        let noImageSum = SHA256.hex(noImage)
        func record(_ bytes: [UInt8], _ sum: String) -> String {
            "{\"file\":{\"base64\":\"\(Base64.encode(bytes, .standard))\","
                + "\"path\":\"\(sum.prefix(2))/\(sum.dropFirst(2)).jpg\"}}"
        }
        let media = lines[2]
        let cases: [(line: Int, with: String?, says: String)] = [
            (2, media.replacing(#/"files":\[[^\]]*\]/#, with: "\"files\":[]"), "line 3 /media/files required"),
            (2, media.replacing("\"width\":\(file.width)", with: "\"width\":0"), "line 3 /media/files/0 digest"),
            (2, media.replacing("\"bytes\":\(file.bytes)", with: "\"bytes\":1"), "line 3 /media/files/0 digest"),
            (2, media.replacing(file.path, with: "ab/\(file.path.dropFirst(3))"), "line 3 /media/files/0 digest"),
            (2, media.replacing("\"focus_x\":500", with: "\"focus_x\":1001"), "line 3 /media/focus_x range"),
            (2, media.replacing(image.type, with: "image/gif"), "line 3 /media required"),
            (1, nil, "line 2 /media/files/0 digest"),
            (1, record(other, sum), "line 2 /file/base64 format"),
            (1, record(noImage, noImageSum), "line 2 /file/base64 damaged"),
            (3, lines[3].replacing("Oak", with: "Elm"), "line 5 /end/sha256 digest"),
        ]
        let before = try await to.readSnapshot()
        for (line, with, says) in cases {
            var broken = lines
            if let with { broken[line] = with } else { broken.remove(at: line) }
            let bundle = Array((broken.joined(separator: "\n") + "\n").utf8)
            for isDryRun in [true, false] {
                let failure = await #expect(throws: Failure.self) {
                    try await move(bundle, to: to, isDryRun: isDryRun)
                }
                guard case .invalid(let errors) = failure, let item = errors.items.first else {
                    Issue.record("\(says): \(String(describing: failure))")
                    continue
                }
                #expect("\(item.pointer) \(item.code)" == says)
            }
        }
        #expect(try await to.readSnapshot() == before)
        let images: Int = try await to.client.one("select count(*) as n from ops.media")("n")
        #expect(images == 0)
        #expect(try await to.library.files.list(after: nil).files.isEmpty)
        #expect(try await move(Array(text.utf8), to: to).entries.map(\.state) == ["new"])
    }

    @Test(
        "B63: a release moves from test to production: compared field by field before, with its images, public only when published there"
    )
    func moves() async throws {
        let (from, to) = (try await TestDatabase.make(), try await TestDatabase.make())
        let write = from.services.writeEntry
        let image = try await from.services.ingestImage(
            SmallImage.bytes, name: "gray.png", alt: "Gray", by: actor
        ).media
        // A category and an article that names it: neither is in production, and one needs the other.
        let category = try await write.create(
            type: "category", fields: ["title": "Ships", "group": .string(SeedEntry.topicGroup.description)],
            publishTiming: .approveOnly, by: actor)
        let fields: [String: JSONValue] = [
            "title": "A hull", "body": "<p>Oak.</p>", "categories": .array([.string(category.entry.description)]),
            "image": .object(["media": .string(image.id.description)]),
        ]
        let article = try await write.create(type: "article", fields: fields, publishTiming: .approveOnly, by: actor)
        let compose = from.services.composeRelease
        let first = try await compose.create(title: "Spring", by: actor)
        _ = try await compose.addWaiting(to: first, by: actor)
        let bundle = try await export(from, first)

        let before = try await to.readSnapshot()
        let compared = try await move(bundle, to: to, isDryRun: true)
        #expect(Set(compared.entries.map { "\($0.state) \($0.title)" }) == ["new Ships", "new A hull"])
        #expect(compared.release == nil)
        #expect(try await to.database.entries.find(article.entry) == nil)

        let moved = try await move(bundle, to: to)
        let number = try #require(moved.release)
        #expect(try await to.readSnapshot() == before)
        _ = try await to.services.publishRelease.release(number, seen: nil, by: actor)
        let shown: JSONValue = try await to.client.one(
            "select document from api_v1.item_full where id = \(article.entry)")("document")
        #expect(shown["fields"]?["image"]?["alt"] == "Gray")
        let path = try #require(shown["fields"]?["image"]?["path"]?.stringValue.flatMap(MediaPath.init))
        #expect(try await to.library.files.bytes(path) != nil)
        #expect(try await to.database.publications.verify().isEmpty)

        // The same again differs in nothing; another title is told with both.
        let same = try await move(bundle, to: to)
        #expect(same.release == nil && same.entries.allSatisfy { $0.state == "same" })
        let newest = try #require(try await from.database.revisions.newest(of: article.entry))
        _ = try await write.edit(
            article.entry, fields: newest.content.fields.merging(["title": "A keel"]) { $1 }, base: 1,
            publishTiming: .approveOnly, by: actor)
        let second = try await compose.create(title: "Summer", by: actor)
        let edited = try #require(try await from.database.revisions.newest(of: article.entry))
        try await compose.add([LiveChange(entry: article.entry, revision: edited.id)], to: second, by: actor)
        let changed = try await move(try await export(from, second), to: to, isDryRun: true)
        let title = changed.entries.first { $0.state == "changed" }?.fields.first
        #expect(title?.old == "A hull" && title?.new == "A keel")
    }

    @Test("B63: content that can't be imported is reported by line and field, and no release is created")
    func refused() async throws {
        let (from, to) = (try await TestDatabase.make(), try await TestDatabase.make())
        let write = from.services.writeEntry
        let category = try await write.create(
            type: "category", fields: ["title": "Ships", "group": .string(SeedEntry.topicGroup.description)],
            publishTiming: .now, by: actor)
        let fields: [String: JSONValue] = [
            "title": "A hull", "body": "<p>Oak.</p>", "categories": .array([.string(category.entry.description)]),
        ]
        _ = try await write.create(type: "article", fields: fields, publishTiming: .approveOnly, by: actor)
        let compose = from.services.composeRelease
        let number = try await compose.create(title: "Alone", by: actor)
        _ = try await compose.addWaiting(to: number, by: actor)
        let bundle = try await export(from, number)
        let failure = await #expect(throws: Failure.self) { try await move(bundle, to: to) }
        guard case .invalid(let errors) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(errors.items.first?.pointer.hasPrefix("line 2 /entry/content") == true, "\(errors)")
        let made: Int = try await to.client.one("select count(*) as n from curation.release")("n")
        #expect(made == 0)
    }

    @Test(
        "B63, D33: a list moves with its catalog items: known ones are matched, others keep their ids", .packs(.lists))
    func lists() async throws {
        let (from, to) = (try await TestDatabase.make(), try await TestDatabase.make())
        // A film that both know, by ids of their own, and one that only test knows.
        let films = try await film(from, "1", "A ship") + film(from, "2", "A sail")
        let here = try await film(to, "1", "A ship here")
        let rows = films.map { JSONValue.object(["item": .string($0), "note": "Seen twice"]) }
        let made = try await from.services.writeEntry.create(
            type: "list", fields: ["title": "At sea", "items": .array(rows), "subject": .string(films[0])],
            publishTiming: .approveOnly, by: actor)
        let compose = from.services.composeRelease
        let number = try await compose.create(title: "Lists", by: actor)
        _ = try await compose.addWaiting(to: number, by: actor)
        let bundle = try await export(from, number)
        #expect(try await move(bundle, to: to, isDryRun: true).entries.map(\.state) == ["new"])
        let items: Int = try await to.client.one("select count(*) as n from curation.catalog_item")("n")
        #expect(items == 1)
        let release = try #require(try await move(bundle, to: to).release)
        _ = try await to.services.publishRelease.release(release, seen: nil, by: actor)
        let shown: [String] = try await to.reader.query(
            """
            select i.catalog_item_id || ' ' || i.title as line from api_v1.list_item i
            where i.list_id = \(made.entry) order by i.position
            """
        ).map { try $0("line") }
        #expect(shown == ["\(here[0]) A ship here", "\(films[1]) A sail"])
        #expect(try await move(bundle, to: to).entries.map(\.state) == ["same"])
        #expect(try await to.database.publications.verify().isEmpty)
    }

    private func film(_ test: TestDatabase, _ external: String, _ title: String) async throws -> [String] {
        let item = ReceivedCatalogItem(
            id: ID(UUID()), kind: "movie", source: "tmdb", externalID: external, title: title,
            details: .object(["title": .string(title)]))
        try await test.database.transaction(by: actor, AuditEvent("catalog.test", on: "catalog")) { transaction in
            try await transaction.catalogs.keep([item])
        }
        return [item.id.description]
    }

    @Test("B63: a folder is imported by names: again without changes, and mistakes are reported by file and field")
    func folder() async throws {
        let test = try await TestDatabase.make()
        let ingest = test.services.ingestImage
        let boats = #"{"type":"category","content":{"title":"Boats","group":"category_group:topic"}}"#
        let list = #"{"type":"list","content":{"title":"Films","items":[{"item":"movie:two-tickets"}]}}"#
        let item =
            #"{"kind":"movie","source":"own","external_id":"two-tickets","title":"Two","details":{"title":"Two"}}"#
        func article(_ category: String, _ image: String = "images/sail.png") -> String {
            #"{"type":"article","content":{"title":"A sail","body":"<p>Linen</p>","categories":["\#(category)"],"#
                + #""image":{"media":"\#(image)","alt":"A sail"}}}"#
        }
        func move(_ documents: [String: String], isDryRun: Bool = false) async throws -> ImportRelease.Report {
            let folder = ContentFolder(documents: Array(documents.keys)) { name in
                if name == "images/sail.png" { return SmallImage.bytes }
                guard let text = documents[name] else { throw Failure.missing("file \(name)") }
                return Array(text.utf8)
            }
            let actor = actor
            return try await test.services.importRelease(
                folder, title: "Folder", isDryRun: isDryRun, publishTiming: .approveOnly,
                images: { try await ingest($0, name: $1, alt: $2, by: actor).media.id }, by: actor)
        }
        // The article is before its category.
        var documents = [
            "a.json": "{\"entries\":[\(article("category:boats"))]}", "b.json": "{\"entries\":[\(boats)]}",
        ]
        if TestPack.lists.isEnabled { documents["c.json"] = "{\"entries\":[\(list)],\"catalog_items\":[\(item)]}" }
        let compared = try await move(documents, isDryRun: true)
        #expect(compared.release == nil && compared.entries.map(\.state) == documents.map { _ in "new" })
        #expect(try await test.database.media.find(uploadHash: SHA256.hash(SmallImage.bytes)) == nil)
        let number = try #require(try await move(documents).release)
        _ = try await test.services.publishRelease.release(number, seen: nil, by: actor)
        #expect(try await move(documents).entries.allSatisfy { $0.state == "same" })
        let shown: JSONValue = try await test.client.one(
            "select document from api_v1.item_full")("document")
        #expect(shown["fields"]?["image"]?["alt"] == "A sail")
        if TestPack.lists.isEnabled { #expect(try await test.rows("list_item") == 1) }

        let wrong = [
            ("{\"entries\":[\(article("category:ships"))]}", "x.json entry 1 /entry/content/categories"),
            ("{\"entries\":[\(boats),\(boats)]}", "x.json entry 2 /entry/content/slug"),
            (#"{"entries":[{"type":"boat","content":{}}]}"#, "x.json entry 1 /entry/content/type"),
            (#"{"entries":["x"]}"#, "x.json entry 1"), (#"{"entry":[]}"#, "x.json"), ("{", "x.json"),
        ]
        let review = #"{"entries":[{"type":"review","content":{"title":"x"}}]}"#
        let ofPacks =
            TestPack.places.ifEnabled([(review, "x.json entry 1 /entry/id")])
            + TestPack.lists.ifEnabled([("{\"entries\":[\(list)]}", "x.json entry 1 /entry/content/items/0/item")])
        for (document, message) in wrong + ofPacks {
            let failure = await #expect(throws: Failure.self) { try await move(["x.json": document]) }
            guard case .invalid(let errors) = failure else {
                Issue.record("\(document): \(String(describing: failure))")
                continue
            }
            #expect(errors.items.first?.pointer.hasPrefix(message) == true, "\(document): \(errors)")
        }
        await #expect(throws: Failure.self) {
            try await move(["x.json": "{\"entries\":[\(article("category:boats", "images/other.png"))]}"])
        }
    }

    @Test("B63: a record without content, with an unknown member or with a known id is refused, not unpublished")
    func records() async throws {
        let test = try await TestDatabase.make()
        let id = try await test.publish(
            "category", "Boats", ["group": .string(SeedEntry.topicGroup.description)])
        func entry(_ members: String) -> String { #"{"type": "category", "id": "\#(id)", \#(members)}"# }
        func move(_ entries: String) async throws -> ImportRelease.Report {
            let folder = ContentFolder(documents: ["x.json"]) { _ in Array("{\"entries\": [\(entries)]}".utf8) }
            return try await test.services.importRelease(
                folder, title: "Records", isDryRun: true, images: { _, _, _ in throw Failure.missing("image") },
                by: actor)
        }
        let cases = [
            (entry(#""note": "x""#), "entry 1 /entry/content type"),
            (entry(#""content": []"#), "entry 1 /entry/content type"),
            (entry(#""contents": {}"#), "entry 1 /entry/contents unknown_field"),
            (entry(#""content": null"#) + "," + entry(#""content": null"#), "entry 2 /entry/id duplicate"),
        ]
        for (entries, problem) in cases {
            let failure = await #expect(throws: Failure.self) { try await move(entries) }
            guard case .invalid(let errors) = failure, let first = errors.items.first else {
                Issue.record("\(entries): \(String(describing: failure))")
                continue
            }
            #expect("\(first.pointer) \(first.code)" == "x.json \(problem)")
        }
        #expect(try await move(entry(#""content": null"#)).entries.map(\.state) == ["unpublished"])
        let other = #"{"type": "category", "id": "00000000-0000-7000-8000-000000000001", "content": null}"#
        #expect(try await move(other).entries.map(\.state) == ["same"])
    }
}
