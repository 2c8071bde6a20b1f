// Tests the adapters with recorded responses of the sources, over a real connection.
import Domain
import Lists
import Store
import TestBasics
import TestSupport
import Testing

@Suite("Adapters with recorded responses", .databases, .packs(.lists), .enabled(if: TestData.exists, TestData.missing))
struct AdapterTests {
    @Test("D29: books by title and by subject are normalized, and unknown members are kept")
    func books() async throws {
        try await SourceWorld.with { world in
            world.source.respondAsRecorded()
            let result = try await world.find("book", "title", ["text": "宇宙"])
            #expect(result.status == .fetched)
            let book = try #require(result.items.first)
            #expect(book.title == "宇宙の話をしよう" && book.externalID == "GjASzgEACAAJ" && book.kind == "book")
            #expect(book.details["isbn"] == "9784815602666" && book.details["pages"] == .int(239))
            #expect(book.details["published"] == "2020-11" && book.details["authors"] == .array(["小野雅裕"]))
            #expect(book.details["saleInfo"]?["country"] == "JP")
            let request = try #require(world.source.requests.first)
            #expect(request.path == "/books/volumes" && request.query["q"] == "intitle:宇宙")
            #expect(request.query["key"] == SourceWorld.key)
            _ = try await world.find("book", "subject", ["text": "宇宙", "page": "3", "language": "ja"])
            let second = try #require(world.source.requests.last)
            #expect(second.query["q"] == "subject:宇宙" && second.query["startIndex"] == "40")
            #expect(second.query["langRestrict"] == "ja")
        }
    }

    @Test("D30: the latest movies and series, with the requested language and page")
    func films() async throws {
        try await SourceWorld.with { world in
            world.source.respondAsRecorded()
            let films = try await world.find("movie", "latest")
            #expect(films.items.count == 20)
            let first = try #require(films.items.first)
            #expect(first.title == "Riddick" && first.externalID == "87421")
            #expect(first.details["released"] == "2013-09-06" && first.details["rating"] == .int(6))
            #expect(first.details["popularity"] != nil)
            let request = try #require(world.source.requests.first)
            #expect(request.path == "/tmdb/movie/now_playing" && request.query["language"] == "en-US")
            #expect(request.query["page"] == "1" && request.query["api_key"] == SourceWorld.key)
            let series = try await world.find("tv", "latest", ["language": "de", "page": "2"])
            #expect(series.items.first?.title == "Doctor Who" && series.items.allSatisfy { $0.kind == "tv" })
            #expect(
                world.source.requests.last?.query["language"] == "de"
                    && world.source.requests.last?.query["page"] == "2")
        }
    }

    @Test("D31: restaurants near a point; the key is in the header, and details have no distance")
    func restaurants() async throws {
        try await SourceWorld.with { world in
            world.source.respondAsRecorded()
            let result = try await world.find("restaurant", "near", ["lat": "37.8", "lon": "-122.4"])
            #expect(result.items.count == 20)
            let restaurant = try #require(result.items.first)
            #expect(restaurant.title == "Hog Island Oyster Co" && restaurant.details["city"] == "San Francisco")
            #expect(restaurant.details["lat"] == .double(37.795831) && restaurant.details["distance"] == nil)
            #expect(restaurant.details["url"] == "https://www.yelp.com/biz/hog-island-oyster-co-san-francisco")
            let request = try #require(world.source.requests.first)
            #expect(request.authorization == "Bearer \(SourceWorld.key)" && request.query["latitude"] == "37.8")
            #expect(!request.query.values.contains(SourceWorld.key))
        }
    }

    @Test("D32: one song, an artist's songs, songs by title, and the names of the top artists")
    func songs() async throws {
        try await SourceWorld.with { world in
            world.source.respondAsRecorded()
            let song = try await world.find("song", "info", ["artist": "Test Artist", "title": "Test Title"])
            let first = try #require(song.items.first)
            #expect(first.title == "Test Title" && first.details["artist"] == "Test Artist")
            #expect(first.details["album"] == "Test Album" && first.details["seconds"] == .int(25))
            #expect(first.externalID == "Test+Artist/_/Test+Title")
            let request = try #require(world.source.requests.first)
            #expect(request.query["method"] == "track.getInfo" && request.query["track"] == "Test Title")
            let found1 = try await world.find("song", "artist", ["artist": "The Weeknd"])
            #expect(found1.items.count == 2)
            let found2 = try await world.find("song", "title", ["title": "Believe"])
            #expect(!found2.items.isEmpty)
            let top = try await world.find("song", "top_artists")
            #expect(top.items.isEmpty && top.hints.count == 50 && top.hints.contains("The Weeknd"))
        }
    }

    @Test("D30: a single movie has more details than a list item, and existing details stay")
    func one() async throws {
        try await SourceWorld.with { world in
            world.source.respondAsRecorded()
            let ids = try await world.fixture.films(["Superman/Batman"], ids: ["22855"])
            let outcome = try await world.refresh.items(ids, by: TestDatabase.administrator)
            #expect(outcome.map(\.problem) == [nil])
            let film = try #require(try await world.fixture.test.database.catalogs.find(ids[0]))
            #expect(film.title == "Superman/Batman: Public Enemies" && film.details["genres"] != nil)
        }
    }

    @Test(
        "D33: malformed responses are rejected, and nothing is saved",
        arguments: [
            ("restaurant", "near", ["lat": "1", "lon": "2"], "yelp/yelpruby_v2_search_by_coordinates.json"),
            ("restaurant", "near", ["lat": "1", "lon": "2"], "yelp/yelpios_v3_error.json"),
            ("movie", "latest", [:], "tmdb/vcr_api_key_empty_string.json"),
            ("movie", "latest", [:], "yelp/v3_search_san_francisco.json"),
            ("song", "title", ["title": "x"], "tmdb/vcr_movie_now_playing.json"),
            ("book", "title", ["text": "x"], "lastfm/pylast_track.getinfo_0.xml"),
        ])
    func malformed(kind: String, search: String, values: [String: String], file: String) async throws {
        try await SourceWorld.with { world in
            world.source.respond { _ in SourceServer.response(SourceServer.recorded(file)) }
            let result = try await world.find(kind, search, values)
            #expect(result.problem != nil && result.items.isEmpty)
            let saved: Int = try await world.fixture.test.client.one(
                "select count(*) as n from curation.catalog_item")("n")
            #expect(saved == 0)
        }
    }

    @Test("D7: a movie is never read as a series, nor a series as a movie")
    func kinds() async throws {
        try await SourceWorld.with { world in
            world.source.respond { _ in SourceServer.response(SourceServer.recorded("tmdb/vcr_tv_popular.json")) }
            let found3 = try await world.find("movie", "latest")
            #expect(found3.items.isEmpty)
            world.source.respond { _ in SourceServer.response(SourceServer.recorded("tmdb/vcr_movie_popular.json")) }
            let found4 = try await world.find("tv", "latest")
            #expect(found4.items.isEmpty)
        }
    }
}
