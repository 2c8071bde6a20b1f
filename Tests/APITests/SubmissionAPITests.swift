// Tests how submissions are received in every supported form, and what is rejected.
import API
import Domain
import HTTP
import Operations
import Platform
import Postgres
import Store
import TestSupport
import Testing

@Suite("Submissions over the API", .databases)
struct SubmissionAPITests {
    private let article =
        #"{"type":"article","contributor":"user-1","category":"Food","#
        + #""fields":{"title":"Ten cafés","body":"<p>Hello</p>"}}"#

    private func count(_ api: APIFixture, _ table: String = "submission") async throws -> Int {
        try await api.test.client.one("select count(*) as n from curation.\(raw: table)")("n")
    }

    @Test("A3: a valid submission gets 201 with its id and state, and is in the queue")
    func approved() async throws {
        let (api, portal) = try await APIFixture.serving([.submit])
        let reply = try await api.post("/v1/submissions", article, as: portal)
        #expect(reply.status == 201)
        let id = try #require(reply.json["id"]?.stringValue)
        #expect(reply.json["state"] == "pending")
        #expect(reply["Location"] == "https://vitrine.example.org/v1/submissions/\(id)")
        #expect(reply.json["status_url"]?.stringValue == reply["Location"])
        #expect(reply["Cache-Control"] == "no-store")
        #expect(try await count(api, "queue_item") == 1)
        let status = try await api.get("/v1/submissions/\(id)", as: portal).json
        #expect(status["state"] == "pending")
        #expect(status["entry"] == .null)
        #expect(status["fields"] == nil)
        // The contributor's status link is derived from the id, so a repeated request gets the same one.
        let page = try #require(reply.json["status_page"]?.stringValue)
        #expect(page.hasPrefix("https://vitrine.example.org/s/"))
        let link = String(page.dropFirst("https://vitrine.example.org/s/".count))
        #expect(LinkKey.id(in: link).flatMap { ID<Submission>(bytes: $0) }?.description == id)
        #expect(APIFixture.statusKey?.isValid(link, edition: 1) == true)
    }

    @Test("A4: a number of 2^63 or more is stored, screened, shown, and approved in bulk beside others")
    func largeNumbers() async throws {
        let (api, portal) = try await APIFixture.serving([.submit, .review])
        var ids: [ID<Submission>] = []
        for media in [#"{"n":1e19,"m":[-9.3e18]}"#, #"{"n":1}"#] {
            let body = article.replacing(#""body":"#, with: #""media":\#(media),"body":"#)
            let reply = try await api.post("/v1/submissions", body, as: portal)
            #expect(reply.status == 201)
            ids.append(try #require(reply.json["id"]?.stringValue.flatMap { ID<Submission>($0) }))
        }
        let rules = api.test.rules
        try await api.test.database.work(as: Actor(kind: .system, name: "schedule")) {
            _ = try await ScreenSubmissions.screen(rules, $0)
        }
        let shown = try await api.get("/v1/submissions/\(ids[0])", as: portal)
        #expect(shown.status == 200 && shown.json["damaged"] == nil)
        #expect(shown.json["fields"]?["media"]?["n"] == .double(1e19))
        #expect(shown.json["fields"]?["media"]?["m"] == .array([.double(-9.3e18)]))
        let administrator = TestDatabase.administrator
        let plan = try await api.test.services.planBulkAction(.approve, .listed(ids), by: administrator)
        let request = BulkActionRequest.decide(Decision.Draft(verdict: .approve, publishTiming: .now))
        let done = try await api.test.services.runBulkAction(plan, request, by: administrator)
        #expect(done.count(.done) == 2)
    }

    @Test("The contributor's email is validated, stored, and shown to no client")
    func contributorEmail() async throws {
        let (api, portal) = try await APIFixture.serving([.submit, .review])
        func body(_ email: String) -> String {
            #"{"type":"article","contributor":"u","contributor_email":\#(email),"fields":{"title":"T","body":"<p>x</p>"}}"#
        }
        for wrong in [
            #""nobody""#, #""a@b""#, #""a@example.org\nBcc: b@example.org""#, #""a b@example.org""#, "7", "[]",
        ] {
            let reply = try await api.post("/v1/submissions", body(wrong), as: portal)
            #expect(reply.status == 422 && reply.pointers == ["/contributor_email"], "\(wrong)")
        }
        let reply = try await api.post("/v1/submissions", body(#""Carl@Example.org""#), as: portal)
        #expect(reply.status == 201)
        let id = try #require(reply.json["id"]?.stringValue)
        let kept: String = try await api.test.client.one("select contributor_email as e from curation.submission")("e")
        #expect(kept == "carl@example.org")
        for address in ["/v1/submissions/\(id)", "/v1/queue"] {
            #expect(try await !api.get(address, as: portal).text.lowercased().contains("carl@"))
        }
        #expect(try await api.post("/v1/submissions", body("null"), as: portal).status == 201)
        #expect(try await api.post("/v1/submissions", body(#""""#), as: portal).status == 201)
        let international = try await api.post("/v1/submissions", body(#""a@kähne.example""#), as: portal)
        #expect(international.status == 201)
        let found: Int = try await api.test.client.one(
            "select count(*) as n from curation.submission where contributor_email = 'a@xn--khne-loa.example'")("n")
        #expect(found == 1)
        let form = "type=article&contributor=u&contributor_email=nobody&title=T&body=x"
        let refused = try await api.send(
            "POST", "/v1/submissions", as: portal, headers: [("Content-Type", "application/x-www-form-urlencoded")],
            body: .form(try FormFields(urlEncoded: form)))
        #expect(refused.pointers == ["/contributor_email"])
    }

    @Test(
        "D2: a list names its items by a source's id or by title and year; a wrong reference is rejected at its member",
        .packs(.lists))
    func listReferences() async throws {
        let (api, portal) = try await APIFixture.serving([.submit])
        func body(_ item: String) -> String {
            #"{"type":"list","contributor":"u","fields":{"title":"Films","owner":"u","items":[{"item":\#(item)}]}}"#
        }
        for item in [
            #"{"source":"tmdb","external_id":"603"}"#, #"{"title":"The Thing","year":1982,"kind":"movie"}"#,
        ] {
            #expect(try await api.post("/v1/submissions", body(item), as: portal).status == 201)
        }
        for (item, pointer) in [
            (#""0197b2d4-1111-7222-8333-444455556666""#, ""), (#"{"source":"tmdb"}"#, ""),
            (#"{"title":"A","year":"x"}"#, "/year"), (#"{"titel":"A"}"#, "/titel"),
        ] {
            let reply = try await api.post("/v1/submissions", body(item), as: portal)
            #expect(reply.status == 422 && reply.pointers.first == "/fields/items/0/item" + pointer)
        }
    }

    @Test("A4, R2: the same key and body get the first response, bare or quoted; another body is rejected")
    func idempotency() async throws {
        let (api, portal) = try await APIFixture.serving([.submit])
        let first = try await api.post("/v1/submissions", article, as: portal, [("Idempotency-Key", "key-1")])
        let again = try await api.post("/v1/submissions", article, as: portal, [("Idempotency-Key", "\"key-1\"")])
        #expect(first.status == 201 && again.status == 201)
        #expect(again.bytes == first.bytes)
        let other = try await api.post(
            "/v1/submissions", article.replacing("Ten", with: "Two"), as: portal, [("Idempotency-Key", "key-1")])
        #expect(other.status == 422)
        #expect(other.code == "key_reused")
        #expect(try await count(api) == 1)
        let stranger = try await api.client([.submit])
        let theirs = try await api.post("/v1/submissions", article, as: stranger, [("Idempotency-Key", "key-1")])
        #expect(theirs.json["id"] != first.json["id"])
    }

    @Test("R2: the same request many times at once is stored once with equal responses")
    func atOnce() async throws {
        let (api, portal) = try await APIFixture.serving([.submit], trust: .seconds(60))
        let article = article
        let replies = try await concurrently(0..<20) { _ in
            try await api.post("/v1/submissions", article, as: portal, [("Idempotency-Key", "k")])
        }
        #expect(replies.allSatisfy { $0.status == 201 && $0.bytes == replies[0].bytes })
        #expect(try await count(api) == 1)
    }

    @Test(
        "R2: an idempotency key that is empty, too long, unclosed or sent twice is rejected",
        arguments: [
            [""], ["\"\""], ["a b"], ["\"a"], ["\"a\"b"], ["\"a\\x\""], ["a", "b"],
            [String(repeating: "k", count: 256)], ["ü"],
        ])
    func badKeys(keys: [String]) async throws {
        let (api, portal) = try await APIFixture.serving([.submit])
        let reply = try await api.post("/v1/submissions", article, as: portal, keys.map { ("Idempotency-Key", $0) })
        #expect(reply.status == 400)
        #expect(reply.pointers == ["/headers/Idempotency-Key"])
        #expect(try await count(api) == 0)
    }

    @Test("A15: without a contributor a submission is rejected, unless the channel allows it")
    func contributor() async throws {
        let anonymous = #"{"type":"article","fields":{"title":"T","body":"<p>x</p>"}}"#
        let (strict, client) = try await APIFixture.serving([.submit])
        let reply = try await strict.post("/v1/submissions", anonymous, as: client)
        #expect(reply.status == 422)
        #expect(reply.pointers == ["/contributor"])
        // Nothing to read.
        let invisible = #"{"type":"article","contributor":"\u200b ","fields":{"title":"T","body":"<p>x</p>"}}"#
        #expect(try await strict.post("/v1/submissions", invisible, as: client).pointers == ["/contributor"])
        let open = try await APIFixture.make(settings: ["VITRINE_INTAKE_ANONYMOUS": "true"])
        #expect(try await open.post("/v1/submissions", anonymous, as: try await open.client([.submit])).status == 201)
    }

    @Test(
        "S16, S17: invalid JSON, a repeated member or a forbidden member is rejected at its pointer",
        arguments: [
            ("", 400, "malformed_json"), ("{", 400, "malformed_json"), ("nul", 400, "malformed_json"),
            (#"{"type":"article","type":"video","fields":{}}"#, 400, "malformed_json"),
            (#"{"type":"article","fields":{"title":"a","title":"b"}}"#, 400, "malformed_json"),
            ("[]", 422, "invalid"), (#""text""#, 422, "invalid"), ("{}", 422, "invalid"),
            (#"{"type":7,"fields":{}}"#, 422, "invalid"), (#"{"type":"article","fields":[]}"#, 422, "invalid"),
            (#"{"type":"poem","contributor":"u","fields":{}}"#, 422, "invalid"),
            (#"{"type":"feed","contributor":"u","fields":{"title":"x","tier":"free"}}"#, 422, "invalid"),
            (
                #"{"type":"article","contributor":"u","fields":{"title":"x","body":"y"},"state":"approved"}"#, 422,
                "invalid"
            ),
            (#"{"type":"article","contributor":"u","fields":{"title":"x","body":"y","tier":"free"}}"#, 422, "invalid"),
            (
                #"{"type":"article","contributor":"u","fields":{"title":"x","body":"y","published_at":"2026-01-01"}}"#,
                422, "invalid"
            ),
        ])
    func refusedJSON(body: String, status: Int, code: String) async throws {
        let api = try await APIFixture.make()
        let reply = try await api.post("/v1/submissions", body, as: try await api.client([.submit]))
        #expect(reply.status == status)
        #expect(reply.code == code)
        #expect(reply["Content-Type"] == "application/problem+json")
        #expect(try await count(api) == 0)
    }

    @Test("A3: all errors of a submission are returned at once, each with its pointer")
    func allMistakes() async throws {
        let api = try await APIFixture.make()
        let body = #"{"type":"article","contributor":"u","fields":{"title":"","url":"javascript:1","nonsense":1}}"#
        let reply = try await api.post("/v1/submissions", body, as: try await api.client([.submit]))
        #expect(reply.status == 422)
        #expect(Set(reply.pointers) == ["/fields/title", "/fields/body", "/fields/url", "/fields/nonsense"])
        #expect(reply.json["type"] == "https://vitrine.example.org/problems/invalid")
        #expect(reply.json["status"] == .int(422))
        #expect(reply.json["instance"]?.stringValue == reply["X-Request-Id"])
    }

    @Test(
        "A3: a form is accepted as well, with its fields named in any of three ways",
        arguments: [
            "fields.title", "fields[title]", "title",
        ])
    func forms(name: String) async throws {
        let (api, portal) = try await APIFixture.serving([.submit])
        let form = FormFields([
            .init(name: "type", value: "video"), .init(name: "contributor", value: "user-1"),
            .init(name: name, value: "A film"), .init(name: "fields.hls_url", value: "https://v.example.org/a.m3u8"),
            .init(name: "fields[duration]", value: "1:02:03"),
        ])
        let reply = try await api.send(
            "POST", "/v1/submissions", as: portal, headers: [("Content-Type", "application/x-www-form-urlencoded")],
            body: .form(form))
        #expect(reply.status == 201)
        let id = try #require(reply.json["id"]?.stringValue.flatMap(ID<Submission>.init))
        let stored = try #require(try await api.test.database.submissions.find(id))
        #expect(stored.title == "A film")
        #expect(stored.fields["duration"] == .int(3723))
    }

    @Test("S17: a form with a repeated value, an unknown field or a file is rejected")
    func badForms() async throws {
        let (api, portal) = try await APIFixture.serving([.submit])
        let whole = [("type", "article"), ("contributor", "u"), ("title", "T"), ("body", "<p>x</p>")]
        func send(_ fields: [(String, String)], uploads: [Upload] = []) async throws -> APIReply {
            let form = FormFields(fields.map { .init(name: $0.0, value: $0.1) }, uploads: uploads)
            return try await api.send(
                "POST", "/v1/submissions", as: portal, headers: [("Content-Type", "multipart/form-data; boundary=x")],
                body: .form(form))
        }
        #expect(try await send(whole).status == 201)
        #expect(try await send(whole + [("type", "video")]).pointers == ["/type"])
        #expect(try await send(whole + [("fields.title", "U")]).pointers == ["/fields/title"])
        #expect(try await send(whole + [("state", "approved")]).pointers == ["/fields/state"])
        let file = Upload(name: "image", filename: "a.png", contentType: "image/png", bytes: [1])
        #expect(try await send(whole, uploads: [file]).pointers == ["/fields/image"])
        #expect(try await send(Array(whole.dropFirst())).pointers == ["/type"])
    }

    @Test(
        "A3: any other type of body is 415",
        arguments: [
            "text/plain", "application/xml", "application/json; charset=latin1", "nonsense", "",
        ])
    func otherTypes(type: String) async throws {
        let api = try await APIFixture.make()
        let reply = try await api.send(
            "POST", "/v1/submissions", as: try await api.client([.submit]),
            headers: type.isEmpty ? [] : [("Content-Type", type)], body: .bytes(Array(article.utf8)))
        #expect(reply.status == 415)
        #expect(reply.code == "unsupported_media_type")
    }

    @Test(
        "A3: JSON may name its encoding as clients write it",
        arguments: ["application/json; charset=utf8", "Application/JSON;charset=\"UTF-8\""])
    func encodings(type: String) async throws {
        let api = try await APIFixture.make()
        let reply = try await api.send(
            "POST", "/v1/submissions", as: try await api.client([.submit]), headers: [("Content-Type", type)],
            body: .bytes(Array(article.utf8)))
        #expect(reply.status == 201)
    }

    @Test("S15: another client's submission is hidden as if missing, and a reviewer sees all of it")
    func foreign() async throws {
        let (api, portal) = try await APIFixture.serving([.submit])
        let id = try #require(try await api.post("/v1/submissions", article, as: portal).json["id"]?.stringValue)
        let stranger = try await api.get("/v1/submissions/\(id)", as: try await api.client([.submit]))
        #expect(stranger.status == 404)
        let reviewer = try await api.get("/v1/submissions/\(id)", as: try await api.client([.review])).json
        #expect(reviewer["fields"]?["title"] == "Ten cafés")
        #expect(reviewer["contributor"] == "user-1")
        #expect(reviewer["category"] == "Food")
        for id in ["x", "0193b2a0-0000-7000-8000-000000000000"] {
            #expect(try await api.get("/v1/submissions/\(id)", as: portal).status == 404)
        }
    }

    @Test("S47: beyond its limit per minute a client gets 429 with a time; other clients are unaffected")
    func limit() async throws {
        let api = try await APIFixture.make(perMinute: 2)
        let portal = try await api.client([.submit])
        let first = try await api.post("/v1/submissions", article, as: portal)
        #expect(first["RateLimit-Policy"] == "\"submissions\";q=2;w=60")
        #expect(first["RateLimit"]?.hasPrefix("\"submissions\";r=1;t=") == true)
        #expect(try await api.post("/v1/submissions", article, as: portal).status == 201)
        let third = try await api.post("/v1/submissions", article, as: portal)
        #expect(third.status == 429)
        #expect(third.code == "rate_limited")
        #expect(third["Retry-After"].flatMap(Int.init).map { (1...30).contains($0) } == true)
        #expect(third["RateLimit"]?.hasPrefix("\"submissions\";r=0;t=") == true)
        #expect(try await api.post("/v1/submissions", article, as: try await api.client([.submit])).status == 201)
    }

    @Test("S1: text that resembles SQL or markup is stored unchanged, within its field")
    func naughty() async throws {
        let (api, portal) = try await APIFixture.serving([.submit])
        for text in [
            "'; drop table curation.submission; --", "\\\\x00", "{{7*7}}", "$1", "${x}", "ﷺ\u{1F469}\u{200D}\u{1F467}",
        ] {
            let fields = JSONValue.object([
                "type": "article", "contributor": .string(text),
                "fields": .object(["title": .string(text), "body": "<p>x</p>"]),
            ])
            let reply = try await api.post("/v1/submissions", fields.canonicalText, as: portal)
            let id = try #require(reply.json["id"]?.stringValue.flatMap(ID<Submission>.init))
            #expect(try await api.test.database.submissions.find(id)?.fields["title"] == .string(text))
        }
    }

    @Test("A blocked contributor's submission is 403 with a code; what was stored before is returned again")
    func blockedContributor() async throws {
        let (api, portal) = try await APIFixture.serving([.submit])
        let key = [("Idempotency-Key", "k-1")]
        #expect(try await api.post("/v1/submissions", article, as: portal, key).status == 201)
        let id: ID<Contributor> = try await api.test.client.one("select id from curation.contributor")("id")
        try await api.test.services.manageContributor.set(
            ContributorStatusDraft(.blocked, reason: "Advertises"), on: id, by: try await api.test.actor(.curator))
        let reply = try await api.post("/v1/submissions", article, as: portal)
        #expect(reply.status == 403 && reply.code == "contributor_blocked")
        #expect(reply["Content-Type"] == "application/problem+json")
        #expect(!reply.text.contains("Advertises"), "the reason is for the team")
        #expect(try await api.post("/v1/submissions", article, as: portal, key).status == 201)
        #expect(try await count(api) == 1)
        #expect(
            try await api.post("/v1/submissions", article.replacing("user-1", with: "user-2"), as: portal).status == 201
        )
    }
}
