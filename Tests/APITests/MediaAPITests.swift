// Tests images over the API: uploaded by portals, referenced by submissions, read with their files by apps.
import Domain
import FoundationEssentials
import HTTP
import Operations
import Platform
import Store
import TestBasics
import TestSupport
import Testing

@Suite("Images over the API", .databases)
struct MediaAPITests {
    private func send(
        _ api: APIFixture, _ bytes: [UInt8]?, alt: [String] = ["A gray wall"], as client: APIFixture.Client?,
        name: String = "file"
    ) async throws -> APIReply {
        let uploads =
            bytes.map { [Upload(name: name, filename: "wall.png", contentType: "image/png", bytes: $0)] } ?? []
        let form = FormFields(alt.map { FormFields.Field(name: "alt", value: $0) }, uploads: uploads)
        return try await api.send(
            "POST", "/v1/media", as: client, headers: [("Content-Type", "multipart/form-data; boundary=x")],
            body: .form(form))
    }

    @Test("A portal uploads an image and references it in a submission; the same file again is the same image")
    func receive() async throws {
        let (api, portal) = try await APIFixture.serving([.submit])
        let first = try await send(api, SmallImage.bytes, as: portal)
        #expect(first.status == 201 && first["Cache-Control"] == "no-store")
        let id = try #require(first.json["id"]?.stringValue)
        #expect(first.json["base_url"] == "https://media.example.org/" && first.json["width"] == .int(40))
        #expect(first.json["renditions"]?.arrayValue?.count == 1)
        let again = try await send(api, SmallImage.bytes, alt: ["Another"], as: portal)
        #expect(again.status == 200 && again.json["id"]?.stringValue == id && again.json["alt"] == "A gray wall")
        let body =
            #"{"type":"article","contributor":"u","fields":{"title":"T","body":"b","image":{"media":"\#(id)"}}}"#
        #expect(try await api.post("/v1/submissions", body, as: portal).status == 201)
    }

    @Test("A9, A40: a logo is uploaded as SVG and served as PNG only")
    func logo() async throws {
        let (api, portal) = try await APIFixture.serving([.submit])
        let svg = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 20 10'><circle r='5'/></svg>"
        let response = try await send(api, Array(svg.utf8), as: portal)
        #expect(response.status == 201)
        let paths = (response.json["renditions"]?.arrayValue ?? []).compactMap { $0["path"]?.stringValue }
        #expect(paths.count == 4 && paths.allSatisfy { $0.hasSuffix(".png") })
        #expect(response.json["width"] == .int(1600) && response.json["height"] == .int(800))
    }

    @Test("An invalid upload gets an error with pointer and code, never a server error")
    func refused() async throws {
        let (api, portal) = try await APIFixture.serving([.submit])
        let svg = try await send(api, Array("<svg/>".utf8), as: portal)
        #expect(svg.status == 422 && svg.pointers == ["/file"])
        #expect(svg.json["errors"]?.arrayValue?.first?["code"] == "not_an_image")
        #expect(try await send(api, nil, as: portal).pointers == ["/file"])
        #expect(try await send(api, [], as: portal).json["errors"]?.arrayValue?.first?["code"] == "empty")
        #expect(try await send(api, SmallImage.bytes, alt: ["a", "b"], as: portal).pointers == ["/alt"])
        #expect(try await send(api, SmallImage.bytes, as: portal, name: "image").pointers == ["/image", "/file"])
        #expect(try await api.post("/v1/media", "{}", as: portal).status == 415)
        #expect(try await send(api, SmallImage.bytes, as: nil).status == 401)
        let reader = try await api.client([.readFull])
        #expect(try await send(api, SmallImage.bytes, as: reader).status == 403)
    }

    @Test("S36: while too many images wait, an upload is 503 and says when to try again")
    func busy() async throws {
        let (api, portal) = try await APIFixture.serving([.submit])
        let lane = api.test.library.processor.lane
        // The same caller has all places and waits for more.
        let gates = (0..<40).map { _ in AsyncStream.makeStream(of: Void.self) }
        let tasks = gates.map { gate in
            Task {
                try await Caller.$current.withValue(.client(portal.id.uuid)) {
                    try await lane.run { for await _ in gate.stream {} }
                }
            }
        }
        await until("the queue is full") { lane.waitingCount == 32 }
        let refused = try await send(api, SmallImage.bytes, as: portal)
        #expect(refused.status == 503 && refused.code == "unavailable" && refused["Retry-After"] == "1")
        for gate in gates { gate.continuation.finish() }
        for task in tasks { _ = try? await task.value }
        #expect(try await send(api, SmallImage.bytes, as: portal).status == 201)
    }

    @Test(
        "F14: an upload that the media folder can't take is 503 without a path, which the log has with the request's id"
    )
    func unwritable() async throws {
        let log = try LogFile()
        defer { log.remove() }
        let api = try await APIFixture.make(log: log.logger)
        let portal = try await api.client([.submit])
        guard let folder = api.test.library.files as? MediaFolder else { throw Failure.missing("folder") }
        // A file where the folder should be: not even root can write into it.
        try? FileManager.default.removeItem(atPath: folder.path)
        #expect(FileManager.default.createFile(atPath: folder.path, contents: nil))
        let reply = try await send(api, SmallImage.bytes, as: portal)
        #expect(reply.status == 503 && reply["Retry-After"] != nil)
        #expect(reply.json["detail"] == "The image can't be stored. Try again later.")
        #expect(!reply.text.contains(folder.path))
        let line = try #require(log.lines.first { $0.contains("could not be served") })
        let id = try #require(reply["X-Request-Id"])
        #expect(line.contains(folder.path) && line.contains(id))
    }

    @Test("A40, A9: the images of live entries are listed with path, size and checksum, and no others")
    func read() async throws {
        let (api, portal) = try await APIFixture.serving([.submit])
        let reader = try await api.client([.readFull])
        let sent = try await send(api, SmallImage.bytes, as: portal)
        let id = try #require(sent.json["id"]?.stringValue)
        #expect(try await api.get("/v1/media", as: reader).data.isEmpty)
        #expect(try await api.get("/v1/media/\(id)", as: reader).status == 404)
        let entry = try await api.publish(
            "article", "Walls",
            [
                "body": "<p>b</p>", "image": .object(["media": .string(id)]),
                "categories": .array([.string(SeedEntry.unsorted.description)]),
            ])
        let list = try await api.get("/v1/media", as: reader)
        #expect(list.json["base_url"] == "https://media.example.org/" && list.data.count == 1)
        let one = try await api.get("/v1/media/\(id)", as: reader)
        #expect(one.json["path"] == sent.json["path"] && one.json["sha256"] == sent.json["sha256"])
        #expect(one.json["bytes"] == sent.json["bytes"] && one.json["alt"] == "A gray wall")
        #expect(one.json["base_url"] == "https://media.example.org/")
        let item = try await api.get("/v1/items/\(entry)", as: reader)
        #expect(item.json["fields"]?["image"]?["path"] == sent.json["path"])
        let guest = try await api.client([.readGuest])
        #expect(try await api.get("/v1/media", as: guest).status == 403)
        try await api.unpublish(entry)
        #expect(try await api.get("/v1/media", as: reader).data.isEmpty)
    }

    @Test(
        "A40: an image in a text, setting or body is found by its path, with size and checksum, also of an older version"
    )
    func byPath() async throws {
        let api = try await APIFixture.make()
        let (portal, reader) = (try await api.client([.submit]), try await api.client([.readFull]))
        let sent = try await send(api, SmallImage.bytes, as: portal).json
        let id = try #require(sent["id"]?.stringValue)
        let path = try #require(sent["path"]?.stringValue)
        #expect(try await api.get("/v1/media?path=\(path)", as: reader).pointers == ["/query/path"])
        let setting = try await api.publish(
            "setting", "Logo", ["key": "brand.logo", "section": "Brand", "kind": "text", "value": .string(path)])
        for text in [path, "/media/\(path)", "https://media.example.org/\(path)"] {
            let found = try await api.get("/v1/media?path=\(text)", as: reader)
            let files = found.data.first?["files"]?.arrayValue ?? []
            let file = files.first { $0["path"]?.stringValue == path }
            #expect(found.data.count == 1 && found.data.first?["id"]?.stringValue == id, "\(text): \(found.text)")
            #expect(file?["bytes"] == sent["bytes"] && file?["sha256"] == sent["sha256"] && file?["width"] == .int(40))
        }
        // A body that shows the file from before it was replaced.
        let body = "<p>x<img src=\"/media/\(path)\" alt=\"\"></p>"
        let article = try await api.publish("article", "Walls", ["body": .string(body)])
        let version = UUIDv7.make()
        try await api.test.client.run(
            script: """
                begin; set local session_replication_role = replica;
                insert into ops.media_version select (jsonb_populate_record(v, jsonb_build_object(
                    'id', '\(version.uuidString)', 'number', 2))).* from ops.media_version v;
                insert into ops.media_file select (jsonb_populate_record(f, jsonb_build_object(
                    'version_id', '\(version.uuidString)', 'path', '00/\(String(repeating: "a", count: 62)).png'))).*
                from ops.media_file f;
                update curation.media_use set version_id = '\(version.uuidString)' where revision_id =
                    (select revision_id from curation.live where entry_id = '\(setting)');
                commit;
                """)
        _ = try await api.test.services.verifyReadTables.repair(by: TestDatabase.administrator)
        for known in [path, "00/\(String(repeating: "a", count: 62)).png"] {
            #expect(
                try await api.get("/v1/media?path=\(known)", as: reader).data.first?["id"]?.stringValue == id,
                "\(known)")
        }
        try await api.unpublish(setting)
        #expect(try await api.get("/v1/media?path=\(path)", as: reader).data.count == 1)
        try await api.unpublish(article)
        #expect(try await api.get("/v1/media?path=\(path)", as: reader).status == 404)
        #expect(try await api.isVerified())
    }
}
