// Tests the media library pages and images in the form of an entry.
import Admin
import Domain
import FoundationEssentials
import HTTP
import Operations
import Store
import TestSupport
import Testing

@Suite("Media pages", .databases)
struct MediaPagesTests {
    private func ingest(_ fixture: AdminFixture, alt: String = "A gray line") async throws -> MediaRow {
        try await fixture.test.services.ingestImage(
            SmallImage.bytes, name: "line.png", alt: alt, by: TestDatabase.administrator
        ).media
    }

    @Test(
        "S29: an upload is refused by its headers when it is anonymous, forbidden or cross-site"
    )
    func admission() async throws {
        let fixture = try await AdminFixture.make()
        func status(
            _ browser: Browser, _ path: String = "/media", site: String = "same-origin",
            length: Int = AdminSite.bodyLimit + 1
        ) async -> Int? {
            var headers = Headers()
            headers.set("Host", Browser.host)
            headers.set("Sec-Fetch-Site", site)
            headers.set("Content-Length", String(length))
            headers.set("Cookie", browser.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; "))
            return await fixture.site.admission(
                Request(
                    method: "POST", path: path, rawTarget: path, query: FormFields(), headers: headers,
                    body: .none, remoteAddress: "192.0.2.7", loop: fixture.test.loop)
            ).refusal?.status
        }
        let editor = try await fixture.browser(.editor)
        #expect(await status(editor) == nil)
        #expect(await status(editor, "/nowhere") == 404)
        #expect(await status(editor, site: "cross-site") == 403)
        #expect(await status(fixture.stranger) == 303)
        #expect(await status(fixture.stranger, "/entries") == 303)
        // A text is read, so that the page of the refusal has it.
        let reader = try await fixture.browser(.curator)
        #expect(await status(reader, "/media/\(UUID())/replace") == 403)
        #expect(await status(reader, "/media/\(UUID())/replace", length: AdminSite.bodyLimit) == nil)
    }

    @Test("A session is in use from the head of an upload on: it does not expire while the body comes")
    func admissionIsUse() async throws {
        let fixture = try await AdminFixture.make()
        let editor = try await fixture.browser(.editor)
        let client = fixture.test.client
        try await client.execute("update ops.session set seen_at = now() - interval '29 minutes 50 seconds'")
        var headers = Headers()
        headers.set("Host", Browser.host)
        headers.set("Sec-Fetch-Site", "same-origin")
        headers.set("Content-Length", String(AdminSite.bodyLimit + 1))
        headers.set("Cookie", editor.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; "))
        let admission = await fixture.site.admission(
            Request(
                method: "POST", path: "/media", rawTarget: "/media", headers: headers, remoteAddress: "192.0.2.7",
                loop: fixture.test.loop))
        #expect(admission.refusal == nil)
        let used: Bool = try await client.one("select seen_at > now() - interval '9 minutes' as used from ops.session")(
            "used")
        #expect(used)
    }

    @Test("The dialogs of the pages search, add and describe images as JSON")
    func json() async throws {
        let editor = try await AdminFixture.make().browser(.editor)
        let token = try #require(try await editor.visit("/media").forms.compactMap { $0.value("csrf") }.first)
        func send(
            _ method: String, _ url: String, _ fields: [(String, String)], uploads: [Upload] = []
        ) async throws -> (status: Int, body: JSONValue) {
            let page = try await editor.send(
                method, url, fields, headers: ["Accept": "application/json"], uploads: uploads)
            return (page.status, (try? JSONValue(parsing: Array(page.html.utf8))) ?? .null)
        }
        let added = try await send(
            "POST", "/media/uploads/\(String(repeating: "a", count: 32))",
            [("csrf", token), ("name", "harbour.png"), ("size", "\(SmallImage.bytes.count)"), ("start", "0")],
            uploads: [Upload(name: "chunk", filename: "part", contentType: nil, bytes: SmallImage.bytes)])
        let image = added.body["image"]
        let id = try #require(image?["id"]?.stringValue)
        #expect(added.status == 201 && image?["alt"]?.stringValue == "")
        // Without a focal point, which stays.
        _ = try await send("POST", "/media/\(id)", [("csrf", token), ("focus_x", "20"), ("focus_y", "30")])
        let described = try await send("POST", "/media/\(id)", [("csrf", token), ("alt", "Boats")])
        #expect(described.status == 200 && described.body["alt"]?.stringValue == "Boats")
        #expect(try await editor.visit("/media/\(id)").says("20% from the left, 30% from the top"))
        let wrong = try await send("POST", "/media/\(id)", [("csrf", token), ("focus_x", "x"), ("focus_y", "30")])
        #expect(wrong.status == 422 && wrong.body["errors"]?.arrayValue?.isEmpty == false)
        let found = try await send("GET", "/media", [("q", "boats")]).body["images"]?.arrayValue
        #expect(found?.count == 1 && found?.first?["url"]?.stringValue == image?["url"]?.stringValue)
        #expect(try await send("GET", "/media", [("q", "nothing")]).body["images"] == .array([]))
    }

    @Test("An image is uploaded, described, searched and deleted")
    func lifecycle() async throws {
        let editor = try await AdminFixture.make().browser(.editor)
        var page = try await editor.visit("/media")
        #expect(page.says("No images yet."))
        let upload = Upload(
            name: "file", filename: "a/b/harbour.png", contentType: "text/html", bytes: SmallImage.bytes)
        page = try await editor.upload([upload], [("alt", "A harbour")], in: try page.form("Add images"))
        #expect(page.says("Image added.") && page.says("harbour.png") && page.says("Unused"))
        let path = page.url
        for (input, status) in [("100", 303), ("0", 303), ("33,3", 303), ("100.1", 422), ("-1", 422), ("", 422)] {
            page = try await editor.visit(path)
            let sent = [("csrf", try csrf(page)), ("alt", "Boats"), ("focus_x", input), ("focus_y", "20")]
            #expect(try await editor.send("POST", path, sent).status == status, "\(input)")
        }
        #expect(try await editor.visit("/media?q=boats").says("harbour.png"))
        #expect(try await editor.visit("/media?q=harbour").says("harbour.png"))
        #expect(try await editor.visit("/media?q=ships").says("No matching images."))
        let unused = try await editor.visit("/media?state=unused")
        #expect(unused.says("harbour.png") && unused.holds("<summary>Filters: 1</summary>"))
        #expect(try await editor.visit("/media?state=missing").says("No matching images."))
        page = try await editor.press("Delete image", on: try await editor.visit(path))
        #expect(page.says("Deleted harbour.png.") && page.says("No images yet."))
        #expect(try await editor.visit(path).status == 404)
    }

    private func csrf(_ page: BrowserPage) throws -> String {
        try page.form("Save image").fields(pressing: "Save image").first { $0.0 == "csrf" }?.1 ?? ""
    }

    @Test("A refusal shows the reason and keeps the input")
    func refused() async throws {
        let curator = try await AdminFixture.make().browser(.curator)
        let page = try await curator.visit("/media")
        let svg = Upload(
            name: "file", filename: "x.png", contentType: "image/png", bytes: Array("<svg onload='alert(1)'/>".utf8))
        let response = try await curator.upload([svg], [("alt", "A drawing")], in: try page.form("Add images"))
        #expect(response.status == 422 && response.says("not a supported image") && response.html.contains("A drawing"))
        let nothing = try await curator.upload([], [("alt", "A drawing")], in: try page.form("Add images"))
        #expect(nothing.status == 422 && nothing.says("Choose a file."))
        let long = Upload(name: "file", filename: "x", contentType: nil, bytes: SmallImage.bytes)
        let alt = String(repeating: "a", count: 501)
        let tooLong = try await curator.upload([long], [("alt", alt)], in: try page.form("Add images"))
        #expect(tooLong.status == 422 && tooLong.html.contains(alt))
    }

    @Test(
        "A file uploaded in the form of an entry becomes its image; errors keep all input")
    func inForm() async throws {
        let (fixture, publisher) = try await AdminFixture.visited(by: .publisher)
        let category = try await fixture.category("Harbours")
        let page = try await publisher.visit("/entries/new?type=article")
        #expect(page.html.contains("name=\"upload.image\""))
        let form = try page.form("Save and publish now")
        let typed = [
            ("field.title", "Dusk"), ("field.body", "<p>Late.</p>"), ("field.categories", category.description),
            ("field.image.alt", "Boats at dusk"), ("action", "now"),
        ]
        let bad = Upload(
            name: "upload.image", filename: "a.gif", contentType: "image/gif", bytes: Array("GIF89a".utf8))
        var response = try await publisher.upload([bad], typed, in: form)
        #expect(
            response.status == 422 && response.says("Image: The image is damaged") && response.html.contains("Dusk"))
        let good = Upload(
            name: "upload.image", filename: "a.png", contentType: "image/png", bytes: SmallImage.bytes)
        // Without a title the image is added anyway, and the form references it.
        response = try await publisher.upload([good], typed.filter { $0.0 != "field.title" }, in: form)
        let media = try #require(
            try await fixture.test.database.media.page(MediaFilter(), cursor: nil, limit: 2).items.first)
        #expect(response.status == 422 && response.html.contains(media.id.description) && media.alt == "Boats at dusk")
        response = try await publisher.upload([good], typed, in: form)
        #expect(response.status == 200 && response.says("Dusk"))
        #expect(response.html.contains("/media/\(media.files.last?.path ?? "?")"))
        #expect(try await fixture.rows("media") == 1)
        let shown = try await publisher.visit("/media/\(media.id)")
        #expect(shown.says("Dusk") && shown.says("Published") && !shown.hasButton("Delete image"))
    }

    @Test("S37: a contributor's image is only shown re-encoded, and stays while the submission is pending")
    func review() async throws {
        let fixture = try await AdminFixture.make()
        let media = try await ingest(fixture, alt: "")
        let image: JSONValue = .object(["media": .string(media.id.description)])
        let submission = try await fixture.submit("Dusk", fields: ["image": image])
        let curator = try await fixture.browser(.curator)
        let page = try await curator.visit("/queue/\(submission)")
        #expect(page.html.contains("src=\"/media/\(media.id)/image\""))
        let file = try await curator.send("GET", "/media/\(media.id)/image", [])
        #expect(file.status == 302 && file.headers["Location"] == "/media/\(media.files[0].path)")
        // The image of a pending submission can't be deleted.
        await #expect(throws: Failure.self) {
            try await fixture.test.services.deleteMedia(media.id, by: TestDatabase.administrator)
        }
    }

    @Test("A40: the image that a pending submission names in its text stays, too, and the reviewer sees it")
    func inText() async throws {
        let fixture = try await AdminFixture.make()
        let media = try await ingest(fixture, alt: "A line")
        let path = try #require(media.files.last?.path)
        let submission = try await fixture.submit(
            "Dusk", fields: ["body": .string("<p>Late.<img src=\"/media/\(path)\" alt=\"x\"></p>")])
        let curator = try await fixture.browser(.curator)
        #expect(try await curator.visit("/queue/\(submission)").html.contains("src=\"/media/\(path)\""))
        await #expect(throws: Failure.self) {
            try await fixture.test.services.deleteMedia(media.id, by: TestDatabase.administrator)
        }
    }

    @Test("S15: anonymous visitors see nothing, a curator can't delete")
    func access() async throws {
        let fixture = try await AdminFixture.make()
        let media = try await ingest(fixture)
        let stranger = fixture.stranger
        #expect(try await stranger.visit("/media").title.contains("Sign in"))
        let curator = try await fixture.browser(.curator)
        let page = try await curator.visit("/media/\(media.id)")
        #expect(!page.hasButton("Delete image"))
        let sent = try await curator.send("POST", "/media/\(media.id)/delete", [("csrf", try csrf(page))])
        #expect(sent.status == 403)
    }

    @Test(
        "An image of the library is searched and chosen in the form of an entry; all input is kept"
    )
    func choosing() async throws {
        let (fixture, editor) = try await AdminFixture.visited(by: .editor)
        let media = try await ingest(fixture, alt: "A gray line")
        var page = try await editor.visit("/entries/new?type=article")
        #expect(page.html.contains("Choose from the library") && !page.html.contains("id=\"images\""))
        func send(_ fields: [(String, String)]) async throws -> BrowserPage {
            let form = try page.form("Save draft").fields(pressing: nil)
            let names = Set(fields.map(\.0))
            return try await editor.send("POST", "/entries", form.filter { !names.contains($0.0) } + fields)
        }
        page = try await send([("field.title", "Half a story"), ("images", "image")])
        #expect(page.status == 200 && page.says("A gray line") && page.html.contains("value=\"Half a story\""))
        page = try await send([("images", "image"), ("images.q", "nowhere")])
        #expect(page.says("No matching images.") && page.html.contains("value=\"Half a story\""))
        // Enter in the input searches; it saves nothing.
        page = try await send([("action", "enter"), ("images.q", "gray")])
        #expect(page.says("A gray line"))
        page = try await send([("image", "image \(media.id)")])
        #expect(page.status == 200 && page.html.contains("value=\"\(media.id)\""))
        #expect(page.html.contains("value=\"A gray line\"") && page.html.contains("/media/\(media.id)/image"))
        #expect(page.html.contains("value=\"Half a story\"") && !page.html.contains("id=\"images\""))
        #expect(
            try await fixture.test.client.one("select count(*) as n from curation.entry where type = 'article'")("n")
                as Int == 0)
        let saved = try await send([
            ("action", "draft"), ("field.body", "<p>b</p>"),
            ("field.categories", "00000000-0000-7000-8000-000000000013"),
        ])
        #expect(saved.status == 303)
        for wrong in ["image x", "title \(media.id)", "image"] {
            #expect(try await send([("image", wrong)]).status == 200, "\(wrong)")
        }
    }

    @Test("An image is chosen for a row, and a long library is paged")
    func choosingInRows() async throws {
        let (fixture, editor) = try await AdminFixture.visited(by: .editor)
        let new = (0..<13).map { number in
            NewMedia(
                uploadHash: [UInt8](repeating: UInt8(number + 1), count: 32), name: "n\(number).png", type: "image/png",
                alt: "Number \(number)",
                files: [
                    ImageValue.File(
                        path: "0\(number % 10)/\(String(repeating: "a", count: 61))\(number % 10).jpg", width: 320,
                        height: 240, bytes: 10, sha256: String(repeating: "b", count: 64))
                ])
        }
        for image in new {
            _ = try await fixture.test.database.transaction(
                by: TestDatabase.administrator, AuditEvent("media.create", on: "media")
            ) {
                try await $0.media.add(image, by: TestDatabase.administrator)
            }
        }
        var page = try await editor.visit("/entries/new?type=onboarding_set")
        func send(_ fields: [(String, String)]) async throws -> BrowserPage {
            let form = try page.form("Save draft").fields(pressing: nil)
            return try await editor.send("POST", "/entries", form + fields)
        }
        page = try await send([("rows", "screens add")])
        page = try await send([("images", "screens.0.image")])
        #expect(page.says("Number 12") && page.says("Number 1") && !page.says("Number 0"))
        #expect(page.html.contains(">Older</button>"))
        let next = try #require(page.html.firstMatch(of: /name="images" value="(screens\.0\.image [^"]+)"/)?.1)
        page = try await send([("images", String(next))])
        #expect(page.says("Number 0") && !page.says("Number 12"))
        #expect(page.html.contains(">Newest</button>"))
        let id = try #require(page.html.firstMatch(of: /name="image" value="(screens\.0\.image [0-9a-f-]{36})"/)?.1)
        page = try await send([("image", String(id))])
        #expect(page.html.contains("name=\"field.screens.0.image\"") && page.html.contains("value=\"Number 0\""))
    }
}
