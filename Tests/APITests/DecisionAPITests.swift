// Tests the API for reviewers: the queue and decisions.
import API
import Domain
import Store
import TestSupport
import Testing

@Suite("Decisions over the API", .databases)
struct DecisionAPITests {
    private func submit(_ api: APIFixture, _ title: String, as portal: APIFixture.Client) async throws -> String {
        let body = #"{"type":"article","contributor":"u","fields":{"title":"\#(title)","body":"<p>x</p>"}}"#
        return try #require(try await api.post("/v1/submissions", body, as: portal).json["id"]?.stringValue)
    }

    @Test("A5, R3: approving publishes at once into feeds and categories named by slug, and only once")
    func approve() async throws {
        let (api, tool) = try await APIFixture.serving([.submit, .review, .readGuest])
        try await api.publish("feed", "City", ["tier": "free", "slug": "city"])
        let id = try await submit(api, "Ten cafés", as: tool)
        #expect(try await api.get("/v1/items", as: tool).data.isEmpty)
        let decision = #"{"verdict":"approve","feeds":["city"],"categories":["unsorted"],"version":0}"#
        let reply = try await api.post("/v1/submissions/\(id)/decision", decision, as: tool)
        #expect(reply.status == 200)
        #expect(reply.json["state"] == "approved")
        #expect(reply.json["approved"] == .bool(true))
        #expect(reply.json["publication"] == .int(3))
        let entry = try #require(reply.json["entry"]?.stringValue)
        #expect(try await api.get("/v1/feeds/city/items", as: tool).titles == ["Ten cafés"])
        #expect(try await api.get("/v1/submissions/\(id)", as: tool).json["entry"] == .string(entry))
        let again = try await api.post("/v1/submissions/\(id)/decision", #"{"verdict":"approve"}"#, as: tool)
        #expect(again.status == 409)
        #expect(again.code == "already_decided")
    }

    @Test("R3: an approval names feeds and categories by id, too, and a category is no feed")
    func named() async throws {
        let (api, tool) = try await APIFixture.serving([.submit, .review, .readGuest])
        let feed = try await api.publish("feed", "City", ["tier": "free", "slug": "city"])
        let id = try await submit(api, "Ten cafés", as: tool)
        let path = "/v1/submissions/\(id)/decision"
        let swapped = #"{"verdict":"approve","feeds":["city","\#(SeedEntry.unsorted)"],"categories":["\#(feed)"]}"#
        let refused = try await api.post(path, swapped, as: tool)
        #expect(refused.status == 422)
        #expect(refused.pointers.sorted() == ["/categories/0", "/feeds/1"])
        let decision = #"{"verdict":"approve","feeds":["\#(feed)"],"categories":["\#(SeedEntry.unsorted)"]}"#
        #expect(try await api.post(path, decision, as: tool).json["state"] == "approved")
        #expect(try await api.get("/v1/feeds/city/items", as: tool).titles == ["Ten cafés"])
    }

    @Test("R21: a decision on an outdated version is a conflict and changes nothing")
    func stale() async throws {
        let (api, tool) = try await APIFixture.serving([.submit, .review])
        let id = try await submit(api, "T", as: tool)
        let reply = try await api.post(
            "/v1/submissions/\(id)/decision", #"{"verdict":"approve","version":1}"#, as: tool)
        #expect(reply.status == 409)
        #expect(reply.code == "stale")
        #expect(try await api.get("/v1/submissions/\(id)", as: tool).json["state"] == "pending")
    }

    @Test("A rejection and a change request give the portal the reason; edits and a scheduled time are kept")
    func others() async throws {
        let (api, tool) = try await APIFixture.serving([.submit, .review, .readGuest])
        let rejected = try await submit(api, "R", as: tool)
        let reject = #"{"verdict":"reject","reason":"spam","message":"No."}"#
        #expect(
            try await api.post("/v1/submissions/\(rejected)/decision", reject, as: tool).json["state"] == "rejected")
        let notified = try await api.get("/v1/submissions/\(rejected)", as: tool).json
        #expect(notified["decision"]?["reason"] == "spam")
        #expect(notified["decision"]?["message"] == "No.")
        #expect(notified["version"] == .int(1))

        let double = try await submit(api, "R again", as: tool)
        let unnamed = try await api.post("/v1/submissions/\(double)/decision", #"{"verdict":"duplicate"}"#, as: tool)
        #expect(unnamed.status == 422 && unnamed.pointers == ["/duplicate_of"])
        let unknown = #"{"verdict":"duplicate","duplicate_of":"00000000-0000-7000-8000-000000000099"}"#
        #expect(
            try await api.post("/v1/submissions/\(double)/decision", unknown, as: tool).pointers == ["/duplicate_of"])
        let duplicate = #"{"verdict":"duplicate","duplicate_of":"\#(rejected)"}"#
        #expect(
            try await api.post("/v1/submissions/\(double)/decision", duplicate, as: tool).json["state"] == "duplicate")

        let later = try await submit(api, "Later", as: tool)
        let timed =
            #"{"verdict":"approve","publish":"2099-07-01T18:00","zone":"Europe/London","#
            + #""edits":{"title":"Edited","body":"<p>y</p>"}}"#
        let reply = try await api.post("/v1/submissions/\(later)/decision", timed, as: tool)
        #expect(reply.json["publication"] == .null)
        #expect(reply.json["release"] != .null)
        #expect(try await api.get("/v1/items", as: tool).data.isEmpty)
        let entry = try #require(reply.json["entry"]?.stringValue.flatMap(ID<Entry>.init))
        #expect(try await api.test.database.entries.find(entry)?.title == "Edited")
    }

    @Test(
        "An incomplete decision is rejected with an error at every wrong member",
        arguments: [
            ("{}", ["/verdict"]), (#"{"verdict":"maybe"}"#, ["/verdict"]), (#"{"verdict":"reject"}"#, ["/reason"]),
            (#"{"verdict":"reject","reason":"dull"}"#, ["/reason"]), (#"{"verdict":"request_changes"}"#, ["/message"]),
            (#"{"verdict":"request_changes","message":"m","publish":"now"}"#, ["/publish"]),
            (#"{"verdict":"request_changes","field_notes":{"title":"n"}}"#, ["/message"]),
            (#"{"verdict":"request_changes","message":"m","field_notes":"n"}"#, ["/field_notes"]),
            (#"{"verdict":"request_changes","message":"m","field_notes":{"title":1}}"#, ["/field_notes/title"]),
            (
                #"{"verdict":"request_changes","message":"m","field_notes":{"slug":"n","nothing":"n"}}"#,
                ["/field_notes/nothing", "/field_notes/slug"]
            ),
            (
                #"{"verdict":"reject","reason":"spam","field_notes":{"title":"n"}}"#, ["/field_notes"]
            ),
            (#"{"verdict":"approve","publish":"soon"}"#, ["/publish"]),
            (#"{"verdict":"approve","publish":"2099-07-01T18:00"}"#, ["/publish"]),
            (#"{"verdict":"approve","publish":"2020-07-01T18:00:00Z"}"#, ["/publish"]),
            (#"{"verdict":"approve","publish":"2099-07-01T18:00","zone":"Mars/Olympus"}"#, ["/zone"]),
            (#"{"verdict":"approve","publish":"2099-07-01T18:00","zone":"not a zone"}"#, ["/zone"]),
            (#"{"verdict":"approve","zone":"UTC"}"#, ["/zone"]),
            (#"{"verdict":"approve","feeds":["nowhere"],"categories":["topic"]}"#, ["/feeds/0", "/categories/0"]),
            (#"{"verdict":"approve","feeds":["00000000-0000-7000-8000-000000000013"]}"#, ["/feeds/0"]),
            (
                #"{"verdict":"approve","feeds":"city","version":"1","role":"publisher"}"#,
                ["/feeds", "/role", "/version"]
            ),
            (#"{"verdict":"approve","edits":{"title":""}}"#, ["/fields/body", "/fields/title"]),
        ])
    func refused(body: String, pointers: [String]) async throws {
        let (api, tool) = try await APIFixture.serving([.submit, .review])
        let id = try await submit(api, "T", as: tool)
        let reply = try await api.post("/v1/submissions/\(id)/decision", body, as: tool)
        #expect(reply.status == 422)
        #expect(reply.pointers.sorted() == pointers.sorted())
        #expect(try await api.get("/v1/submissions/\(id)", as: tool).json["state"] == "pending")
    }

    @Test("Notes at fields are stored with the request for changes, and shown with it")
    func fieldNotes() async throws {
        let (api, tool) = try await APIFixture.serving([.submit, .review])
        let id = try await submit(api, "T", as: tool)
        let body = #"{"verdict":"request_changes","message":"m","field_notes":{"title":" Longer. ","body":""}}"#
        #expect(
            try await api.post("/v1/submissions/\(id)/decision", body, as: tool).json["state"] == "changes_requested")
        let decision = try await api.get("/v1/submissions/\(id)", as: tool).json["decision"]
        #expect(decision?["field_notes"] == .object(["title": "Longer."]))
    }

    @Test("The queue is sorted oldest first, in pages of 20, filtered by type, requested category and query")
    func queue() async throws {
        let (api, tool) = try await APIFixture.serving([.submit, .review], trust: .seconds(60))
        for number in 1...21 { _ = try await submit(api, "Waiting \(number)", as: tool) }
        let requestedCategory =
            #"{"type":"article","contributor":"u","category":"Food","fields":{"title":"Wish","body":"<p>x</p>"}}"#
        #expect(try await api.post("/v1/submissions", requestedCategory, as: tool).status == 201)
        let walk = try await api.walk("/v1/queue", as: tool)
        #expect(walk.titles == (1...21).map { "Waiting \($0)" } + ["Wish"])
        #expect(walk.pages == 2)
        #expect(try await api.get("/v1/queue?category=Food", as: tool).titles == ["Wish"])
        #expect(try await api.get("/v1/queue?q=waiting+7", as: tool).titles == ["Waiting 7"])
        #expect(try await api.get("/v1/queue?q=waiting+7+is:unclaimed", as: tool).titles == ["Waiting 7"])
        for unread in ["sorce:x", "is:mine", "is:rejected"] {
            let reply = try await api.get("/v1/queue?q=\(unread)", as: tool)
            #expect(reply.status == 400 && reply.pointers == ["/query/q"], "\(unread)")
        }
        #expect(try await api.get("/v1/queue?type=video", as: tool).data.isEmpty)
        #expect(try await api.get("/v1/queue?type=Video", as: tool).pointers == ["/query/type"])
        #expect(try await api.get("/v1/queue?sort=newest", as: tool).titles.first == "Wish")
        #expect(try await api.get("/v1/queue?priority=urgent&sort=priority", as: tool).data.isEmpty)
        #expect(try await api.get("/v1/queue?sort=best", as: tool).status == 400)
        #expect(try await api.get("/v1/queue?state=all", as: tool).status == 400)
        #expect(try await api.get("/v1/queue?cursor=nonsense", as: tool).status == 400)
    }
}
