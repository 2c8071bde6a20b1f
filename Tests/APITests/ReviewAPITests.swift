// Tests reviews of places: submitted, approved, served by place, counted with their mean.
import API
import Domain
import Operations
import Postgres
import Store
import TestSupport
import Testing

@Suite("Reviews of places", .databases, .packs(.places))
struct ReviewAPITests {
    private static func world() async throws -> (api: APIFixture, guest: APIFixture.Client, place: ID<Entry>) {
        let api = try await APIFixture.make()
        let city = try await api.city("Bath", 51.38, -2.36)
        let place = try await api.place("Pump", in: city, 51.38, -2.36, [SeedEntry.unsorted])
        try await api.publishWaiting()
        return (api, try await api.client([.readGuest]), place)
    }

    private func review(
        _ api: APIFixture, _ title: String, _ rating: Int64, of place: ID<Entry>, timing: PublishTiming = .now
    ) async throws -> ID<Entry> {
        try await api.publish(
            "review", title,
            ["place": .string(place.description), "rating": .int(rating), "text": "Good tea", "author": "Ada"],
            publishTiming: timing)
    }

    @Test("B56: a place has count, mean and counts by rating, which follow every publication of its reviews")
    func counts() async throws {
        let (api, guest, place) = try await Self.world()
        func rating() async throws -> JSONValue? { try await api.get("/v1/places/pump", as: guest).json["rating"] }
        let none = try await rating()
        #expect(none?["count"] == .int(0) && none?["mean"] == .null)
        #expect(none?["counts"] == .array(Array(repeating: .int(0), count: 5)))
        let five = try await review(api, "Great", 5, of: place)
        let one = try await rating()
        #expect(one?["count"] == .int(1) && one?["mean"]?.doubleValue == 5)
        let four = try await review(api, "Good", 4, of: place)
        _ = try await review(api, "Good too", 4, of: place)
        let three = try await rating()
        #expect(three?["count"] == .int(3) && three?["mean"]?.doubleValue == 4.33)
        #expect(three?["counts"] == .array([0, 0, 0, 2, 1].map { .int($0) }))
        try await api.edit(four, ["rating": .int(1)])
        let edited = try await rating()
        #expect(edited?["mean"]?.doubleValue == 3.33)
        #expect(edited?["counts"] == .array([1, 0, 0, 1, 1].map { .int($0) }))
        try await api.unpublish(five)
        let left = try await rating()
        #expect(left?["count"] == .int(2) && left?["mean"]?.doubleValue == 2.5)
        #expect(try await api.get("/v1/places?lat=51&lon=-2", as: guest).data.first?["rating"] == left, "in lists too")
        #expect(try await api.test.database.publications.verify().isEmpty)
    }

    @Test("B56, A25: the reviews of a place are listed newest first, 20 a page; each is read by its id")
    func list() async throws {
        let (api, guest, place) = try await Self.world()
        var newest: ID<Entry>?
        for number in 1...21 {
            newest = try await review(api, "Review \(number)", Int64(number % 5 + 1), of: place, timing: .approveOnly)
        }
        try await api.publishWaiting()
        let walk = try await api.walk("/v1/places/pump/reviews", as: guest)
        #expect(walk.titles == (1...21).reversed().map { "Review \($0)" } && walk.pages == 2)
        #expect(try await api.get("/v1/places/\(place)/reviews", as: guest).data.count == 20)
        let id = try #require(newest)
        let one = try await api.get("/v1/reviews/\(id)", as: guest)
        #expect(one.json["rating"] == .int(2) && one.json["text"] == "Good tea" && one.json["author"] == "Ada")
        #expect(one.json["place"]?["name"] == "Pump")
        #expect(try await api.get("/v1/resolve?id=\(id)", as: guest).json["path"] == .string("/v1/reviews/\(id)"))
        try await api.edit(place, ["slug": "spring"])
        #expect(try await api.get("/v1/reviews/\(id)", as: guest).json["place"]?["slug"] == "spring")
        #expect(try await api.get("/v1/places/pump/reviews", as: guest)["Location"] == "/v1/places/spring/reviews")
        #expect(try await api.get("/v1/places/never/reviews", as: guest).status == 404)
        try await api.unpublish(id)
        #expect(try await api.get("/v1/reviews/\(id)", as: guest).status == 410)
        #expect(try await api.get("/v1/reviews/never", as: guest).status == 404)
        try await api.unpublish(place)
        #expect(try await api.get("/v1/places/spring/reviews", as: guest).status == 410)
        #expect(try await api.test.client.one("select count(*) as n from api_v1.review")("n") as Int == 0)
        #expect(try await api.test.database.publications.verify().isEmpty)
    }

    @Test(
        "B56: a rating is a whole number from 1 to 5",
        arguments: [("0", 422), ("1", 201), ("5", 201), ("6", 422), ("4.5", 422), ("null", 422)])
    func ratings(rating: String, status: Int) async throws {
        let (api, _, place) = try await Self.world()
        let portal = try await api.client([.submit])
        let reply = try await api.post(
            "/v1/submissions",
            #"{"type":"review","contributor":"u","fields":{"title":"T","place":"\#(place)","rating":\#(rating)}}"#,
            as: portal)
        #expect(reply.status == status)
        if status == 422 { #expect(reply.pointers == ["/fields/rating"]) }
    }

    @Test("B56: a review of anything but a place is refused at the field, and not stored")
    func wrongPlace() async throws {
        let (api, _, place) = try await Self.world()
        let portal = try await api.client([.submit])
        let city = try await api.city("Hull", 53.7, -0.3)
        for wrong in [city.description, SeedEntry.unsorted.description, "0197c0de-0000-7000-8000-000000000000"] {
            let reply = try await api.post(
                "/v1/submissions",
                #"{"type":"review","contributor":"u","fields":{"title":"T","place":"\#(wrong)","rating":4}}"#,
                as: portal)
            #expect(reply.status == 422 && reply.pointers == ["/fields/place"])
        }
        let right = try await api.post(
            "/v1/submissions",
            #"{"type":"review","contributor":"u","fields":{"title":"T","place":"\#(place)","rating":4}}"#,
            as: portal)
        #expect(right.status == 201)
        let stored: Int = try await api.test.client.one("select count(*) as n from curation.submission")("n")
        #expect(stored == 1)
    }

    @Test("B56: a contributor's review is decided like any submission, then counts")
    func submitted() async throws {
        let (api, guest, place) = try await Self.world()
        let (portal, desk) = (try await api.client([.submit]), try await api.client([.review]))
        let created = try await api.post(
            "/v1/submissions",
            #"{"type":"review","contributor":"u","fields":{"title":"Fine","place":"\#(place)","rating":4,"text":"Warm"}}"#,
            as: portal)
        #expect(created.status == 201)
        let id = try #require(created.json["id"]?.stringValue)
        #expect(try await api.get("/v1/places/pump/reviews", as: guest).data.isEmpty)
        let decided = try await api.post(
            "/v1/submissions/\(id)/decision", #"{"verdict":"approve","publish":"now"}"#, as: desk)
        #expect(decided.status == 200)
        #expect(try await api.get("/v1/places/pump/reviews", as: guest).titles == ["Fine"])
        #expect(try await api.get("/v1/places/pump", as: guest).json["rating"]?["count"] == .int(1))
    }

    @Test("B56: wrong counts of ratings are found by verify and fixed by repair")
    func repaired() async throws {
        let (api, guest, place) = try await Self.world()
        _ = try await review(api, "Great", 5, of: place)
        _ = try await api.test.client.query("update curation.rating_count set n = 7")
        let database = api.test.database
        #expect(Set(try await database.publications.verify().map(\.table)) == ["rating_count", "place"])
        try await api.repair()
        #expect(try await database.publications.verify().isEmpty)
        #expect(try await api.get("/v1/places/pump", as: guest).json["rating"]?["count"] == .int(1))
    }

    @Test("B56: a review without a place, as an older content type allowed, stops no publication")
    func withoutPlace() async throws {
        let (api, guest, place) = try await Self.world()
        let lost = try await review(api, "Lost", 3, of: place)
        try await api.writeUnchecked(
            "update curation.revision set content = content - 'place' where entry_id = \(lost)")
        _ = try await api.unpublish(lost)
        _ = try await review(api, "Great", 5, of: place)
        #expect(try await api.get("/v1/places/pump/reviews", as: guest).titles == ["Great"])
    }
}
