// SQL fragments of lists in order of distance, shared by places and promotions: origin, box and cursor.
import Domain
import Postgres
import Store

enum Nearest {
    /// At most one row, the origin of distances: as given, or the center of the city; and the city if one was requested.
    static func origin(_ given: GeoVector?, city: IDOrSlug?) -> SQL {
        let coordinates: SQL = given.map(\.cube) ?? "null::public.cube"
        return switch city {
        case .id(let id):
            "select c.id as city_id, coalesce(\(coordinates), c.coordinates) as coordinates from api_v1.city c where c.id = \(id)"
        case .slug(let slug):
            "select c.id as city_id, coalesce(\(coordinates), c.coordinates) as coordinates from api_v1.city c where c.slug = \(slug)"
        case nil: "select null::uuid as city_id, \(coordinates) as coordinates"
        }
    }

    /// The distance of `coordinates`, a column written in the code, from the row of `origin`.
    static func chord(_ coordinates: String) -> SQL {
        "\(raw: coordinates) operator(public.<->) (select coordinates from origin)"
    }

    /// The index of `coordinates` finds candidates in the cube, the comparison of degrees decides. `alias` has the column
    /// `coordinates`, `degrees` has `lat` and `lon`.
    static func within(_ box: GeoBox?, _ alias: String, degrees: String) -> SQL {
        guard let box else { return .empty }
        let (low, high) = box.cube
        return """
             and \(raw: alias).coordinates operator(public.<@) public.cube(array[\(low.x), \(low.y), \(low.z)]::double precision[],
                array[\(high.x), \(high.y), \(high.z)]::double precision[])\(withinDegrees(box, degrees))
            """
    }

    /// The same without an index. 180 and -180 are the same meridian.
    static func withinDegrees(_ box: GeoBox?, _ degrees: String) -> SQL {
        guard let box else { return .empty }
        let lon: SQL = "\(raw: degrees).lon"
        let meridians: SQL =
            box.crossesAntimeridian
            ? "(\(lon) >= \(box.west) or \(lon) <= \(box.east))"
            : """
            (\(lon) between \(box.west) and \(box.east) or abs(\(lon)) = 180 and \(box.touchesAntimeridian))
            """
        return " and \(raw: degrees).lat between \(box.south) and \(box.north) and \(meridians)"
    }

    static func after(_ cursor: DistanceCursor?, _ coordinates: String, _ id: String) -> SQL {
        guard let cursor else { return .empty }
        return """
             and (\(chord(coordinates)), \(raw: id)) > (\(cursor.chord)::double precision, \(cursor.id)::uuid)
            """
    }

    /// The coordinates of the origin as columns x, y and z of a cursor; `o` is the origin.
    static let originColumns: SQL = """
        public.cube_ll_coord(o.coordinates, 1) as x, public.cube_ll_coord(o.coordinates, 2) as y,
            public.cube_ll_coord(o.coordinates, 3) as z
        """

    static let cursorColumns = ["x", "y", "z", "chord", "id"]
}

/// A cursor in a list by distance: the origin, the last distance and the last id.
struct DistanceCursor {
    let origin: GeoVector
    let chord: Double
    let id: ID<Entry>

    init(_ text: String) throws(Failure) {
        let cursor = try Cursor(parsing: text, count: 5)
        let numbers = cursor.values.prefix(4).compactMap { Double($0) }
        guard numbers.count == 4, numbers.prefix(3).allSatisfy({ abs($0) <= 1 }), (0...3).contains(numbers[3]) else {
            throw Cursor.unreadable
        }
        origin = GeoVector(x: numbers[0], y: numbers[1], z: numbers[2])
        chord = numbers[3]
        id = ID(try cursor.uuid(4))
    }
}
