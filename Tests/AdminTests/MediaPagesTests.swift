// The media library as curators use it, and images in the form of an entry.
import Domain
import Editorial
import FoundationEssentials
import HTTP
import Library
import Store
import TestSupport
import Testing

@Suite("The pages of the media library", .databases)
struct MediaPagesTests {
    private func keep(_ desk: Desk, alt: String = "A gray line") async throws -> MediaRow {
        let library = desk.test.library
        return try await IngestImage(database: desk.test.database, maker: library.maker, files: library.files)(
            SmallImage.bytes, name: "line.png", alt: alt, by: TestDatabase.administrator
        ).media
    }

    @Test(
        "S29: a large upload is refused by its head alone where nobody is signed in, may not, or it came from elsewhere"
    )
    func admission() async throws {
        let desk = try await Desk.make()
        func answer(_ browser: Browser, _ address: String = "/media", site: String = "same-origin") async -> Int? {
            var headers = Headers()
            headers.set("Host", Browser.host)
            headers.set("Sec-Fetch-Site", site)
            headers.set("Cookie", browser.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; "))
            return await desk.site.admission(
                Request(
                    method: "POST", path: address, rawTarget: address, query: FormFields(), headers: headers,
                    body: .none, remoteAddress: "192.0.2.7", loop: desk.test.loop))?.status
        }
        let editor = try await desk.browser(.editor)
        #expect(await answer(editor) == nil)
        #expect(await answer(editor, "/nowhere") == 404)
        #expect(await answer(editor, site: "cross-site") == 403)
        #expect(await answer(desk.stranger) == 403)
        #expect(await answer(desk.stranger, "/entries") == 403)
    }

    @Test("An image is uploaded, described by a click and by numbers, found again, and removed")
    func life() async throws {
        let desk = try await Desk.make()
        let editor = try await desk.browser(.editor)
        var page = try await editor.visit("/media")
        #expect(page.says("There are no images yet."))
        let upload = Upload(
            name: "file", filename: "a/b/harbour.png", contentType: "text/html", bytes: SmallImage.bytes)
        page = try await editor.upload([upload], [("alt", "A harbour")], in: try page.form("Add it"))
        #expect(page.says("The image is in the library.") && page.says("harbour.png") && page.says("shown nowhere"))
        let address = page.address
        // A click in the middle of the upper edge; then Enter, which has no place.
        page = try await editor.send(
            "POST", address + "/focal-point", [("csrf", try csrf(page)), ("focus.x", "20"), ("focus.y", "0")])
        #expect(page.status == 303)
        page = try await editor.visit(address)
        #expect(page.says("50 % from the left, 0 % from the top"))
        page = try await editor.send(
            "POST", address + "/focal-point", [("csrf", try csrf(page)), ("focus.x", "0"), ("focus.y", "0")])
        #expect(page.status == 422 && page.says("Click into the image, or write the place in numbers."))
        for (written, status) in [("100", 303), ("0", 303), ("33,3", 303), ("100.1", 422), ("-1", 422), ("", 422)] {
            page = try await editor.visit(address)
            let sent = [("csrf", try csrf(page)), ("alt", "Boats"), ("focus_x", written), ("focus_y", "20")]
            #expect(try await editor.send("POST", address, sent).status == status, "\(written)")
        }
        #expect(try await editor.visit("/media?words=boats").says("harbour.png"))
        #expect(try await editor.visit("/media?words=ships").says("No image matches."))
        #expect(try await editor.visit("/media?state=unused").says("harbour.png"))
        #expect(try await editor.visit("/media?state=missing").says("No image matches."))
        page = try await editor.press("Remove it", on: try await editor.visit(address))
        #expect(page.says("harbour.png is removed.") && page.says("There are no images yet."))
        #expect(try await editor.visit(address).status == 404)
    }

    private func csrf(_ page: BrowserPage) throws -> String {
        try page.form("Save").fields(pressing: "Save").first { $0.0 == "csrf" }?.1 ?? ""
    }

    @Test("What is refused says why; the text that was typed stays")
    func refused() async throws {
        let desk = try await Desk.make()
        let curator = try await desk.browser(.curator)
        let page = try await curator.visit("/media")
        let svg = Upload(
            name: "file", filename: "x.png", contentType: "image/png", bytes: Array("<svg onload='alert(1)'/>".utf8))
        let answer = try await curator.upload([svg], [("alt", "A drawing")], in: try page.form("Add it"))
        #expect(answer.status == 422 && answer.says("can hold programs") && answer.html.contains("A drawing"))
        let nothing = try await curator.upload([], [("alt", "A drawing")], in: try page.form("Add it"))
        #expect(nothing.status == 422 && nothing.says("Choose a file."))
        let long = Upload(name: "file", filename: "x", contentType: nil, bytes: SmallImage.bytes)
        let alt = String(repeating: "a", count: 501)
        let tooLong = try await curator.upload([long], [("alt", alt)], in: try page.form("Add it"))
        #expect(tooLong.status == 422 && tooLong.html.contains(alt))
    }

    @Test(
        "A file in the form of an entry becomes its image; when it is refused, or the rest is, nothing typed is lost")
    func inForm() async throws {
        let desk = try await Desk.make()
        let publisher = try await desk.browser(.publisher)
        let category = try await desk.category("Harbours")
        let page = try await publisher.visit("/entries/new?type=article")
        #expect(page.html.contains("name=\"upload.image\""))
        let form = try page.form("Save and publish now")
        let typed = [
            ("field.title", "Dusk"), ("field.body", "<p>Late.</p>"), ("field.categories", category.description),
            ("field.image", ""), ("field.image", "Boats at dusk"), ("field.image", ""), ("field.image", ""),
            ("field.image", ""), ("action", "now"),
        ]
        let bad = Upload(
            name: "upload.image", filename: "a.gif", contentType: "image/gif", bytes: Array("GIF89a".utf8))
        var answer = try await publisher.upload([bad], typed, in: form)
        #expect(answer.status == 422 && answer.says("Image: The image is damaged") && answer.html.contains("Dusk"))
        let good = Upload(
            name: "upload.image", filename: "a.png", contentType: "image/png", bytes: SmallImage.bytes)
        // Without a title the image is kept all the same, and the form names it.
        answer = try await publisher.upload([good], typed.filter { $0.0 != "field.title" }, in: form)
        let media = try #require(
            try await desk.test.database.media.page(MediaFilter(), cursor: nil, limit: 2).items.first)
        #expect(answer.status == 422 && answer.html.contains(media.id.description) && media.alt == "Boats at dusk")
        answer = try await publisher.upload([good], typed, in: form)
        #expect(answer.status == 200 && answer.says("Dusk"))
        #expect(answer.html.contains("/media/\(media.files.last?.path ?? "?")"))
        #expect(try await desk.rows("media") == 1)
        let shown = try await publisher.visit("/media/\(media.id)")
        #expect(shown.says("Dusk") && shown.says("live") && !shown.hasButton("Remove it"))
    }

    @Test("S37: a contributor's image is shown as our own rendition only, and one without text is not published")
    func review() async throws {
        let desk = try await Desk.make()
        let media = try await keep(desk, alt: "")
        let image: JSONValue = .object(["media": .string(media.id.description)])
        let submission = try await desk.submit("Dusk", fields: ["image": image])
        let curator = try await desk.browser(.curator)
        let page = try await curator.visit("/queue/\(submission)")
        #expect(page.html.contains("src=\"/media/\(media.id)/image\""))
        let file = try await curator.send("GET", "/media/\(media.id)/image", [])
        #expect(file.status == 302 && file.headers["Location"] == "/media/\(media.files[0].path)")
        // What waits for a decision keeps its image.
        await #expect(throws: Failure.self) {
            try await RemoveMedia(database: desk.test.database)(media.id, by: TestDatabase.administrator)
        }
    }

    @Test("S15: a stranger sees nothing of it, a curator cannot remove")
    func access() async throws {
        let desk = try await Desk.make()
        let media = try await keep(desk)
        let stranger = desk.stranger
        #expect(try await stranger.visit("/media").title.contains("Sign in"))
        let curator = try await desk.browser(.curator)
        let page = try await curator.visit("/media/\(media.id)")
        #expect(!page.hasButton("Remove it"))
        let sent = try await curator.send("POST", "/media/\(media.id)/delete", [("csrf", try csrf(page))])
        #expect(sent.status == 403)
    }

    @Test(
        "An image of the library is chosen in the form of an entry: found by words, a page at a time, nothing typed is lost"
    )
    func choosing() async throws {
        let desk = try await Desk.make()
        let editor = try await desk.browser(.editor)
        let media = try await keep(desk, alt: "A gray line")
        var page = try await editor.visit("/entries/new?type=article")
        #expect(page.html.contains("Choose from the library") && !page.html.contains("id=\"images\""))
        func send(_ fields: [(String, String)]) async throws -> BrowserPage {
            let form = try page.form("Save draft").fields(pressing: nil)
            let names = Set(fields.map(\.0))
            return try await editor.send("POST", "/entries", form.filter { !names.contains($0.0) } + fields)
        }
        page = try await send([("field.title", "Half a story"), ("images", "image")])
        #expect(page.status == 200 && page.says("A gray line") && page.html.contains("value=\"Half a story\""))
        page = try await send([("images", "image"), ("images.words", "nowhere")])
        #expect(page.says("No image matches.") && page.html.contains("value=\"Half a story\""))
        // Enter in the input searches; it saves nothing.
        page = try await send([("action", "enter"), ("images.words", "gray")])
        #expect(page.says("A gray line"))
        page = try await send([("image", "image \(media.id)")])
        #expect(page.status == 200 && page.html.contains("value=\"\(media.id)\""))
        #expect(page.html.contains("value=\"A gray line\"") && page.html.contains("/media/\(media.id)/image"))
        #expect(page.html.contains("value=\"Half a story\"") && !page.html.contains("id=\"images\""))
        #expect(
            try await desk.test.client.one("select count(*) as n from curation.entry where type = 'article'")("n")
                as Int == 0)
        let saved = try await send([
            ("action", "draft"), ("field.body", "<p>b</p>"), ("field.categories", "00000000-0000-7000-8000-000000000013"),
        ])
        #expect(saved.status == 303)
        for wrong in ["image x", "title \(media.id)", "image"] {
            #expect(try await send([("image", wrong)]).status == 200, "\(wrong)")
        }
    }

    @Test("An image of a row is chosen for that row, and a long library comes in pages")
    func choosingInRows() async throws {
        let desk = try await Desk.make()
        let editor = try await desk.browser(.editor)
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
            _ = try await desk.test.database.change(
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
        let id = try #require(page.html.firstMatch(of: /name="image" value="(screens\.0\.image [^"]+)"/)?.1)
        page = try await send([("image", String(id))])
        #expect(page.html.contains("name=\"field.screens.0.image\"") && page.html.contains("value=\"Number 0\""))
    }
}
