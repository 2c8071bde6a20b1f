// Tests versions of images: replaced files and crops keep the ID, and published content keeps what it shows.
import Domain
import FoundationEssentials
import Operations
import Store
import TestSupport
import Testing

@Suite("Media versions", .databases)
struct MediaVersionTests {
    private static let actor = TestDatabase.administrator

    private struct World {
        let test: TestDatabase
        let media: MediaRow

        init() async throws {
            test = try await TestDatabase.make()
            media = try await test.services.ingestImage(
                Samples.png(width: 800, height: 600), name: "wall.png", alt: "A wall", by: actor
            ).media
        }

        var replace: ReplaceMedia { test.services.replaceMedia }

        var crop: CropMedia { test.services.cropMedia }

        func current() async throws -> MediaRow { try #require(try await test.database.media.find(media.id)) }

        func article(_ fields: [String: JSONValue] = [:]) async throws -> ChangeOutcome {
            let basic: [String: JSONValue] = [
                "title": "A walk", "body": "<p>Slowly.</p>",
                "categories": .array(["00000000-0000-7000-8000-000000000013"]),
                "image": .object(["media": .string(media.id.description)]),
            ]
            return try await test.write.create(
                type: "article", fields: basic.merging(fields) { $1 }, publishTiming: .now, by: actor)
        }

        func published() async throws -> (path: String, renditions: [String]) {
            let row = try await test.client.one(
                "select path, document from api_v1.media where id = '\(raw: media.id.description)'")
            let document: JSONValue = try row("document")
            let paths = document["renditions"]?.arrayValue?.compactMap { $0["path"]?.stringValue } ?? []
            return (try row("path"), paths)
        }

        func differences() async throws -> Int {
            try await test.database.publications.verify().count
        }
    }

    @Test(
        "A9, A40: a replaced file keeps the ID; published content changes with its next version only, and undo is one step"
    )
    func replaced() async throws {
        let world = try await World()
        let entry = try await world.article()
        let old = world.media
        let before = try await world.published()
        #expect(before.path == old.files.last?.path)
        #expect(try await world.replace(old.id, Samples.png(width: 900, height: 500), by: Self.actor) == 2)
        let new = try await world.current()
        #expect(new.version == 2 && new.files.last?.width == 900 && new.id == old.id && new.alt == "A wall")
        #expect(try await world.published() == before)
        #expect(try await world.differences() == 0)
        // The files of the published version are still there, also after the cleanup.
        let report = try await world.test.services.verifyMedia(
            removesOrphans: true, minimumAge: .zero, by: Self.actor)
        #expect(report.removed == 0 && report.missing.isEmpty)
        _ = try await world.article(["title": "Another walk"])
        let after = try await world.published()
        #expect(after.path == new.files.last?.path && after.renditions == new.files.map(\.path))
        #expect(try await world.differences() == 0)
        try await world.replace.restore(1, of: old.id, by: Self.actor)
        let restored = try await world.current()
        #expect(restored.version == 1 && restored.files == old.files)
        #expect(try await world.test.database.mediaVersions.list(of: old.id).map(\.number) == [2, 1])
        #expect(try await world.test.database.media.uses(of: old.id).map(\.entry).contains(entry.entry))
        let actions: [String] = try await world.test.client.query(
            "select action from ops.audit_event where object_id = '\(raw: old.id.description)' order by id"
        ).map { try $0("action") }
        #expect(actions == ["media.replace", "media.restore"])
    }

    @Test("A9: the file of an image inside a text follows with the next version of the entry")
    func insideText() async throws {
        let world = try await World()
        let path = try #require(world.media.files.last?.path)
        let body = JSONValue.string(
            "<p>Slowly.</p><img src=\"/media/\(path)\" alt=\"A wall\" width=\"800\" height=\"600\">")
        _ = try await world.article(["body": body])
        _ = try await world.replace(world.media.id, Samples.png(width: 900, height: 500), by: Self.actor)
        let created = try await world.article(["title": "Again", "body": body])
        let revision = try #require(try await world.test.database.revisions.find(created.entry, number: 1))
        let text = try #require(revision.content.fields["body"]?.stringValue)
        let current = try await world.current()
        #expect(text.contains(current.files.last?.path ?? "?") && !text.contains(path))
        #expect(try await world.differences() == 0)
    }

    @Test("A9: a crop is data: the whole image stays, the files show the part, and the focal point stays at its place")
    func cropped() async throws {
        let world = try await World()
        let id = world.media.id
        try await world.test.services.updateMedia(
            id, alt: "A wall", focus: try #require(FocalPoint(x: 750, y: 750)), tags: [" Walls", "gray", "GRAY"],
            by: Self.actor)
        let crop = try #require(ImageCrop(x: 500, y: 500, width: 500, height: 500))
        try await world.crop(id, to: crop, focus: try #require(FocalPoint(x: 750, y: 750)), by: Self.actor)
        let cropped = try await world.current()
        #expect(cropped.files.last?.width == 400 && cropped.files.last?.height == 300 && cropped.version == 2)
        #expect(cropped.crop == crop && cropped.focus == .middle && cropped.tags == ["gray", "walls"])
        #expect(cropped.source == world.media.files.last?.path)
        let whole = try await world.test.database.mediaVersions.wholeFiles(of: id)
        #expect(whole == world.media.files)
        // Back to the whole image: the first version again.
        try await world.crop(id, to: .whole, focus: try #require(FocalPoint(x: 100, y: 200)), by: Self.actor)
        let again = try await world.current()
        #expect(again.version == 1 && again.files == world.media.files && again.focus == FocalPoint(x: 100, y: 200))
        // A different crop of what was replaced comes from the new file.
        _ = try await world.replace(id, Samples.png(width: 200, height: 100), by: Self.actor)
        try await world.crop(id, to: crop, focus: .middle, by: Self.actor)
        #expect(try await world.current().files.last?.width == 100)
        #expect(
            try await world.test.database.media.page(MediaFilter(tag: "gray"), cursor: nil, limit: 5).items.count == 1)
        #expect(try await world.test.database.media.page(MediaFilter(tag: "red"), cursor: nil, limit: 5).items.isEmpty)
        #expect(
            try await world.test.database.media.page(MediaFilter(query: "Walls"), cursor: nil, limit: 5).items.count
                == 1)
    }

    @Test("A9: versions that nothing shows are limited; the file of another image is refused")
    func limits() async throws {
        let world = try await World()
        let id = world.media.id
        for number in 1...24 {
            _ = try await world.replace(id, Samples.png(width: 20 + number, height: 10), by: Self.actor)
        }
        let numbers = try await world.test.database.mediaVersions.list(of: id).map(\.number)
        #expect(numbers.first == 25 && numbers.last == 1 && numbers.count == 21)
        let other = try await world.test.services.ingestImage(
            Samples.png(width: 30, height: 30), name: "other.png", alt: "", by: Self.actor
        ).media
        await #expect(throws: Failure.self) {
            try await world.replace(other.id, Samples.png(width: 44, height: 10), by: Self.actor)
        }
        await #expect(throws: Failure.self) {
            try await world.replace(id, Samples.png(width: 50, height: 50), by: try await world.test.actor(.curator))
        }
        let missing = ID<Media>(UUID())
        await #expect(throws: Failure.missing("image")) {
            try await world.replace(missing, Samples.png(width: 51, height: 50), by: Self.actor)
        }
        for tags in [(0...20).map { "t\($0)" }, [String(repeating: "a", count: 41)], ["a,b"]] {
            await #expect(throws: Failure.self) {
                try await world.test.services.updateMedia(
                    id, alt: "", focus: .middle, tags: tags, by: Self.actor)
            }
        }
        try await world.test.services.deleteMedia(id, by: Self.actor)
        #expect(try await world.test.database.media.find(id) == nil)
    }

    @Test("Crops map points of the whole image to points of the part and back")
    func points() throws {
        let crop = try #require(ImageCrop(x: 200, y: 100, width: 400, height: 500))
        let point = try #require(FocalPoint(x: 400, y: 350))
        #expect(crop.inside(point) == .middle && crop.outside(.middle) == point)
        #expect(crop.inside(try #require(FocalPoint(x: 0, y: 1000))) == FocalPoint(x: 0, y: 1000))
        #expect(ImageCrop.whole.inside(point) == point && ImageCrop.whole.outside(point) == point)
        #expect(ImageCrop(x: 0, y: 0, width: 9, height: 500) == nil)
        #expect(ImageCrop(x: 600, y: 0, width: 401, height: 500) == nil)
    }
}
