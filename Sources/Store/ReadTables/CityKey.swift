// The name of a city as routes and recorded facts are brought together by it: case, accents and outer blanks do not count.
import Postgres

enum CityKey {
    /// Null for an empty name. `projection.fold` is the same for what views compute.
    static func sql(_ name: String) -> SQL {
        "nullif(lower(public.unaccent('public.unaccent'::regdictionary, btrim(\(name)))), '')"
    }
}
