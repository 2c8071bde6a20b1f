// Tests that images in texts and settings are references, and that publishing checks the files themselves.
import Domain
import FoundationEssentials
import Operations
import Postgres
import Store
import TestSupport
import Testing

@Suite("References to images", .databases)
struct ImageReferenceTests {
    private static let actor = TestDatabase.administrator

    private func ingest(_ test: TestDatabase, grey: UInt8 = 128, alt: String = "The logo") async throws -> MediaRow {
        try await test.services.ingestImage(
            Samples.png(width: 40, height: 30, grey: grey), name: "logo.png", alt: alt, by: Self.actor
        ).media
    }

    private func create(
        _ test: TestDatabase, _ type: String, _ fields: [String: JSONValue], database: Database? = nil,
        publishTiming: PublishTiming = .now
    ) async throws -> ChangeOutcome {
        try await test.services(on: database).writeEntry.create(
            type: type, fields: fields, publishTiming: publishTiming, by: Self.actor)
    }

    private func text(_ value: String) -> [String: JSONValue] {
        [
            "title": "About", "key": "site.intro", "section": "website", "format": "markdown",
            "values": .array([.object(["locale": "en", "value": .string(value)])]),
        ]
    }

    private func setting(_ value: String) -> [String: JSONValue] {
        ["title": "Logo", "key": "brand.logo", "section": "Brand", "kind": "text", "value": .string(value)]
    }

    private func article(_ body: String) -> [String: JSONValue] {
        [
            "title": "A walk", "body": .string(body),
            "categories": .array(["00000000-0000-7000-8000-000000000013"]),
        ]
    }

    @Test("A9, A40: an image that a text or setting names can't be deleted, and apps find it among the images")
    func deletion() async throws {
        let test = try await TestDatabase.make()
        let remove = test.services.deleteMedia
        for (grey, type) in [(1, "text"), (2, "setting"), (3, "article")] as [(UInt8, String)] {
            let media = try await ingest(test, grey: grey)
            let path = try #require(media.files.last?.path)
            let fields =
                switch type {
                case "text": text("![Logo](\(path))")
                case "setting": setting(path)
                default: article("<p>x<img src=\"/media/\(path)\" alt=\"\"></p>")
                }
            let entry = try await create(test, type, fields).entry
            let failure = await #expect(throws: Failure.self) { try await remove(media.id, by: Self.actor) }
            guard case .conflict(code: "in_use", message: _) = failure else {
                Issue.record("\(type): \(String(describing: failure))")
                continue
            }
            #expect(try await test.database.media.uses(of: media.id).map(\.entry) == [entry])
            #expect(try await test.database.media.find(media.id)?.isLive == true)
            let row = try await test.reader.one("select path, alt from api_v1.media where id = \(media.id)")
            #expect(try row("path") as String == path && row("alt") as String == "The logo")
        }
        let body: JSONValue = try await test.reader.one(
            "select document ->> 'fields' as f from api_v1.item_full")("f")
        #expect(body["body"]?.stringValue?.contains("<img src=\"/media/") == false)
        #expect(try await test.database.publications.verify().isEmpty)
    }

    @Test("A40: a text that names an unknown or undescribed image is refused at its field; an external URL is not")
    func unknown() async throws {
        let test = try await TestDatabase.make()
        let nowhere = "52/" + String(repeating: "a", count: 62) + ".png"
        let failure = await #expect(throws: Failure.self) {
            _ = try await create(test, "setting", setting(nowhere), publishTiming: .draft)
        }
        #expect(failure == .unknownImage(at: "/fields/value"))
        _ = try await create(test, "setting", setting("https://elsewhere.example/" + nowhere), publishTiming: .draft)
        let media = try await ingest(test, alt: "")
        let undescribed = await #expect(throws: Failure.self) {
            _ = try await create(test, "text", text("![x](\(media.files[0].path))"), publishTiming: .draft)
        }
        guard case .invalid(let errors) = undescribed, let error = errors.items.first else {
            Issue.record("\(String(describing: undescribed))")
            return
        }
        #expect(error.pointer == "/fields/values/0/value" && error.code == "media_alt")
    }

    @Test("A40: publishing checks that every file exists with its size, whatever the last verification said")
    func files() async throws {
        let test = try await TestDatabase.make()
        let database = Database(client: test.client, packs: TestDatabase.packs, mediaFileSize: test.library.fileSize)
        let media = try await ingest(test)
        let path = try #require(media.files.last?.path)
        let file = try #require(MediaPath(path))
        guard case .file(let stored, _) = try await test.library.files.content(file) else {
            Issue.record("the image is not stored as a file")
            return
        }
        let bytes = try #require(FileManager.default.contents(atPath: stored))
        let image: JSONValue = .object(["media": .string(media.id.description)])
        let fields = article("<p>b</p>").merging(["image": image]) { $1 }
        let draft = try await create(test, "article", fields, publishTiming: .approveOnly)
        let publish = try test.services(on: database).publishRelease
        let message = "The image of \"A walk\" is missing from media storage."
        func isBlocked(_ blocked: [BlockedEntry]) -> Bool {
            blocked.map(\.entry) == [draft.entry] && blocked.allSatisfy { $0.failure.isBlocked("media_file", message) }
        }
        // One byte less, nothing, and the whole file again.
        try bytes.dropLast().write(to: URL(fileURLWithPath: stored))
        #expect(isBlocked(try await publish.waiting(by: Self.actor).blocked))
        try FileManager.default.removeItem(atPath: stored)
        #expect(isBlocked(try await publish.waiting(by: Self.actor).blocked))
        #expect(isBlocked(try await publish.plan().blocked))
        let refusal = await #expect(throws: Failure.self) {
            _ = try await create(test, "article", fields, database: database)
        }
        #expect(refusal?.isBlocked("media_file", message) == true)
        let newest = try #require(try await database.revisions.newest(of: draft.entry))
        let due = try await test.services.composeRelease.create(
            title: "Due", items: [LiveChange(entry: draft.entry, revision: newest.id)], by: Self.actor)
        try await test.makeDue(due)
        let failures = try await publish.due().map(\.failure)
        #expect(failures.count == 1 && failures[0]?.contains("is missing from media storage") == true)
        try bytes.write(to: URL(fileURLWithPath: stored))
        #expect(try await publish.waiting(by: Self.actor).entries == 1)
        #expect(try await test.database.publications.verify().isEmpty)
    }
}
