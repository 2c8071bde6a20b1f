// Tests uploads in parts: they continue where they ended, belong to their account, and are bounded.
import Domain
import Foundation
import HTTP
import Operations
import Platform
import Store
import TestSupport
import Testing

@Suite("Uploads", .databases)
struct UploadPagesTests {
    /// An account that uploads a file.
    private struct Sender {
        let fixture: AdminFixture
        let browser: Browser
        let token: String
        var key = Hex.text(SecureRandom.bytes(16))

        init(_ fixture: AdminFixture, _ role: Role = .editor) async throws {
            self.fixture = fixture
            browser = try await fixture.browser(role)
            token = try #require(try await browser.visit("/media").forms.compactMap { $0.value("csrf") }.first)
        }

        var path: String { "/media/uploads/\(key)" }

        /// The status and the body: `received`, `image` or `errors`.
        func send(
            _ bytes: ArraySlice<UInt8>, at start: Int, of size: Int, name: String = "wall.png", replaces: String? = nil
        ) async throws -> (status: Int, body: JSONValue) {
            let part = Upload(name: "chunk", filename: "part", contentType: nil, bytes: Array(bytes))
            let page = try await browser.send(
                "POST", path,
                [("csrf", token), ("name", name), ("size", String(size)), ("start", String(start))]
                    + (replaces.map { [("replaces", $0)] } ?? []),
                headers: ["Accept": "application/json"], uploads: [part])
            return (page.status, (try? JSONValue(parsing: Array(page.html.utf8))) ?? .null)
        }

        func state() async throws -> (status: Int, received: Int64?) {
            let page = try await browser.send("GET", path, [], headers: ["Accept": "application/json"])
            return (page.status, (try? JSONValue(parsing: Array(page.html.utf8)))?["received"]?.integerValue)
        }
    }

    private static let file = SmallImage.bytes

    @Test("A9: an upload in parts continues after each of them, and every request can be repeated")
    func parts() async throws {
        let fixture = try await AdminFixture.make()
        let sender = try await Sender(fixture)
        let file = Self.file
        let half = file.count / 2
        #expect(try await sender.state().status == 404)
        var sent = try await sender.send(file[..<half], at: 0, of: file.count)
        #expect(sent.status == 200 && sent.body["received"]?.integerValue == Int64(half))
        // The response was lost: the same again, and a part that begins too late.
        for start in [0, half + 10] {
            sent = try await sender.send(file[start..<min(start + 50, file.count)], at: start, of: file.count)
            #expect(sent.status == 409 && sent.body["received"]?.integerValue == Int64(half), "\(start)")
        }
        #expect(try await sender.state().received == Int64(half))
        sent = try await sender.send(file[half...], at: half, of: file.count)
        let id = try #require(sent.body["image"]?["id"]?.stringValue)
        #expect(sent.status == 201 && sent.body["received"]?.integerValue == Int64(file.count))
        sent = try await sender.send(file[half...], at: half, of: file.count)
        #expect(sent.status == 200 && sent.body["image"]?["id"]?.stringValue == id)
        let counts = try await fixture.test.client.one(
            "select (select count(*) from ops.media) as images, (select count(*) from ops.upload_part) as parts")
        #expect(try counts("images") as Int == 1 && counts("parts") as Int == 0)
        let events = try await fixture.test.client.query("select from ops.audit_event where action = 'media.create'")
        #expect(events.count == 1)
    }

    @Test("A9: an upload replaces the file of an image, which keeps its ID; the last part can be repeated")
    func replacement() async throws {
        let fixture = try await AdminFixture.make()
        var sender = try await Sender(fixture)
        let added = try await sender.send(Self.file[...], at: 0, of: Self.file.count)
        let id = try #require(added.body["image"]?["id"]?.stringValue)
        // Bytes after the image make it another file.
        let file = Self.file + Array("b".utf8)
        for repeats in [false, true, true] {
            if !repeats { sender.key = Hex.text(SecureRandom.bytes(16)) }
            let sent = try await sender.send(file[...], at: 0, of: file.count, replaces: id)
            #expect(sent.status == 200 && sent.body["image"]?["id"]?.stringValue == id)
        }
        // Its end was stored, but not that of the upload.
        sender.key = Hex.text(SecureRandom.bytes(16))
        #expect(try await sender.send(file[...], at: 0, of: file.count, replaces: id).status == 200)
        let counts = try await fixture.test.client.one(
            "select (select count(*) from ops.media) as images, (select count(*) from ops.media_version) as versions")
        #expect(try counts("images") as Int == 1 && counts("versions") as Int == 2)
        sender.key = Hex.text(SecureRandom.bytes(16))
        #expect(try await sender.send(file[...], at: 0, of: file.count, replaces: "x").status == 404)
    }

    @Test("S15: an upload replaces no image outside the access scope, whatever the interface")
    func replacementOutside() async throws {
        let fixture = try await AdminFixture.make()
        let (database, services) = (fixture.test.database, fixture.test.services)
        let image = try await services.ingestImage(
            Self.file, name: "wall.png", alt: "A wall", by: TestDatabase.administrator
        ).media
        let shown: JSONValue = .object(["media": .string(image.id.description)])
        try await fixture.publish("video", "A film", ["image": shown], publishTiming: .draft)
        var sender = try await Sender(fixture)
        let account = try #require(try await database.accounts.list().first { $0.role.name == Role.editor.name })
        let file = Self.file + Array("b".utf8)
        let scopes = [AccessScope(types: ["article"], groups: []), AccessScope(types: ["video"], groups: [])]
        for (scope, status) in zip(scopes, [404, 200]) {
            try await services.manageAccount.setScope(account, scope, by: TestDatabase.administrator)
            sender.key = Hex.text(SecureRandom.bytes(16))
            let sent = try await sender.send(file[...], at: 0, of: file.count, replaces: image.id.description)
            #expect(sent.status == status && (sent.body["image"] == nil) == (status == 404))
        }
        let restricted = Actor(
            kind: .account, id: account.id.uuid, name: "Ed", role: .editor, scope: scopes[0])
        let replace = services.replaceMedia
        await #expect(throws: Failure.missing("image")) {
            _ = try await replace(image.id, file + Array("c".utf8), by: restricted)
        }
        await #expect(throws: Failure.missing("image")) {
            try await replace.restore(1, of: image.id, by: restricted)
        }
        await #expect(throws: Failure.missing("image")) {
            try await services.updateMedia(image.id, alt: "x", focus: image.focus, by: restricted)
        }
        await #expect(throws: Failure.missing("image")) {
            try await services.deleteMedia(image.id, by: restricted)
        }
        #expect(try await database.media.find(image.id)?.alt == "A wall")
    }

    @Test("S17: an upload belongs to its account; expired ones are gone, and the cleanup deletes their bytes")
    func owner() async throws {
        let fixture = try await AdminFixture.make()
        let sender = try await Sender(fixture)
        let file = Self.file
        _ = try await sender.send(file[..<30], at: 0, of: file.count)
        var other = try await Sender(fixture, .curator)
        other.key = sender.key
        #expect(try await other.state().status == 404)
        #expect(try await other.send(file[30...], at: 30, of: file.count).status == 404)
        // The same key is another upload.
        #expect(try await other.send(file[..<20], at: 0, of: file.count).body["received"]?.integerValue == 20)
        #expect(try await sender.state().received == 30)
        let stranger = try await fixture.stranger.send(
            "GET", sender.path, [], headers: ["Accept": "application/json"])
        #expect(stranger.status == 303)
        _ = try await fixture.test.client.run("update ops.upload set changed_at = now() - interval '25 hours'")
        #expect(try await sender.state().status == 404)
        #expect(try await sender.send(file[30...], at: 30, of: file.count).status == 404)
        try await fixture.test.database.uploads.sweep()
        let left: Int = try await fixture.test.client.one(
            "select (select count(*) from ops.upload) + (select count(*) from ops.upload_part) as n")("n")
        #expect(left == 0)
        #expect(try await sender.send(file[..<30], at: 0, of: file.count).status == 200)
        let canceled = try await sender.browser.send("POST", sender.path + "/delete", [("csrf", sender.token)])
        #expect(canceled.status == 204)
        #expect(try await sender.state().status == 404)
    }

    @Test("S29, S37: size, number and content of uploads are bounded; what is refused leaves nothing")
    func bounds() async throws {
        let fixture = try await AdminFixture.make()
        var sender = try await Sender(fixture)
        let limit = fixture.test.library.processor.limits.bytes
        #expect(try await sender.send([1], at: 0, of: limit + 1).status == 413)
        #expect(try await sender.send(ArraySlice([UInt8](repeating: 1, count: 51)), at: 0, of: 50).status == 413)
        for (start, size) in [(0, 0), (-1, 50), (60, 50)] {
            #expect(try await sender.send([1], at: start, of: size).status == 422, "\(start) \(size)")
        }
        let part = ArraySlice([UInt8](repeating: 1, count: ReceiveUpload.partBytes + 1))
        #expect(try await sender.send(part, at: 0, of: part.count).status == 413)
        let text = try await sender.browser.send(
            "POST", sender.path, [("csrf", sender.token), ("size", "many"), ("start", "0")])
        #expect(text.status == 422)
        let foreign = try await sender.browser.send(
            "POST", sender.path, [("csrf", "x"), ("size", "1"), ("start", "0")])
        #expect(foreign.status == 403)
        // No image: the decoder refuses it at the end.
        let garbage = ArraySlice(Array("no image".utf8))
        let refused = try await sender.send(garbage, at: 0, of: garbage.count)
        #expect(refused.status == 422 && refused.body["errors"]?.arrayValue?.first?["code"] == "not_an_image")
        #expect(try await sender.state().status == 404)
        sender.key = "short"
        #expect(try await sender.send([1], at: 0, of: 10).status == 422)
        for number in 0..<20 {
            sender.key = Hex.text(SecureRandom.bytes(16))
            #expect(try await sender.send([1], at: 0, of: 10).status == 200, "\(number)")
        }
        sender.key = Hex.text(SecureRandom.bytes(16))
        let many = try await sender.send([1], at: 0, of: 10)
        #expect(many.status == 422 && many.body["errors"]?.arrayValue?.count == 1)
        #expect(try await sender.state().status == 404)
        let other = try await Sender(fixture, .curator)
        #expect(try await other.send([1], at: 0, of: 10).status == 200)
    }

    @Test("A9: parts that arrive at the same time are added once")
    func concurrent() async throws {
        let fixture = try await AdminFixture.make()
        let sender = try await Sender(fixture)
        let account: ID<Account> = ID(
            try await fixture.test.client.one("select id from ops.account where role = 'editor' limit 1")("id"))
        let (uploads, key) = (fixture.test.database.uploads, sender.key)
        try await uploads.begin(key, name: "a.png", size: 1000, of: account)
        let added = try await concurrently(0..<8) { _ in
            try await uploads.add([1, 2, 3], at: 0, to: key, of: account)
        }
        #expect(added.count { $0 } == 1)
        #expect(try await sender.state().received == 3)
    }
}
