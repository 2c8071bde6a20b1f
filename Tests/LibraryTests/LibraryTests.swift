// Tests the media library: images are stored once, used by entries, published only if complete, deleted when unused.
import Domain
import FoundationEssentials
import Operations
import Platform
import Postgres
import Store
import TestSupport
import Testing

@Suite("Media library", .databases)
struct LibraryTests {
    private static let actor = TestDatabase.administrator

    private func ingest(
        _ test: TestDatabase, _ bytes: [UInt8] = Samples.png(width: 400, height: 300), alt: String = "A gray wall",
        name: String = "wall.png", by actor: Actor = actor
    ) async throws -> (media: MediaRow, isNew: Bool) {
        try await test.services.ingestImage(
            bytes, name: name, alt: alt, by: actor)
    }

    private func article(
        _ test: TestDatabase, _ image: JSONValue?, title: String = "A walk", publishTiming: PublishTiming = .now
    ) async throws -> ChangeOutcome {
        var fields: [String: JSONValue] = [
            "title": .string(title), "body": "<p>Slowly.</p>",
            "categories": .array(["00000000-0000-7000-8000-000000000013"]),
        ]
        fields["image"] = image
        return try await test.write.create(
            type: "article", fields: fields, publishTiming: publishTiming, by: Self.actor)
    }

    private func named(_ media: MediaRow, alt: String? = nil) -> JSONValue {
        var members: [String: JSONValue] = ["media": .string(media.id.description)]
        members["alt"] = alt.map(JSONValue.string)
        return .object(members)
    }

    private func check(_ test: TestDatabase, removesOrphans: Bool = false) async throws -> VerifyMedia.Report {
        try await test.services.verifyMedia(
            removesOrphans: removesOrphans, minimumAge: .zero, by: Self.actor)
    }

    @Test("A9, A40: an image is stored once under the hash of its content, with an audit event")
    func stored() async throws {
        let test = try await TestDatabase.make()
        let first = try await ingest(test, name: "../../etc/pass\u{202E}wd\n.png")
        #expect(first.isNew && first.media.files.map(\.width) == [320, 400])
        #expect(!first.media.name.contains("/"))
        for file in first.media.files {
            let path = try #require(MediaPath(file.path))
            #expect(path.sha256 == file.sha256)
            guard case .file(let stored, let size) = try await test.library.files.content(path) else {
                Issue.record("\(file.path) is not there")
                continue
            }
            let bytes = FileManager.default.contents(atPath: stored).map { [UInt8]($0) } ?? []
            #expect(size == file.bytes && SHA256.hex(bytes) == file.sha256)
        }
        let second = try await ingest(test, alt: "Another text")
        #expect(!second.isNew && second.media.id == first.media.id && second.media.alt == "A gray wall")
        let events: Int = try await test.client.one(
            "select count(*) as n from ops.audit_event where action = 'media.create'")("n")
        #expect(events == 1)
    }

    @Test("A40, B9: a published entry has its image's files with size and checksum, in every width")
    func published() async throws {
        let test = try await TestDatabase.make()
        let media = try await ingest(test).media
        let entry = try await article(test, named(media)).entry
        let document: JSONValue = try await test.reader.one(
            "select document ->> 'fields' as f from api_v1.item_full where id = \(entry)")("f")
        let image = try #require(document["image"])
        #expect(image["alt"] == "A gray wall" && image["width"] == .int(400))
        #expect(image["renditions"]?.arrayValue?.count == 2)
        #expect(image["path"]?.stringValue == media.files.last?.path)
        let row = try await test.reader.one("select * from api_v1.media where id = \(media.id)")
        #expect(try row("path") as String == media.files.last?.path)
        #expect(try row("sha256") as String == media.files.last?.sha256)
        #expect(try row("bytes") as Int == media.files.last?.bytes)
        #expect(try row("alt") as String == "A gray wall")
        #expect(try await test.database.publications.verify().isEmpty)
    }

    @Test("A40: an entry with an image without alternative text is not published")
    func undescribed() async throws {
        let test = try await TestDatabase.make()
        let media = try await ingest(test, alt: "").media
        let failure = await #expect(throws: Failure.self) { _ = try await article(test, named(media)) }
        #expect(
            failure?.isBlocked(
                "media_alt", "The image of \"A walk\" needs an alternative text before it can be published.") == true)
        // A draft may lack it, a blank text does not count, and the entry's own text is enough.
        _ = try await article(test, named(media), title: "A draft", publishTiming: .draft)
        await #expect(throws: Failure.self) { _ = try await article(test, named(media, alt: "  "), title: "B") }
        _ = try await article(test, named(media, alt: "x"), title: "C")
        #expect(try await test.database.publications.verify().isEmpty)
    }

    @Test("A40: an entry with an image with a missing file is not published; uploading it again restores the file")
    func missingFile() async throws {
        let test = try await TestDatabase.make()
        let media = try await ingest(test).media
        let path = try #require(media.files.first.flatMap { MediaPath($0.path) })
        #expect(try await check(test).missing.isEmpty)
        try await test.library.files.remove(path)
        #expect(try await check(test).missing == [media.id.description])
        #expect(try await check(test).missing.isEmpty)
        let failure = await #expect(throws: Failure.self) { _ = try await article(test, named(media)) }
        #expect(
            failure?.isBlocked("media_file", "The image of \"A walk\" is missing from media storage.") == true)
        #expect(try await !ingest(test).isNew)
        #expect(try await test.database.media.find(media.id)?.state == .stored)
        _ = try await article(test, named(media))
    }

    @Test("An unknown image is refused at its field, and restoring a version restores its image")
    func references() async throws {
        let test = try await TestDatabase.make()
        let nowhere: JSONValue = .object(["media": .string(ID<Media>(UUIDv7.make()).description)])
        let failure = await #expect(throws: Failure.self) {
            _ = try await article(test, nowhere, publishTiming: .draft)
        }
        #expect(failure == .unknownImage(at: "/fields/image/media"))
        let media = try await ingest(test).media
        let entry = try await article(test, named(media)).entry
        let write = test.write
        var fields = try #require(try await test.database.revisions.newest(of: entry)).content.fields
        // Saving it unchanged is refused.
        await #expect(throws: Failure.self) { try await write.edit(entry, fields: fields, base: 1, by: Self.actor) }
        fields["image"] = nil
        _ = try await write.edit(entry, fields: fields, base: 1, publishTiming: .now, by: Self.actor)
        #expect(try await test.client.one("select count(*) as n from api_v1.media")("n") as Int == 0)
        let uses = try await test.database.media.uses(of: media.id)
        #expect(uses.map(\.isPast) == [true] && uses.map(\.isLive) == [false])
        _ = try await write.restore(entry, number: 1, base: 2, publishTiming: .now, by: Self.actor)
        #expect(try await test.client.one("select count(*) as n from api_v1.media")("n") as Int == 1)
        #expect(try await test.database.publications.verify().isEmpty)
    }

    @Test("A new alternative text is only published with the next version")
    func describe() async throws {
        let test = try await TestDatabase.make()
        let media = try await ingest(test).media
        let entry = try await article(test, named(media)).entry
        let point = try #require(FocalPoint(x: 250, y: 1000))
        #expect(FocalPoint(x: 1001, y: 0) == nil && FocalPoint(x: 0, y: -1) == nil)
        let describe = test.services.updateMedia
        try await describe(media.id, alt: String(repeating: "ä", count: 500), focus: point, by: Self.actor)
        await #expect(throws: Failure.self) {
            try await describe(media.id, alt: String(repeating: "ä", count: 501), focus: point, by: Self.actor)
        }
        #expect(try await test.database.publications.verify().isEmpty)
        let focus = { () async throws -> JSONValue in
            try await test.client.one("select document ->> 'focus' as f from api_v1.media")("f")
        }
        #expect(try await focus() == .object(["x": .double(0.5), "y": .double(0.5)]))
        let newest = try #require(try await test.database.revisions.newest(of: entry))
        _ = try await test.write.edit(
            entry, fields: newest.content.fields, base: 1, publishTiming: .now, by: Self.actor)
        #expect(try await focus() == .object(["x": .double(0.25), "y": .int(1)]))
        #expect(try await test.database.publications.verify().isEmpty)
    }

    @Test("Only unused images can be deleted; the cleanup deletes their files (R36)")
    func deletion() async throws {
        let test = try await TestDatabase.make()
        let (used, unused) = (
            try await ingest(test).media, try await ingest(test, Samples.png(width: 8, height: 8)).media
        )
        _ = try await article(test, named(used), publishTiming: .draft)
        let remove = test.services.deleteMedia
        await #expect(throws: Failure.self) { try await remove(used.id, by: Self.actor) }
        let orphans = try await test.database.media.page(MediaFilter(state: "unused"), cursor: nil, limit: 10)
        #expect(orphans.items.map(\.id) == [unused.id])
        try await remove(unused.id, by: Self.actor)
        await #expect(throws: Failure.missing("image")) { try await remove(unused.id, by: Self.actor) }
        let report = try await check(test)
        #expect(report.orphans == unused.files.map(\.path) && report.removed == 0)
        #expect(try await check(test, removesOrphans: true).removed == 1)
        #expect(try await check(test).orphans.isEmpty)
        #expect(try await test.database.media.find(used.id)?.state == .stored)
    }

    @Test("S15: curators add and describe images, editors delete them")
    func roles() async throws {
        let test = try await TestDatabase.make()
        let curator = try await test.actor(.curator)
        let media = try await ingest(test, by: curator).media
        try await test.services.updateMedia(media.id, alt: "x", focus: .middle, by: curator)
        await #expect(throws: Failure.self) { try await test.services.deleteMedia(media.id, by: curator) }
        try await test.services.deleteMedia(media.id, by: try await test.actor(.editor))
    }
}
