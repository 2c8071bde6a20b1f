// Tests coordinates, distances and bounding boxes at their boundaries.
import Domain
import Glibc
import Testing

@Suite("Coordinates and boxes")
struct GeoTests {
    @Test(
        "B24: coordinates are within their limits (inclusive)",
        arguments: [
            (90, 180, true), (-90, -180, true), (0, 0, true), (90.0000001, 0, false), (-90.0000001, 0, false),
            (0, 180.0000001, false), (0, -180.0000001, false), (.nan, 0, false), (0, .infinity, false),
        ] as [(Double, Double, Bool)])
    func positions(lat: Double, lon: Double, isOne: Bool) {
        #expect((GeoPoint(lat: lat, lon: lon) != nil) == isOne)
    }

    private func meters(_ a: (Double, Double), _ b: (Double, Double)) throws -> Double {
        let (a, b) = (
            try #require(GeoPoint(lat: a.0, lon: a.1)).vector, try #require(GeoPoint(lat: b.0, lon: b.1)).vector
        )
        let chord = ((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z)).squareRoot()
        return GeoVector.meters(ofChord: chord)
    }

    @Test("B25: great-circle distances in meters")
    func distances() throws {
        #expect(try meters((51.5, -0.12), (51.5, -0.12)) == 0)
        #expect(abs(try meters((0, 0), (0, 180)) - .pi * GeoVector.earthRadius) < 1)
        #expect(abs(try meters((90, 0), (90, 90))) < 0.001, "one pole, by two names")
        #expect(abs(try meters((0, 179.5), (0, -179.5)) - 111_195) < 1, "over the date line")
        // London to Paris, by the haversine formula on the mean radius.
        #expect(abs(try meters((51.5074, -0.1278), (48.8566, 2.3522)) - 343_556) < 100)
    }

    @Test("B40: a box includes its edges and may cross the 180th meridian")
    func boxes() throws {
        let box = try #require(GeoBox(west: 170, south: -10, east: -170, north: 10))
        func holds(_ lat: Double, _ lon: Double) throws -> Bool {
            box.contains(try #require(GeoPoint(lat: lat, lon: lon)))
        }
        #expect(box.crossesAntimeridian)
        #expect(box.width == 20)
        #expect(box.center?.lon == 180)
        for (lat, lon) in [(10.0, 170.0), (-10, -170), (0, 180), (0, -180), (0, 175)] { #expect(try holds(lat, lon)) }
        for (lat, lon) in [(10.001, 175.0), (0, 169.999), (0, -169.999), (0, 0)] { #expect(!(try holds(lat, lon))) }
        #expect(GeoBox(west: 0, south: 1, east: 0, north: 1) != nil, "a point is a box")
        #expect(GeoBox(west: 0, south: 1, east: 0, north: 0.999) == nil)
        #expect(GeoBox(west: 0, south: 0, east: 181, north: 1) == nil)
    }

    /// Points on a grid over every box: each point of the box is in its cube, or the index would miss it.
    @Test("B40: the cube for the index contains the whole box")
    func cubes() throws {
        for (west, south, east, north) in [
            (-180.0, -90.0, 180.0, 90.0), (170, -10, -170, 10), (-1, 51, 1, 52), (80, -5, 100, 5), (-100, 60, 100, 90),
            (179, -17, 180, -16), (10, 10, 5, 20), (0, 0, 0, 0),
        ] {
            let box = try #require(GeoBox(west: west, south: south, east: east, north: north))
            let (low, high) = box.cube
            for i in 0...20 {
                for j in 0...20 {
                    var lon = west + box.width * Double(i) / 20
                    if lon > 180 { lon -= 360 }
                    let lat = south + (north - south) * Double(j) / 20
                    let point = try #require(GeoPoint(lat: lat, lon: lon)).vector
                    #expect(point.x >= low.x && point.y >= low.y && point.z >= low.z)
                    #expect(point.x <= high.x && point.y <= high.y && point.z <= high.z)
                }
            }
        }
    }

    @Test("B41: the box around points leaves out the widest gap")
    func around() throws {
        func box(_ points: [(Double, Double)]) throws -> GeoBox? {
            GeoBox.around(try points.map { try #require(GeoPoint(lat: $0.0, lon: $0.1)) })
        }
        #expect(try box([]) == nil)
        #expect(try box([(1, 2)]) == GeoBox(west: 2, south: 1, east: 2, north: 1))
        #expect(try box([(1, 2), (3, -4)]) == GeoBox(west: -4, south: 1, east: 2, north: 3))
        #expect(try box([(0, 179), (0, -179), (0, 178)]) == GeoBox(west: 178, south: 0, east: -179, north: 0))
    }

    @Test("B41: a box has at least the extent, at poles and the 180th meridian too, and contains all points")
    func leastExtent() throws {
        let kilometer = 1000 / GeoVector.earthRadius * 180 / .pi
        for list in [
            [(51.5, -0.12)], [(0, 0)], [(90, 0)], [(-90, 12)], [(89.999, 179)], [(10, 180)], [(10, -180)],
            [(10, 179.9999), (10, -179.9999)], [(0, 179), (0, -170)], [(60, -1), (61, 2)],
            [(-89.99, 0), (-89.99, 180)],
        ] as [[(Double, Double)]] {
            let points = list.compactMap { GeoPoint(lat: $0.0, lon: $0.1) }
            #expect(points.count == list.count)
            let box = try #require(GeoBox.around(points, atLeast: 1000))
            #expect(points.allSatisfy(box.contains), "\(list) \(box)")
            #expect(box.north - box.south >= kilometer - 1e-9, "\(list)")
            let narrowest = cos(max(abs(box.south), abs(box.north)) * .pi / 180)
            #expect(box.width == 360 || box.width * narrowest >= kilometer - 1e-9, "\(list)")
        }
        let (line, pole) = (try #require(GeoPoint(lat: 0, lon: 180)), try #require(GeoPoint(lat: 90, lon: 7)))
        let least = try #require(GeoBox.around([line], atLeast: 1000))
        #expect(least.crossesAntimeridian && abs(least.width - kilometer) < 1e-6)
        #expect(GeoBox.around([pole], atLeast: 1000)?.width == 360)
        let wide = [(1.0, 2.0), (3, -4)].compactMap { GeoPoint(lat: $0.0, lon: $0.1) }
        #expect(GeoBox.around(wide, atLeast: 1000) == GeoBox.around(wide), "a box that is large enough stays as it is")
        #expect(GeoBox.around([], atLeast: 1000) == nil)
    }

    @Test("B51: times are compared regardless of their offsets; the same instant is not later")
    func times() throws {
        func isAfter(_ a: String, _ b: String) throws -> Bool {
            try #require(Timestamp(a)).isAfter(try #require(Timestamp(b)))
        }
        #expect(try isAfter("2026-01-01T10:00:01Z", "2026-01-01T10:00:00Z"))
        #expect(!(try isAfter("2026-01-01T10:00:00Z", "2026-01-01T10:00:00Z")))
        #expect(!(try isAfter("2026-01-01T11:00:00+01:00", "2026-01-01T10:00:00Z")))
        #expect(try isAfter("2026-01-01T10:00:00-01:00", "2026-01-01T10:59:59Z"))
        #expect(try isAfter("2026-01-01T10:00:00.1Z", "2026-01-01T10:00:00.09Z"))
        #expect(!(try isAfter("2026-01-01T10:00:00.1Z", "2026-01-01T10:00:00.100000Z")))
        let from = try #require(Timestamp("2026-01-01T10:00:00.5Z"))
        for (time, isLater) in [("10:00:00.5", false), ("10:00:00.6", true), ("09:59:59", false), ("10:00:01", true)] {
            #expect(try #require(Timestamp("2026-02-01T\(time)Z")).isAfter(from, byDays: 31) == isLater, "\(time)")
        }
    }
}
