// Tests places near the reader: order, pages, filters, boxes, and suggestions when nothing matches.
import API
import Domain
import Glibc
import Operations
import Places
import Postgres
import Store
import TestSupport
import Testing

@Suite("Places over the API", .databases, .packs(.places))
struct PlaceAPITests {
    private var world: PlaceWorld {
        get async throws { try await PlaceWorld.shared.value }
    }

    @Test("B34, B43, B25, B35: a place's row has name, image, address, categories in group order, distance and more")
    func card() async throws {
        let world = try await world
        let place = try #require(try await world.get("/v1/places?city=london&lat=51.5&lon=-0.12").data.first)
        #expect(place["name"] == "L1")
        #expect(place["address"] == "L1 Street")
        #expect(place["image"]?["url"] == "https://images.example/a.jpg")
        #expect(place["distance"] == .int(111))
        #expect(place["city"]?["name"] == "London")
        #expect(place["extra"] == .object([:]))
        let third = try await world.get("/v1/places/l3").json
        let categories = (third["categories"]?.arrayValue ?? []).compactMap { $0["name"]?.stringValue }
        #expect(categories == ["Indian", "Airport"], "group 1 before group 2")
        #expect(third["distance"] == nil, "nobody said from where")
        #expect(third["link"]?.stringValue.map { $0.hasPrefix("/v1/places/") } == true)
    }

    @Test("B4, B25, B36, K19, A25: pages of 20 by distance continue from the first origin, wherever the reader moves")
    func pages() async throws {
        let world = try await world
        let first = try await world.get("/v1/places?city=london&lat=51.5&lon=-0.12")
        #expect(first.names == (1...20).map { "L\($0)" })
        let cursor = try #require(first.next)
        let second = try await world.get("/v1/places?city=london&lat=51.9&lon=-0.3&cursor=\(cursor)")
        #expect(second.names == (21...25).map { "L\($0)" })
        #expect(second.next == nil)
        #expect(second.data.first?["distance"] == .int(2335), "counted from where the list began")
        let everywhere = try await world.get("/v1/places?lat=48.85&lon=2.35")
        #expect(everywhere.names.first == "P1")
    }

    @Test("B36: a place published between two pages moves none of the remaining places")
    func insertion() async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest], trust: .seconds(60))
        let city = try await api.city("Hull", 53.74, -0.33)
        for number in 1...22 {
            _ = try await api.place("H\(number)", in: city, 53.74 + Double(number) / 1000, -0.33, [SeedEntry.unsorted])
        }
        try await api.publishWaiting()
        let first = try await api.get("/v1/places?city=hull", as: guest)
        #expect(first.names == (1...20).map { "H\($0)" }, "without a position, from the center of the city")
        _ = try await api.place("Between", in: city, 53.7405, -0.33, [SeedEntry.unsorted], publishTiming: .now)
        let second = try await api.get("/v1/places?city=hull&cursor=\(try #require(first.next))", as: guest)
        #expect(second.names == ["H21", "H22"])
    }

    @Test("B32, B33: categories of either group are joined by OR, within and across the groups; none means all")
    func categories() async throws {
        let world = try await world
        func names(_ category: String) async throws -> [String] {
            try await world.get("/v1/places?city=london&category=\(category)").names
        }
        #expect(try await names("airport,indian") == ["L1", "L2", "L3", "L4"])
        #expect(try await names("airport") == ["L1", "L2", "L3"])
        #expect(try await names("\(world.indian)") == ["L3", "L4"])
        #expect(try await world.get("/v1/places?city=london").names.count == 20)
    }

    @Test("B38, K9: when nothing matches there is a message with the five closest of any category; else neither")
    func noMatch() async throws {
        let world = try await world
        let none = try await world.get("/v1/places?city=london&lat=51.51&lon=-0.12&category=museum")
        #expect(none.status == 200)
        #expect(none.data.isEmpty)
        #expect(none.json["message"] == "places.no_match")
        let closest = (none.json["closest"]?.arrayValue ?? []).compactMap { $0["name"]?.stringValue }
        #expect(closest.first == "L10")
        #expect(Set(closest) == ["L8", "L9", "L10", "L11", "L12"])
        #expect(none.json["box"] == nil)
        let some = try await world.get("/v1/places?city=london&category=airport")
        #expect(some.json["message"] == nil)
        #expect(some.json["closest"] == nil)
    }

    @Test(
        "K9: the live settings decide how many suggestions there are and from where; by default 5 and everywhere")
    func closestSettings() async throws {
        let api = try await APIFixture.make(trust: .seconds(60))
        let zoo = try await api.category("Zoo", group: SeedEntry.placeGroup)
        let (here, there) = (try await api.city("Here", 10, 10), try await api.city("There", 10.1, 10))
        for number in 1...4 {
            let (near, far) = (10 + Double(number) / 1000, 10.05 + Double(number) / 1000)
            _ = try await api.place("There \(number)", in: there, near, 10, [SeedEntry.unsorted])
            _ = try await api.place("Here \(number)", in: here, far, 10, [SeedEntry.unsorted])
        }
        // A category without members is unknown.
        _ = try await api.place("Far", in: try await api.city("Far", -40, 100), -40, 100, [zoo])
        try await api.publishWaiting()
        let guest = try await api.client([.readGuest])
        func closest() async throws -> [String] {
            let reply = try await api.get("/v1/places?city=here&category=\(zoo)", as: guest)
            return (reply.json["closest"]?.arrayValue ?? []).compactMap { $0["name"]?.stringValue }
        }
        func set(_ key: String, _ value: JSONValue?) async throws {
            let id: ID<Entry> = try await api.test.client.one(
                "select e.id from curation.entry e join curation.revision r on r.entry_id = e.id where r.content ->> 'key' = \(key) limit 1"
            )("id")
            let write = api.test.write
            guard let value else {
                _ = try await write.unpublish(id, by: TestDatabase.administrator)
                return
            }
            let newest = try #require(try await api.test.database.revisions.newest(of: id))
            _ = try await write.edit(
                id, fields: newest.content.fields.merging(["value": value]) { $1 }, base: newest.number,
                publishTiming: .now,
                by: TestDatabase.administrator)
        }
        #expect(try await closest() == ["There 1", "There 2", "There 3", "There 4", "Here 1"])
        try await set("closest.count", "3")
        #expect(try await closest() == ["There 1", "There 2", "There 3"])
        try await set("closest.scope", "city")
        #expect(try await closest() == ["Here 1", "Here 2", "Here 3"])
        try await set("closest.count", nil)
        #expect(try await closest() == ["Here 1", "Here 2", "Here 3", "Here 4"])
    }

    @Test("B26: exactly one city: two are rejected, as is none when nothing else gives an origin")
    func oneCity() async throws {
        let world = try await world
        let two = try await world.get("/v1/places?city=\(world.london),\(world.paris)")
        #expect(two.status == 400)
        #expect(two.pointers == ["/query/city"])
        #expect(try await world.get("/v1/places?city=london&city=paris").status == 400)
        #expect(try await world.get("/v1/places").status == 400)
        #expect(try await world.get("/v1/places?city=atlantis").status == 404)
    }

    @Test(
        "B24: latitude is within -90 and 90, longitude within -180 and 180, and each requires the other",
        arguments: [
            ("lat=90&lon=180", 200), ("lat=-90&lon=-180", 200), ("lat=90.0001&lon=0", 400), ("lat=0&lon=-180.1", 400),
            ("lat=1", 400), ("lon=1", 400), ("lat=nan&lon=0", 400), ("lat=&lon=0", 400), ("lat=1,2&lon=0", 400),
        ])
    func positions(query: String, status: Int) async throws {
        #expect(try await world.get("/v1/places?\(query)").status == status)
    }

    @Test("B40: a box contains its edges, and crosses the 180th meridian when west is greater than east")
    func boxes() async throws {
        let world = try await world
        func names(_ box: String) async throws -> Set<String> {
            Set(try await world.get("/v1/places?box=\(box)").names)
        }
        #expect(try await names("179,-17,-179,-16") == ["East", "West", "Line"])
        #expect(try await names("179,-17,180,-16") == ["East", "Line"])
        #expect(try await names("-180,-17,-179,-16") == ["West", "Line"], "180 and -180 are one meridian")
        #expect(try await names("179.9,-16.8,179.95,-16.8") == ["East"], "the edges belong to it")
        #expect(try await names("179.9001,-17,179.95,-16").isEmpty)
        #expect(try await names("-0.12,51.501,-0.12,51.503") == ["L1", "L2", "L3"])
        #expect(try await world.get("/v1/places?box=-1,51,1,52&category=indian").names == ["L3", "L4"])
        #expect(try await names("-180,-90,180,90").count == 20)
    }

    @Test(
        "B40: an invalid box is rejected",
        arguments: ["1,2,3", "0,10,0,9", "0,0,181,1", "0,-91,1,1", "a,b,c,d", "1,2,3,4,5", ""])
    func noBoxes(box: String) async throws {
        let reply = try await world.get("/v1/places?box=\(box)")
        #expect(reply.status == 400)
        #expect(reply.pointers == ["/query/box"])
    }

    @Test("B41: for an empty box the nearest to its center and a box around them are returned")
    func emptyBox() async throws {
        let world = try await world
        let reply = try await world.get("/v1/places?box=179.3,-16.9,179.5,-16.7")
        #expect(reply.data.isEmpty)
        let closest = reply.json["closest"]?.arrayValue ?? []
        #expect(closest.count == 5)
        #expect(closest.prefix(3).compactMap { $0["name"]?.stringValue } == ["East", "Line", "West"])
        let edges = (reply.json["box"]?.arrayValue ?? []).compactMap(\.doubleValue)
        #expect(edges.count == 4)
        guard edges.count == 4, let box = GeoBox(west: edges[0], south: edges[1], east: edges[2], north: edges[3])
        else {
            return
        }
        for place in closest {
            let lat = try #require(place["lat"]?.doubleValue)
            let lon = try #require(place["lon"]?.doubleValue)
            #expect(box.contains(try #require(GeoPoint(lat: lat, lon: lon))))
        }
    }

    /// The same at the edges of the map, with one result: the box is never a single point.
    @Test(
        "B41: the box covers the searched point and the nearest results and is at least a kilometer wide and high",
        arguments: [
            (10.0, 10.0, "20,20,20,20"), (90, 0, "-10,89,10,89.5"), (-90, 0, "-180,-89,180,-88"),
            (10, 180, "179,9.99,179.5,10.01"), (10, -179.9999, "179.9,9.99,179.95,10.01"), (10, 10, "10,9,10,9.999"),
        ])
    func coveringBox(lat: Double, lon: Double, searched: String) async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest], trust: .seconds(60))
        let city = try await api.city("Here", lat, lon)
        _ = try await api.place("Only", in: city, lat, lon, [SeedEntry.unsorted])
        try await api.publishWaiting()
        // Wherever the reader is, the nearest to the box are meant.
        let reply = try await api.get("/v1/places?box=\(searched)&lat=-45&lon=100", as: guest)
        #expect(reply.data.isEmpty)
        #expect(reply.json["closest"]?.arrayValue?.count == 1)
        let edges = (reply.json["box"]?.arrayValue ?? []).compactMap(\.doubleValue)
        try #require(edges.count == 4)
        let box = try #require(GeoBox(west: edges[0], south: edges[1], east: edges[2], north: edges[3]))
        let asked = searched.split(separator: ",").compactMap { Double($0) }
        let center = try #require(GeoBox(west: asked[0], south: asked[1], east: asked[2], north: asked[3])?.center)
        let found = try #require(GeoPoint(lat: lat, lon: lon))
        #expect(box.contains(center) && box.contains(found))
        let meters = GeoVector.earthRadius * .pi / 180
        #expect((box.north - box.south) * meters >= 999.999)
        let narrowest = cos(max(abs(box.south), abs(box.north)) * .pi / 180)
        #expect(box.width == 360 || box.width * meters * narrowest >= 999.999)
        let again = try await api.get(
            "/v1/places?box=\(edges.map { "\($0)" }.joined(separator: ","))", as: guest)
        #expect(again.names == ["Only"], "the box can be asked for")
    }

    @Test("B23, B37: places are returned for a set of ids, in its order; missing ones are listed")
    func byIDs() async throws {
        let world = try await world
        let (one, two) = (try #require(world.places["L2"]), try #require(world.places["P1"]))
        let nobody = "0197c0de-0000-7000-8000-000000000000"
        let reply = try await world.get("/v1/places?ids=\(two),\(nobody),\(one)&lat=51.5&lon=-0.12")
        #expect(reply.names == ["P1", "L2"])
        #expect(reply.json["gone"] == .array([.string(nobody)]))
        #expect(reply.data.last?["distance"] == .int(222))
        let mixed = try await world.get("/v1/places?ids=\(one)&city=london")
        #expect(mixed.status == 400 && mixed.text.contains("ids can be combined with lat, lon and locale only."))
    }

    @Test("A19, A33: an unpublished place is gone, one with a new slug has moved")
    func addresses() async throws {
        let (api, guest) = try await APIFixture.serving([.readGuest], trust: .seconds(60))
        let city = try await api.city("Ghent", 51.05, 3.72)
        let place = try await api.place("Mill", in: city, 51.05, 3.72, [SeedEntry.unsorted])
        try await api.publishWaiting()
        try await api.edit(place, ["slug": "old-mill"])
        let moved = try await api.get("/v1/places/mill", as: guest)
        #expect(moved.status == 308)
        #expect(moved["Location"] == "/v1/places/old-mill")
        try await api.edit(city, ["slug": "gent"])
        let elsewhere = try await api.get("/v1/places?city=ghent&lat=51&lon=3", as: guest)
        #expect(elsewhere["Location"] == "/v1/places?city=gent&lat=51&lon=3")
        try await api.unpublish(place)
        #expect(try await api.get("/v1/places/\(place)", as: guest).status == 410)
        #expect(try await api.get("/v1/places/old-mill", as: guest).code == "gone")
    }

    /// A city with one published place, and the owner of the database, who can copy it.
    private func onePlace() async throws -> (api: APIFixture, guest: APIFixture.Client, owner: PostgresClient) {
        let api = try await APIFixture.make(trust: .seconds(60))
        let city = try await api.city("World", 0, 0)
        _ = try await api.place("Real", in: city, 1, 1, [SeedEntry.unsorted])
        try await api.publishWaiting()
        return (api, try await api.client([.readGuest]), api.test.superuser())
    }

    @Test("B25, B45: nearest first equals a comparison with every place, near poles and meridians too")
    func bruteForce() async throws {
        let (api, guest, owner) = try await onePlace()
        // Compares rows only: the order in which they are read.
        _ = try await owner.query(
            """
            insert into api_v1.place (id, slug, name, city_id, address, image, category_ids, lat, lon, coordinates, age, document)
            select md5(n::text)::uuid, 'r' || n, 'R' || n, city_id, address, image, category_ids, lat, lon,
                projection.coordinates(lat, lon), 0, (document::jsonb
                    || jsonb_build_object('id', md5(n::text)::uuid, 'name', 'R' || n, 'lat', lat, 'lon', lon))::json
            from (select n, document, city_id, address, image, category_ids,
                      case n % 4 when 0 then round((random() * 2)::numeric, 2)::float8 + 88 else random() * 180 - 90 end as lat,
                      case n % 5 when 0 then 180 - round((random() * 2)::numeric, 1)::float8 else random() * 360 - 180 end as lon
                  from api_v1.place p, generate_series(1, 3000) n) p
            """)
        _ = try await owner.query("analyze api_v1.place")
        let all = try await api.test.client.query("select id, lat, lon from api_v1.place").map {
            (id: try $0("id") as ID<Entry>, lat: try $0("lat") as Double, lon: try $0("lon") as Double)
        }
        for (lat, lon) in [(0.0, 0.0), (89.5, 179.9), (-89.9, -180), (51.5, -0.1), (12.25, 180)] {
            let expected = all.map { ($0.id, Self.haversine(lat, lon, $0.lat, $0.lon)) }.sorted {
                ($0.1, $0.0.description) < ($1.1, $1.0.description)
            }
            var found: [String] = []
            var distances: [Double] = []
            var cursor = ""
            for _ in 1...6 {
                let reply = try await api.get("/v1/places?city=world&lat=\(lat)&lon=\(lon)\(cursor)", as: guest)
                for place in reply.data {
                    found.append(place["id"]?.stringValue ?? "")
                    let (a, b) = (place["lat"]?.doubleValue ?? 0, place["lon"]?.doubleValue ?? 0)
                    distances.append(Self.haversine(lat, lon, a, b))
                    if let notified = place["distance"]?.doubleValue {
                        #expect(abs(notified - (distances.last ?? 0)) < 1, "the distance in meters")
                    }
                }
                cursor = "&cursor=\(reply.next ?? "")"
            }
            #expect(Set(found).count == 120, "each once")
            // Distances that differ by less than a millimeter count as equal.
            for (mine, theirs) in zip(distances, expected) { #expect(abs(mine - theirs.1) < 0.001) }
        }
    }

    @Test("B25, B32: the nearest of a category with few places (20,000) and with more equal a full comparison")
    func fewAndMore() async throws {
        let (api, guest, owner) = try await onePlace()
        let (few, more) = ("00000000-0000-4000-8000-00000000000a", "00000000-0000-4000-8000-00000000000b")
        // Long deadlines: the index of coordinates is slow, and so are concurrent tests.
        try await owner.run(
            script: """
                insert into api_v1.place (id, slug, name, city_id, address, image, category_ids, lat, lon, coordinates, age, document)
                select md5(n::text)::uuid, 'copy-' || n, 'Copy ' || n, city_id, address, image, category_ids, lat, lon,
                    projection.coordinates(lat, lon), 0, (document::jsonb
                        || jsonb_build_object('id', md5(n::text)::uuid, 'lat', lat, 'lon', lon))::json
                from (select n, document, city_id, address, image, category_ids, random() * 180 - 90 as lat,
                          random() * 360 - 180 as lon
                      from api_v1.place p, generate_series(1, 20001) n) p;
                insert into api_v1.category_member (category_id, member_id, type, city_id, coordinates)
                select c::uuid, p.id, 'place', p.city_id, p.coordinates
                from api_v1.place p, unnest(array['\(few)', '\(more)']) c
                where p.slug like 'copy-%' and (c = '\(more)' or p.slug <> 'copy-1');
                insert into api_v1.category_city_count
                select p.city_id, m.category_id, count(*)
                from api_v1.category_member m join api_v1.place p on p.id = m.member_id
                where m.category_id in ('\(few)', '\(more)') group by 1, 2;
                analyze api_v1.place;
                analyze api_v1.category_member;
                """)
        for category in [few, more] {
            let all = try await api.test.client.query(
                """
                select p.lat, p.lon from api_v1.place p join api_v1.category_member m on m.member_id = p.id
                where m.category_id = \(category)::uuid
                """, deadline: .seconds(60)
            ).map { (lat: try $0("lat") as Double, lon: try $0("lon") as Double) }
            #expect(all.count == (category == few ? 20_000 : 20_001))
            for (lat, lon) in [(0.0, 0.0), (89.5, 179.9)] {
                let expected = all.map { Self.haversine(lat, lon, $0.lat, $0.lon) }.sorted()
                var found: [Double] = []
                var cursor = ""
                for _ in 1...3 {
                    let reply = try await api.get(
                        "/v1/places?category=\(category)&lat=\(lat)&lon=\(lon)\(cursor)", as: guest)
                    found += reply.data.map {
                        Self.haversine(lat, lon, $0["lat"]?.doubleValue ?? 0, $0["lon"]?.doubleValue ?? 0)
                    }
                    cursor = "&cursor=\(reply.next ?? "")"
                }
                #expect(found.count == 60)
                for (mine, theirs) in zip(found, expected) { #expect(abs(mine - theirs) < 0.001) }
            }
        }
    }

    /// The textbook formula, independent of the implementation.
    private static func haversine(_ lat1: Double, _ lon1: Double, _ lat2: Double, _ lon2: Double) -> Double {
        let rad = Double.pi / 180
        let a =
            (sin((lat2 - lat1) * rad / 2) * sin((lat2 - lat1) * rad / 2))
            + cos(lat1 * rad) * cos(lat2 * rad) * sin((lon2 - lon1) * rad / 2) * sin((lon2 - lon1) * rad / 2)
        return 2 * GeoVector.earthRadius * asin(min(1, a.squareRoot()))
    }
}
