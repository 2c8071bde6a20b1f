// Tests how apps report published entries: input, idempotency, limits, and what they may read of it.
import API
import Domain
import HTTP
import Postgres
import Store
import TestSupport
import Testing

@Suite("Reports over the API", .databases)
struct ReportAPITests {
    private func body(_ entry: ID<Entry>, _ more: String = "") -> String {
        #"{"entry":"\#(entry)","reason":"spam"\#(more)}"#
    }

    @Test("A report gets 201 with its id; the same reporter's next one 200 with the same id; its app reads the outcome")
    func receive() async throws {
        let (api, app) = try await APIFixture.serving([.report])
        let entry = try await api.article()
        let first = try await api.post(
            "/v1/reports", body(entry, #","reporter":"Ada","text":"<script>1</script>""#), as: app)
        #expect(first.status == 201 && first.json["is_new"] == .bool(true))
        #expect(first.json["entry"]?.stringValue == entry.description)
        let id = try #require(first.json["id"]?.stringValue)
        #expect(
            first["Location"] == "https://vitrine.example.org/v1/reports/\(id)" && first["Cache-Control"] == "no-store")
        let again = try await api.post("/v1/reports", body(entry, #","reporter":"Ada""#), as: app)
        #expect(again.status == 200 && again.json["id"]?.stringValue == id && again.json["is_new"] == .bool(false))
        let shown = try await api.get("/v1/reports/\(id)", as: app)
        #expect(shown.json["state"] == "open" && shown.json["outcome"] == .null && shown.json["reason"] == "spam")
        #expect(!shown.text.contains("Ada") && !shown.text.contains("script"))
        let found = try #require(
            try await api.test.database.reportCases.page(ReportCaseFilter(), cursor: nil, limit: 2).items.first)
        #expect(found.reports == 1)
        try await api.test.services.decideReport(
            found.id, ReportDecisionDraft(.unpublish, note: "Spam"), by: TestDatabase.administrator)
        let decided = try await api.get("/v1/reports/\(id)", as: app).json
        #expect(decided["state"] == "decided" && decided["outcome"] == "unpublish" && decided["decided_at"] != .null)
        // Other apps and other scopes see nothing.
        #expect(try await api.get("/v1/reports/\(id)", as: try await api.client([.report])).status == 404)
        for scope in Scope.allCases where scope != .report {
            let other = try await api.client([scope])
            #expect(try await api.get("/v1/reports/\(id)", as: other).code == "missing_scope", "\(scope)")
            #expect(try await api.post("/v1/reports", body(entry), as: other).status == 403, "\(scope)")
        }
        #expect(try await api.post("/v1/reports", body(entry), as: nil).status == 401)
    }

    @Test("Wrong members are refused at their pointers, all at once; nothing is stored")
    func refusals() async throws {
        let (api, app) = try await APIFixture.serving([.report])
        let entry = try await api.article()
        let draft = try await api.article("Draft", .draft)
        let gone = try await api.article("Gone")
        try await api.unpublish(gone)
        for (json, pointers) in [
            (#"{}"#, ["/entry", "/reason"]), (#"{"entry":"x","reason":"dull"}"#, ["/entry", "/reason"]),
            (#"{"entry":"\#(entry)","slug":"a","reason":"spam"}"#, ["/slug"]),
            (#"{"entry":"\#(entry)","kind":"item","reason":"spam"}"#, ["/kind"]),
            (#"{"slug":"nothing","reason":"spam"}"#, ["/slug"]),
            (#"{"slug":"nothing","kind":"text","reason":"spam"}"#, ["/kind"]),
            (#"{"entry":"\#(entry)","reason":"spam","state":"x"}"#, ["/state"]),
            (#"{"entry":"\#(entry)","reason":"other"}"#, ["/text"]),
            (#"{"entry":"\#(entry)","reason":"spam","text":7,"reporter":[]}"#, ["/reporter", "/text"]),
            (
                body(entry, #","reporter_email":"nobody","reporter_locale":"deutsch!""#),
                ["/reporter_email", "/reporter_locale"]
            ),
            (body(draft), ["/entry"]), (body(gone), ["/entry"]),
        ] {
            let reply = try await api.post("/v1/reports", json, as: app)
            #expect(reply.status == 422 && reply.pointers.sorted() == pointers, "\(json): \(reply.text)")
        }
        let errors = try await api.post("/v1/reports", body(gone), as: app).json["errors"]?.arrayValue ?? []
        #expect(errors.first?["code"] == "unpublished")
        #expect(try await api.post("/v1/reports", #"{"reason":"spam","reason":"spam"}"#, as: app).status == 400)
        let form = try await api.send(
            "POST", "/v1/reports", as: app, headers: [("Content-Type", "text/plain")], body: .bytes(Array("x".utf8)))
        #expect(form.status == 415)
        let stored: Int = try await api.test.client.one("select count(*) as n from curation.report")("n")
        #expect(stored == 0)
    }

    @Test("An idempotency key repeats its response; another report under it is refused")
    func idempotency() async throws {
        let (api, app) = try await APIFixture.serving([.report])
        let entry = try await api.article()
        let first = try await api.post("/v1/reports", body(entry), as: app, [("Idempotency-Key", "\"k-1\"")])
        let same = try await api.post("/v1/reports", body(entry), as: app, [("Idempotency-Key", "k-1")])
        #expect(first.status == 201 && same.status == 200 && same.json["id"] == first.json["id"])
        let other = try await api.post(
            "/v1/reports", body(entry, #","text":"More""#), as: app, [("Idempotency-Key", "k-1")])
        #expect(other.status == 422 && other.code == "key_reused")
        let wrong = try await api.post("/v1/reports", body(entry), as: app, [("Idempotency-Key", "")])
        #expect(wrong.status == 400 && wrong.pointers == ["/headers/Idempotency-Key"])
        let theirs = try await api.post(
            "/v1/reports", body(entry), as: try await api.client([.report]), [("Idempotency-Key", "k-1")])
        #expect(theirs.status == 201, "keys are those of a client")
    }

    @Test("Reports are limited per client and per network", arguments: [true, false])
    func limits(perClient: Bool) async throws {
        let api = try await APIFixture.make(reportsPerMinute: perClient ? (2, 0) : (0, 2))
        let app = try await api.client([.report])
        let entry = try await api.article()
        for _ in 0..<2 { #expect(try await api.post("/v1/reports", body(entry), as: app).status == 201) }
        let refused = try await api.post("/v1/reports", body(entry), as: app)
        #expect(refused.status == 429 && refused.code == "rate_limited" && refused["Retry-After"] != nil)
        let other = try await api.client([.report])
        #expect(try await api.post("/v1/reports", body(entry), as: other).status == (perClient ? 201 : 429))
        #expect(try await api.get("/v1/reports/\(entry)", as: app).status == 404, "reading is not limited")
    }
}
