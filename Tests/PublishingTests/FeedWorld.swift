// A database with a few feeds, categories and images, and short ways to change and read them.
import Domain
import Operations
import Postgres
import Store
import TestSupport

struct FeedWorld: World {
    static let actor = TestDatabase.administrator
    static let unsorted: JSONValue = .string(SeedEntry.unsorted.description)

    let test: TestDatabase
    static func make() async throws -> FeedWorld {
        FeedWorld(test: try await TestDatabase.make())
    }

    /// An image of two files, as an upload leaves it.
    func image(_ number: Int) async throws -> ID<Media> {
        let files = [1, 2].map { width in
            let sum = String(repeating: Array("0123456789abcdef")[(number * 2 + width) % 16], count: 64)
            return ImageValue.File(
                path: "\(sum.prefix(2))/\(sum.prefix(62)).jpg", width: width * 320, height: 240,
                bytes: 1000 * number + width, sha256: sum)
        }
        let new = NewMedia(
            uploadHash: [UInt8](repeating: UInt8(number), count: 32), name: "p\(number).jpg", type: "image/jpeg",
            alt: "image \(number)", files: files)
        let id = try await test.database.transaction(by: Self.actor, AuditEvent("media.create", on: "media")) {
            transaction in
            try await transaction.media.add(new, by: Self.actor)
        }
        guard let id else { throw Failure.missing("image") }
        return id
    }

    static func shows(_ image: ID<Media>) -> JSONValue { .object(["media": .string(image.description)]) }
    static func list(_ ids: ID<Entry>...) -> JSONValue { .array(ids.map { .string($0.description) }) }

    func rollBack(to publication: Int64) async throws {
        _ = try await test.services.publishRelease.rollback(to: publication, seen: nil, by: Self.actor)
    }

    // MARK: Reading

    func row(_ table: String, _ id: ID<Entry>, key: String = "id") async throws -> Row? {
        try await test.reader.query("select * from api_v1.\(raw: table) where \(raw: key) = \(id)").first
    }

    func titles(of feed: ID<Entry>) async throws -> [String] {
        try await test.guest.query(
            """
            select i.title from api_v1.feed_item f join api_v1.item i on i.id = f.item_id
            where f.feed_id = \(feed) order by f.rank, f.age, f.item_id
            """
        ).map { try $0("title") }
    }

    func version(of feed: ID<Entry>) async throws -> String? {
        try await row("offline_manifest", feed, key: "feed_id").map { try $0("version") }
    }

    /// Path and checksum of each file of a feed.
    func files(of feed: ID<Entry>) async throws -> [String] {
        try await test.reader.query(
            """
            select path || ' ' || sha256 as file from api_v1.offline_file where feed_id = \(feed)
            order by media_id, width
            """
        ).map { try $0("file") }
    }

    func differences() async throws -> Int { try await test.database.publications.verify().count }
}
