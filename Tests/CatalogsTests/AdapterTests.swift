// What the sources answered once, read by their adapters over a real connection.
import Catalogs
import Domain
import Store
import TestSupport
import Testing

@Suite("Adapters against recorded answers", .databases, .enabled(if: SourceServer.hasRecords))
struct AdapterTests {
    @Test("D29: books by title and by subject are normalized, and nothing unknown is lost")
    func books() async throws {
        try await SourceWorld.with { world in
            world.source.answerAsRecorded()
            let finding = try await world.find("book", "title", ["text": "宇宙"])
            #expect(finding.standing == .asked)
            let book = try #require(finding.items.first)
            #expect(book.title == "宇宙の話をしよう" && book.externalID == "GjASzgEACAAJ" && book.kind == "book")
            #expect(book.details["isbn"] == "9784815602666" && book.details["pages"] == .int(239))
            #expect(book.details["published"] == "2020-11" && book.details["authors"] == .array(["小野雅裕"]))
            #expect(book.details["saleInfo"]?["country"] == "JP")
            let asked = try #require(world.source.asked.first)
            #expect(asked.path == "/books/volumes" && asked.query["q"] == "intitle:宇宙")
            #expect(asked.query["key"] == SourceWorld.key)
            _ = try await world.find("book", "subject", ["text": "宇宙", "page": "3", "language": "ja"])
            let second = try #require(world.source.asked.last)
            #expect(second.query["q"] == "subject:宇宙" && second.query["startIndex"] == "40")
            #expect(second.query["langRestrict"] == "ja")
        }
    }

    @Test("D30: the latest films and series, with language and page as they were asked")
    func films() async throws {
        try await SourceWorld.with { world in
            world.source.answerAsRecorded()
            let films = try await world.find("movie", "latest")
            #expect(films.items.count == 20)
            let first = try #require(films.items.first)
            #expect(first.title == "Riddick" && first.externalID == "87421")
            #expect(first.details["released"] == "2013-09-06" && first.details["rating"] == .int(6))
            #expect(first.details["popularity"] != nil)
            let asked = try #require(world.source.asked.first)
            #expect(asked.path == "/tmdb/movie/now_playing" && asked.query["language"] == "en-US")
            #expect(asked.query["page"] == "1" && asked.query["api_key"] == SourceWorld.key)
            let series = try await world.find("tv", "latest", ["language": "de", "page": "2"])
            #expect(series.items.first?.title == "Doctor Who" && series.items.allSatisfy { $0.kind == "tv" })
            #expect(world.source.asked.last?.query["language"] == "de" && world.source.asked.last?.query["page"] == "2")
        }
    }

    @Test("D31: restaurants near a point; the key is in the header, and the distance in no details")
    func restaurants() async throws {
        try await SourceWorld.with { world in
            world.source.answerAsRecorded()
            let finding = try await world.find("restaurant", "near", ["lat": "37.8", "lon": "-122.4"])
            #expect(finding.items.count == 20)
            let place = try #require(finding.items.first)
            #expect(place.title == "Hog Island Oyster Co" && place.details["city"] == "San Francisco")
            #expect(place.details["lat"] == .double(37.795831) && place.details["distance"] == nil)
            #expect(place.details["url"] == "https://www.yelp.com/biz/hog-island-oyster-co-san-francisco")
            let asked = try #require(world.source.asked.first)
            #expect(asked.authorization == "Bearer \(SourceWorld.key)" && asked.query["latitude"] == "37.8")
            #expect(!asked.query.values.contains(SourceWorld.key))
        }
    }

    @Test("D32: one song, an artist's songs, songs by title, and the names of the top artists")
    func songs() async throws {
        try await SourceWorld.with { world in
            world.source.answerAsRecorded()
            let song = try await world.find("song", "info", ["artist": "Test Artist", "title": "Test Title"])
            let first = try #require(song.items.first)
            #expect(first.title == "Test Title" && first.details["artist"] == "Test Artist")
            #expect(first.details["album"] == "Test Album" && first.details["seconds"] == .int(25))
            #expect(first.externalID == "Test+Artist/_/Test+Title")
            let asked = try #require(world.source.asked.first)
            #expect(asked.query["method"] == "track.getInfo" && asked.query["track"] == "Test Title")
            let found1 = try await world.find("song", "artist", ["artist": "The Weeknd"])
            #expect(found1.items.count == 2)
            let found2 = try await world.find("song", "title", ["title": "Believe"])
            #expect(!found2.items.isEmpty)
            let top = try await world.find("song", "top_artists")
            #expect(top.items.isEmpty && top.hints.count == 50 && top.hints.contains("The Weeknd"))
        }
    }

    @Test("D30: one film by itself is more than a line of a list, and what the line said stays")
    func one() async throws {
        try await SourceWorld.with { world in
            world.source.answerAsRecorded()
            let ids = try await world.shelf.films(["Superman/Batman"], ids: ["22855"])
            let outcome = try await world.refresh.these(ids, by: TestDatabase.administrator)
            #expect(outcome.map(\.problem) == [nil])
            let film = try #require(try await world.shelf.test.database.catalogs.find(ids[0]))
            #expect(film.title == "Superman/Batman: Public Enemies" && film.details["genres"] != nil)
        }
    }

    @Test(
        "D33: answers that are none of the kind they should be are rubbish, and nothing is kept of them",
        arguments: [
            ("restaurant", "near", ["lat": "1", "lon": "2"], "yelp/yelpruby_v2_search_by_coordinates.json"),
            ("restaurant", "near", ["lat": "1", "lon": "2"], "yelp/yelpios_v3_error.json"),
            ("movie", "latest", [:], "tmdb/vcr_api_key_empty_string.json"),
            ("movie", "latest", [:], "yelp/v3_search_san_francisco.json"),
            ("song", "title", ["title": "x"], "tmdb/vcr_movie_now_playing.json"),
            ("book", "title", ["text": "x"], "lastfm/pylast_track.getinfo_0.xml"),
        ])
    func rubbish(kind: String, search: String, values: [String: String], file: String) async throws {
        try await SourceWorld.with { world in
            world.source.answer { _ in SourceServer.response(SourceServer.recorded(file)) }
            let finding = try await world.find(kind, search, values)
            #expect(finding.problem != nil && finding.items.isEmpty)
            let kept: Int = try await world.shelf.test.client.one(
                "select count(*) as n from curation.catalog_item")("n")
            #expect(kept == 0)
        }
    }

    @Test("D7: a film is never taken for a series, nor a series for a film")
    func kinds() async throws {
        try await SourceWorld.with { world in
            world.source.answer { _ in SourceServer.response(SourceServer.recorded("tmdb/vcr_tv_popular.json")) }
            let found3 = try await world.find("movie", "latest")
            #expect(found3.items.isEmpty)
            world.source.answer { _ in SourceServer.response(SourceServer.recorded("tmdb/vcr_movie_popular.json")) }
            let found4 = try await world.find("tv", "latest")
            #expect(found4.items.isEmpty)
        }
    }
}
