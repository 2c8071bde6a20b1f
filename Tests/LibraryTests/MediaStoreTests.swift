// Tests that only the media store that belongs to the database is used, and how another one is adopted.
import Domain
import FoundationEssentials
import Glibc
import Operations
import Platform
import Store
import TestSupport
import Testing

@Suite("Media store", .databases)
struct MediaStoreTests {
    private static let actor = TestDatabase.administrator

    private func withFolders(_ body: (TestDatabase, MediaFolder, MediaFolder) async throws -> Void) async throws {
        let test = try await TestDatabase.make()
        let path = FileManager.default.temporaryDirectory.path + "/vitrine-stores-\(UUIDv7.make())"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body(test, MediaFolder(path: path + "/one"), MediaFolder(path: path + "/two"))
    }

    private func adopt(_ test: TestDatabase, _ files: MediaFolder) -> AdoptMediaStore {
        AdoptMediaStore(database: test.database, files: files)
    }

    private func refusal(_ body: () async throws -> Void) async -> String? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? ConfigurationError)?.description ?? "another error: \(error)"
        }
    }

    private func ingest(
        _ test: TestDatabase, into files: MediaFolder, name: String = "x.png", alt: String = "A wall",
        by actor: Actor = actor
    ) async throws {
        _ = try await test.services(files: files).ingestImage(
            SmallImage.bytes, name: name, alt: alt, by: actor)
    }

    @Test("An image is found by each part of its name, and by the words of its description in any script")
    func words() async throws {
        try await withFolders { test, one, _ in
            try await adopt(test, one).atStart(by: Self.actor)
            try await ingest(test, into: one, name: "paddlesteamer-x_2a.png", alt: "Pier.Embarkation, 吾妻橋 é")
            for (query, count) in [
                ("paddlesteamer", 1), ("paddlesteamer-x_2a.png", 1), ("png", 1), ("x 2", 1), ("embarkation", 1),
                ("Pier.Embarkation", 1), ("妻橋", 1), ("E", 1), ("steamer", 0),
            ] {
                let found = try await test.database.media.page(MediaFilter(query: query), cursor: nil, limit: 5)
                #expect(found.items.count == count, "\(query)")
            }
        }
    }

    @Test("The first daemon records its store; a second one with the same folder starts, one with another is refused")
    func first() async throws {
        try await withFolders { test, one, two in
            try await adopt(test, one).atStart(by: Self.actor)
            let id = try #require(try await test.database.identities.find(.media))
            #expect(try await one.identity() == id && id.utf8.count == 32)
            try await adopt(test, one).atStart(by: Self.actor)
            let refused = await refusal { try await adopt(test, two).atStart(by: Self.actor) }
            let sentence = "\(two.path) is not the media store of this database: it has no file store-id."
            #expect(refused?.hasPrefix(sentence) == true)
            #expect(refused?.contains("vitrine media adopt") == true)
            #expect(try await two.identity() == nil && !FileManager.default.fileExists(atPath: two.path))
        }
    }

    @Test("Of daemons that start at once with one folder, all record the same store")
    func together() async throws {
        try await withFolders { test, one, _ in
            try await concurrently(0..<6) { _ in try await adopt(test, one).atStart(by: Self.actor) }
            #expect(try await one.identity() == test.database.identities.find(.media))
        }
    }

    @Test("Another file in place of the store's id is refused and not quoted: a link, a folder, other or long content")
    func foreignIdentity() async throws {
        try await withFolders { test, one, two in
            try await adopt(test, one).atStart(by: Self.actor)
            let (secret, id) = ("\(two.path)/secret", "\(one.path)/store-id")
            try FileManager.default.createDirectory(atPath: two.path, withIntermediateDirectories: true)
            try Data("a secret\n".utf8).write(to: URL(filePath: secret))
            let own = try #require(FileManager.default.contents(atPath: id))
            func refused(_ replace: () throws -> Void) async throws {
                try FileManager.default.removeItem(atPath: id)
                try replace()
                let message = await refusal { _ = try await adopt(test, one).plan() }
                #expect(message?.contains("isn't an id of a media store") == true, "\(message ?? "taken")")
                #expect(message?.contains("secret") == false)
            }
            try await refused { try FileManager.default.createSymbolicLink(atPath: id, withDestinationPath: secret) }
            try await refused {
                try FileManager.default.createDirectory(atPath: id, withIntermediateDirectories: false)
            }
            for content in [Data(), own.dropLast(2), own + own, Data("a secret\n".utf8), Data(count: 1 << 20)] {
                try await refused { try Data(content).write(to: URL(filePath: id)) }
            }
            try own.write(to: URL(filePath: id))
            #expect(try await adopt(test, one).plan().isAdopted)
        }
    }

    @Test("With another store an image is not added, and a verification does not mark every image as lost")
    func otherStore() async throws {
        try await withFolders { test, one, two in
            try await adopt(test, one).atStart(by: Self.actor)
            try await ingest(test, into: one)
            #expect(await refusal { try await ingest(test, into: two) } != nil)
            let verify = try test.services(files: two).verifyMedia
            #expect(await refusal { _ = try await verify(removesOrphans: true, by: Self.actor) } != nil)
            let page = try await test.database.media.page(MediaFilter(), cursor: nil, limit: 5)
            #expect(page.items.map(\.state) == [.stored])
            let report = try await test.services(files: one).verifyMedia(
                removesOrphans: false, by: Self.actor)
            #expect(report.missing.isEmpty && report.images == 1)
        }
    }

    @Test("A copy of a database deletes no files before it adopts the store")
    func copy() async throws {
        try await withFolders { _, one, _ in
            let orphan = MediaPath(of: [1], type: "image/png")
            let original = PreparedDatabase { test in
                try await AdoptMediaStore(database: test.database, files: one).atStart(by: Self.actor)
                try await ingest(test, into: one)
                try await one.put([1], at: orphan)
            }
            let copy = try await original.copy()
            #expect(try await copy.database.identities.isCopy())
            let verify = try copy.services(files: one).verifyMedia
            let refused = await refusal {
                _ = try await verify(removesOrphans: true, minimumAge: .zero, by: Self.actor)
            }
            #expect(refused?.hasPrefix("This database is a copy") == true)
            #expect(refused?.contains("vitrine media adopt") == true)
            // A restored deployment goes on.
            try await adopt(copy, one).atStart(by: Self.actor)
            try await ingest(copy, into: one)
            #expect(try await copy.database.identities.isCopy())
            let seen = try await verify(removesOrphans: false, minimumAge: .zero, by: Self.actor)
            #expect(seen.orphans == [orphan.text] && seen.missing.isEmpty)
            #expect(try await one.size(orphan) == 1)

            let plan = try await adopt(copy, one).plan()
            #expect(plan.isCopy && !plan.isAdopted)
            try await adopt(copy, one)(plan.id, by: Self.actor)
            #expect(try await adopt(copy, one).plan().isAdopted)
            try await adopt(copy, one).atStart(by: Self.actor)
            let swept = try await verify(removesOrphans: true, minimumAge: .zero, by: Self.actor)
            #expect(swept.removed == 1)
        }
    }

    @Test("A database of an older program, whose id was not recorded, gets it from its next daemon")
    func unknownDatabase() async throws {
        try await withFolders { test, one, _ in
            try await one.addIdentity(String(repeating: "ab", count: 16))
            try await test.database.transaction(by: Self.actor, AuditEvent("media.adopt", on: "media")) {
                _ = try await $0.identities.add(.media, String(repeating: "ab", count: 16), by: Self.actor)
            }
            #expect(try await !test.database.identities.isCopy())
            try await adopt(test, one).atStart(by: Self.actor)
            #expect(try await test.database.identities.find(.database) == test.database.identities.databaseID())
        }
    }

    @Test("Before the first daemon has created the store, no image is added, and no folder appears")
    func beforeStart() async throws {
        try await withFolders { test, one, _ in
            let refused = await refusal { try await ingest(test, into: one) }
            #expect(refused?.contains("start that first") == true)
            #expect(!FileManager.default.fileExists(atPath: one.path))
        }
    }

    @Test("A40: a store that goes away while the daemon runs makes uploads unavailable, without its path")
    func unmounted() async throws {
        try await withFolders { test, one, _ in
            try await adopt(test, one).atStart(by: Self.actor)
            // As if the volume were no longer mounted.
            try FileManager.default.removeItem(atPath: one.path)
            let curator = try await test.actor(.curator)
            let error = await #expect(throws: Failure.self) { try await ingest(test, into: one, by: curator) }
            #expect(error?.sentence == "The image can't be stored. Try again later.")
            #expect(error?.cause?.contains(one.path) == true)
            #expect(!FileManager.default.fileExists(atPath: one.path))
        }
    }

    @Test("After a restore the recorded id is written into a store without one; the id of another store is recorded")
    func adoption() async throws {
        try await withFolders { test, one, two in
            await #expect(throws: Failure.self) { _ = try await adopt(test, one).plan() }
            try await adopt(test, one).atStart(by: Self.actor)
            let id = try #require(try await one.identity())
            let restored = try await adopt(test, two).plan()
            #expect(restored.id == id && !restored.isAdopted)
            try await adopt(test, two)(id, by: Self.actor)
            #expect(try await two.identity() == id)
            #expect(try await adopt(test, two).plan().isAdopted)

            let other = String(repeating: "ab", count: 16)
            unlink("\(two.path)/store-id")
            try await two.addIdentity(other)
            try await two.addIdentity(id)
            #expect(try await two.identity() == other)
            await #expect(throws: Failure.self) { try await adopt(test, two)(id, by: Self.actor) }
            let editor = try await test.actor(.publisher)
            await #expect(throws: Failure.self) { try await adopt(test, two)(other, by: editor) }
            try await adopt(test, two)(other, by: Self.actor)
            #expect(try await test.database.identities.find(.media) == other)
            let events: [String] = try await test.client.query(
                "select detail ->> 'id' as id from ops.audit_event where action = 'media.adopt' order by id"
            ).map { try $0("id") }
            #expect(Set(events) == [id, other] && events.count == 3)
        }
    }

    @Test("The database keeps one identity of each kind, of 32 hexadecimal digits")
    func constraints() async throws {
        let test = try await TestDatabase.make()
        let event = AuditEvent("media.adopt", on: "media")
        for value in ["", "ABCD", String(repeating: "a", count: 31), String(repeating: "a", count: 33)] {
            await #expect(throws: (any Error).self) {
                try await test.database.transaction(by: Self.actor, event) {
                    _ = try await $0.identities.add(.media, value, by: Self.actor)
                }
            }
        }
        #expect(try await test.database.identities.find(.media) == nil)
    }
}
