// Tests lists of places by rating, with a least rating, and that one review of each contributor and place counts.
import API
import Domain
import Operations
import Places
import Postgres
import Store
import TestBasics
import TestSupport
import Testing

@Suite("Ratings of places", .databases, .packs(.places))
struct PlaceRatingTests {
    private struct Town {
        let api: APIFixture
        let guest: APIFixture.Client
        let portal: APIFixture.Client
        let desk: APIFixture.Client
        var places: [ID<Entry>] = []

        static func make(places count: Int = 1) async throws -> Town {
            let api = try await APIFixture.make()
            var town = Town(
                api: api, guest: try await api.client([.readGuest]), portal: try await api.client([.submit]),
                desk: try await api.client([.review]))
            let city = try await api.city("Bath", 51.38, -2.36)
            let tea = try await api.category("Tea", group: SeedEntry.placeGroup)
            for number in 0..<count {
                town.places.append(
                    try await api.place(
                        "P\(number)", in: city, 51.38 + Double(number) / 1000, -2.36,
                        number % 2 == 0 ? [tea] : [SeedEntry.unsorted]))
            }
            try await api.publishWaiting()
            return town
        }

        func submit(_ rating: Int, of place: Int = 0, by contributor: String, client: APIFixture.Client? = nil)
            async throws -> String
        {
            let reply = try await api.post(
                "/v1/submissions",
                """
                {"type":"review","contributor":"\(contributor)","fields":{"title":"R\(rating)","place":"\(places[place])",
                 "rating":\(rating)}}
                """, as: client ?? portal)
            return try #require(reply.json["id"]?.stringValue, "\(reply.text)")
        }

        @discardableResult
        func approve(_ submission: String) async throws -> ID<Entry> {
            let reply = try await api.post(
                "/v1/submissions/\(submission)/decision", #"{"verdict":"approve"}"#, as: desk)
            return try #require(reply.json["entry"]?.stringValue.flatMap { ID<Entry>($0) }, "\(reply.text)")
        }

        @discardableResult
        func review(_ rating: Int, of place: Int = 0, by contributor: String) async throws -> ID<Entry> {
            try await approve(try await submit(rating, of: place, by: contributor))
        }

        /// The counts of the ratings 1 to 5, after a comparison with the truth.
        func counts(_ place: Int = 0) async throws -> [Int64] {
            #expect(try await api.isVerified())
            let rating = try await api.get("/v1/places/\(places[place])", as: guest).json["rating"]
            let counts = (rating?["counts"]?.arrayValue ?? []).compactMap(\.integerValue)
            #expect(rating?["count"] == .int(counts.reduce(0, +)))
            return counts
        }
    }

    @Test("B56: of each contributor and place the newest published review counts")
    func current() async throws {
        let town = try await Town.make(places: 2)
        try await town.review(1, by: "ada")
        try await town.review(2, by: "ada")
        let third = try await town.review(5, by: "ada")
        #expect(try await town.counts() == [0, 0, 0, 0, 1])
        // Another contributor, another place, and the same name at another client.
        try await town.review(4, by: "bob")
        try await town.review(3, of: 1, by: "ada")
        let other = try await town.api.client([.submit])
        try await town.approve(try await town.submit(4, by: "ada", client: other))
        #expect(try await town.counts() == [0, 0, 0, 2, 1])
        #expect(try await town.counts(1) == [0, 0, 1, 0, 0])
        // All stay readable; without the newest the one before counts again.
        #expect(try await town.api.get("/v1/places/p0/reviews", as: town.guest).data.count == 5)
        try await town.api.unpublish(third)
        #expect(try await town.counts() == [0, 1, 0, 2, 0])
        try await town.api.edit(third, ["rating": .int(3)])
        #expect(try await town.counts() == [0, 0, 1, 2, 0])
        // A review that moves to another place counts there, and the older one here.
        try await town.api.edit(third, ["place": .entry(town.places[1])])
        #expect(try await town.counts() == [0, 1, 0, 2, 0])
        #expect(try await town.counts(1) == [0, 0, 1, 0, 0])
    }

    @Test("B56: the newer review counts, in whatever order they are approved; an older one that is edited stays older")
    func order() async throws {
        let town = try await Town.make()
        let (older, newer) = (try await town.submit(1, by: "ada"), try await town.submit(5, by: "ada"))
        let second = try await town.approve(newer)
        let first = try await town.approve(older)
        #expect(try await town.counts() == [0, 0, 0, 0, 1])
        try await town.api.edit(first, ["rating": .int(2)])
        #expect(try await town.counts() == [0, 0, 0, 0, 1])
        try await town.api.unpublish(first)
        #expect(try await town.counts() == [0, 0, 0, 0, 1])
        try await town.api.unpublish(second)
        #expect(try await town.counts() == [0, 0, 0, 0, 0])
    }

    @Test("B56: reviews of nobody count each, those of one contributor that are published together once")
    func together() async throws {
        let town = try await Town.make()
        for rating in [1, 2, 2] {
            try await town.api.publish(
                "review", "R", ["place": .entry(town.places[0]), "rating": .int(Int64(rating))],
                publishTiming: .approveOnly)
        }
        for rating in [3, 4] {
            let id = try await town.submit(rating, by: "ada")
            let reply = try await town.api.post(
                "/v1/submissions/\(id)/decision", #"{"verdict":"approve","publish":"none"}"#, as: town.desk)
            #expect(reply.status == 200)
        }
        #expect(try await town.counts() == [0, 0, 0, 0, 0])
        try await town.api.publishWaiting()
        #expect(try await town.counts() == [1, 2, 0, 1, 0])
    }

    @Test("B56: the reviews of an erased contributor are still those of one")
    func erased() async throws {
        let town = try await Town.make()
        try await town.review(1, by: "ada")
        let newest = try await town.review(5, by: "ada")
        try await town.review(3, by: "bob")
        let services = try town.api.test.services([:])
        for name in ["ada", "bob"] {
            let id: ID<Contributor> = try await town.api.test.client.one(
                "select id from curation.contributor where name = \(name)")("id")
            _ = try await services.manageContributor.erase(id, by: TestDatabase.administrator)
        }
        #expect(try await town.counts() == [0, 0, 1, 0, 1])
        try await town.api.unpublish(newest)
        #expect(try await town.counts() == [1, 0, 1, 0, 0])
    }

    @Test(
        "B56: random reviews, edits, withdrawals and erasures leave the counts that the reviews say",
        arguments: TestScale.seeds(4, 11))
    func random(seed: UInt64) async throws {
        let town = try await Town.make(places: 2)
        var random = SeededGenerator(seed: seed)
        var reviews: [ID<Entry>] = []
        var waiting: [String] = []
        for _ in 1...25 {
            let rating = Int.random(in: 1...5, using: &random)
            let place = Int.random(in: 0...1, using: &random)
            switch Int.random(in: 0...5, using: &random) {
            case 0, 1:
                let name = ["ada", "bob"][Int.random(in: 0...1, using: &random)]
                waiting.append(try await town.submit(rating, of: place, by: name))
            case 2, 3:
                guard !waiting.isEmpty else { continue }
                let next = waiting.remove(at: Int.random(in: 0..<waiting.count, using: &random))
                reviews.append(try await town.approve(next))
            case 4:
                guard let review = reviews.randomElement(using: &random) else { continue }
                try await town.api.edit(
                    review, ["rating": .int(Int64(rating)), "place": .entry(town.places[place])])
            default:
                guard let review = reviews.randomElement(using: &random) else { continue }
                do { try await town.api.unpublish(review) } catch Failure.conflict(code: "not_live", _) {}
            }
            #expect(try await town.api.isVerified())
        }
    }

    @Test(
        "B25: places by rating, the best first, then with more reviews, then without any, in every filter and page by page"
    )
    func byRating() async throws {
        let town = try await Town.make(places: 45)
        // The mean and number of reviews of each place: none for the last third.
        for number in 0..<30 {
            for review in 0...(number % 3) {
                try await town.api.publish(
                    "review", "R",
                    ["place": .entry(town.places[number]), "rating": .int(Int64((number + review) % 5 + 1))],
                    publishTiming: .approveOnly)
            }
        }
        try await town.api.publishWaiting()
        #expect(try await town.api.isVerified())
        func mean(_ number: Int) -> Double {
            let ratings = (0...(number % 3)).map { Double((number + $0) % 5 + 1) }
            return number < 30 ? (ratings.reduce(0, +) / Double(ratings.count) * 100).rounded() / 100 : 0
        }
        func rank(_ number: Int) -> [Double] { [-mean(number), number < 30 ? -Double(number % 3 + 1) : 0] }
        let ordered = (0..<45).sorted {
            let (one, two) = (rank($0), rank($1))
            if one != two { return one.lexicographicallyPrecedes(two) }
            return town.places[$0].description < town.places[$1].description
        }
        func walk(_ query: String) async throws -> [Int] {
            var numbers: [Int] = []
            var next: String? = "/v1/places?" + query
            while let url = next {
                let page = try await town.api.get(url, as: town.guest)
                #expect(page.status == 200, "\(url): \(page.text.prefix(300))")
                numbers += page.names.compactMap { Int($0.dropFirst()) }
                next = page["Link"].map { String($0.dropFirst().prefix { $0 != ">" }) }
            }
            return numbers
        }
        #expect(try await walk("sort=rating") == ordered)
        #expect(try await walk("sort=rating&city=bath") == ordered)
        #expect(try await walk("sort=rating&lat=51.38&lon=-2.36") == ordered)
        #expect(try await walk("sort=rating&category=tea") == ordered.filter { $0 % 2 == 0 })
        #expect(try await walk("sort=rating&box=-3,51,-2,51.4005") == ordered.filter { $0 <= 20 })
        for least in ["0", "1", "2.33", "2.34", "4.5", "5"] {
            let expected = ordered.filter { mean($0) >= Double(least)! }
            #expect(try await walk("sort=rating&min_rating=\(least)") == expected, "\(least)")
            #expect(
                try await walk("sort=rating&city=bath&category=tea&min_rating=\(least)")
                    == expected.filter { $0 % 2 == 0 })
            #expect(try await walk("city=bath&min_rating=\(least)") == expected.sorted(), "\(least)")
            #expect(
                try await walk("city=bath&category=tea&min_rating=\(least)") == expected.sorted().filter { $0 % 2 == 0 }
            )
        }
        try await manyMatches(town)
        let far = try await town.api.get("/v1/places?city=bath&lat=51.38&lon=-2.36&sort=rating", as: town.guest)
        #expect(far.data.first?["distance"] != nil)
        let none = try await town.api.get(
            "/v1/places?city=bath&category=tea&min_rating=5&box=10,10,11,11", as: town.guest)
        #expect(
            none.data.isEmpty && none.json["message"] == "places.no_match"
                && none.json["closest"]?.arrayValue?.count == 5)
        #expect(
            try await town.api.get("/v1/places?sort=rating&min_rating=5&box=10,10,11,11", as: town.guest).status == 200)
        for (query, parameter) in [
            ("sort=best", "sort"), ("min_rating=5.01&sort=rating", "min_rating"),
            ("min_rating=x&city=bath", "min_rating"),
            ("min_rating=4", "city"), ("sort=rating&cursor=AAAA", "cursor"), ("sort=rating&city=nosuch", "city"),
        ] {
            let reply = try await town.api.get("/v1/places?\(query)", as: town.guest)
            #expect(
                [400, 404].contains(reply.status) && reply.pointers == ["/query/\(parameter)"],
                "\(query): \(reply.text)")
        }
    }

    /// Filters that many places match are read in another way, with the same result.
    private func manyMatches(_ town: Town) async throws {
        let reads = PlaceReads(connection: town.api.site.context.reads.rows(as: .guest).connection)
        for (categories, box, sort) in [
            (["tea"], nil, .rating),
            (["tea", "unsorted"], GeoBox(west: -3, south: 51, east: -2, north: 51.4105), .rating),
            (["tea"], GeoBox(west: -3, south: 51, east: -2, north: 51.42), .distance),
        ] as [([String], GeoBox?, PlaceSort)] {
            var filter = PlaceReadFilter()
            filter.city = .slug("bath")
            filter.categories = categories.map(IDOrSlug.slug)
            filter.box = box
            filter.sort = sort
            filter.minRating = 200
            var pages: [[UInt8]] = []
            for limit in [20_000, 1, 0] {
                filter.maxCompared = limit
                pages.append(try await reads.page(filter, ReadLanguage(nil), cursor: nil).page.documents)
            }
            #expect(!pages[0].isEmpty && pages[0] == pages[1] && pages[1] == pages[2], "\(categories) \(sort)")
        }
    }
}
