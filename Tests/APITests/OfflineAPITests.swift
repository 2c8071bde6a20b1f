// Tests offline manifests over the API: for full readers, in pages, with an entity tag that follows publications.
import API
import Domain
import Operations
import Store
import TestBasics
import TestSupport
import Testing

@Suite("Offline manifests over the API", .databases)
struct OfflineAPITests {
    private static let unsorted: JSONValue = .array([.string(SeedEntry.unsorted.description)])

    private func images(_ api: APIFixture, _ count: Int) async throws -> [ID<Media>] {
        let new = (0..<count).map { number in
            let digits = String(number, radix: 16)
            let sum = String(repeating: "0", count: 64 - digits.count) + digits
            return NewMedia(
                uploadHash: [UInt8](repeating: 0, count: 30) + [UInt8(number / 256), UInt8(number % 256)],
                name: "p\(number).jpg", type: "image/jpeg", alt: "x",
                files: [
                    ImageValue.File(
                        path: "\(sum.prefix(2))/\(sum.suffix(62)).jpg", width: 320, height: 200, bytes: 1000,
                        sha256: sum)
                ])
        }
        return try await api.test.database.transaction(
            by: TestDatabase.administrator, AuditEvent("media.create", on: "media")
        ) { transaction in
            var ids: [ID<Media>] = []
            for image in new {
                if let id = try await transaction.media.add(image, by: TestDatabase.administrator) { ids.append(id) }
            }
            return ids
        }
    }

    @Test("A30, A41: an external image has a URL instead of a path; the manifest counts it as excluded")
    func external() async throws {
        let (api, full) = try await APIFixture.serving([.readFull])
        let feed = try await api.publish("feed", "Harbours", ["tier": "premium"])
        let target = "/v1/feeds/\(feed)/offline"
        let empty = try await api.get(target, as: full).json["manifest"]
        #expect(empty?["excluded_images"] == .int(0))
        let item = try await api.publish(
            "article", "A",
            [
                "body": "<p>b</p>", "feeds": .array([.string(feed.description)]), "categories": Self.unsorted,
                "image": .object(["url": "https://elsewhere.example/a.jpg"]),
            ])
        let reply = try await api.get(target, as: full)
        #expect(reply.json["manifest"]?["excluded_images"] == .int(1) && reply.data.isEmpty)
        #expect(reply.json["manifest"]?["version"] == empty?["version"])
        let image = try await api.get("/v1/items/\(item)", as: full).json["fields"]?["image"]
        #expect(image == .object(["url": "https://elsewhere.example/a.jpg"]))
    }

    @Test("A30, A34, A39, A40: an entitled client reads manifest, base URL and files; others get the reason why not")
    func read() async throws {
        let (api, full) = try await APIFixture.serving([.readFull])
        let guest = try await api.client([.readGuest])
        let image = try #require(try await images(api, 1).first)
        let feed = try await api.publish("feed", "Harbours", ["tier": "premium"])
        let target = "/v1/feeds/\(feed)/offline"
        let empty = try await api.get(target, as: full)
        #expect(empty.status == 200 && empty.data.isEmpty && empty.json["next"] == .null)
        #expect(empty.json["manifest"]?["files"] == .int(0) && empty.json["manifest"]?["requires"] == "premium")
        let item = try await api.publish(
            "article", "A",
            [
                "body": "<p>b</p>", "feeds": .array([.string(feed.description)]), "categories": Self.unsorted,
                "image": .object(["media": .string(image.description)]),
            ])
        let reply = try await api.get(target, as: full)
        #expect(reply.json["base_url"] == "https://media.example.org/")
        #expect(reply.json["manifest"]?["bytes"] == .int(1000) && reply.data.count == 1)
        #expect(reply.json["manifest"]?["version"] != empty.json["manifest"]?["version"])
        #expect(reply.data.first?["path"]?.stringValue?.hasSuffix(".jpg") == true)
        #expect(reply["Cache-Control"]?.hasPrefix("private") == true)

        // The tag changes as soon as the API is notified of the publication.
        var tag = ""
        try await until("the tag of the last publication is known") {
            tag = try #require(try await api.get(target, as: full)["ETag"])
            return try await api.get(target, as: full, [("If-None-Match", tag)]).status == 304
        }
        let bySlug = try await api.get("/v1/feeds/harbours/offline", as: full)
        #expect(bySlug.bytes == reply.bytes)
        let refused = try await api.get(target, as: guest)
        #expect(refused.status == 403 && refused.code == "needs_full_access")
        #expect(try await api.get("/v1/feeds?offline=true", as: guest).titles == ["Harbours"])
        #expect(try await api.get("/v1/feeds?offline=false", as: guest).titles == [])
        #expect(try await api.get("/v1/feeds/nowhere/offline", as: full).status == 404)
        #expect(try await api.get("/v1/feeds/\(item)/offline", as: full).status == 404)
        #expect(try await api.get(target + "?cursor=x", as: full).status == 400)

        try await api.unpublish(item)
        var later = try await api.get(target, as: full, [("If-None-Match", tag)])
        try await until("the unpublishing is known") {
            later = try await api.get(target, as: full, [("If-None-Match", tag)])
            return later.status != 304
        }
        #expect(later.status == 200 && later.json["manifest"] == empty.json["manifest"])
        try await api.edit(feed, ["slug": "ports"])
        #expect(try await api.get("/v1/feeds/harbours/offline", as: full)["Location"] == "/v1/feeds/ports/offline")
        try await api.unpublish(feed)
        #expect(try await api.get(target, as: full).status == 410)
    }

    @Test("A25, A30: a long manifest has pages of 500 files, each file once, with the totals on every page")
    func pages() async throws {
        let (api, full) = try await APIFixture.serving([.readFull])
        let feed = try await api.publish("feed", "Long", ["tier": "free"])
        for image in try await images(api, 501) {
            try await api.publish(
                "article", "A \(image)",
                [
                    "body": "<p>b</p>", "feeds": .array([.string(feed.description)]), "categories": Self.unsorted,
                    "image": .object(["media": .string(image.description)]),
                ], publishTiming: .approveOnly)
        }
        try await api.publishWaiting()
        let first = try await api.get("/v1/feeds/\(feed)/offline", as: full)
        let second = try await api.get(
            "/v1/feeds/\(feed)/offline?cursor=\(try #require(first.next))", as: full)
        #expect(first.data.count == 500 && second.data.count == 1 && second.next == nil)
        #expect(Set((first.data + second.data).compactMap { $0["path"]?.stringValue }).count == 501)
        #expect(first.json["manifest"] == second.json["manifest"])
        #expect(first.json["manifest"]?["files"] == .int(501))
    }
}
