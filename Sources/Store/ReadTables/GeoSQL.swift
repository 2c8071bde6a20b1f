// Coordinates in SQL, as points of the unit sphere, whose distances an index finds.
import Domain
import Postgres

extension GeoVector {
    package var cube: SQL { "public.cube(array[\(x), \(y), \(z)]::double precision[])" }
}
