// The normalized name of a city, by which routes and observations are matched: ignores case, accents and outer blanks.
import Domain
import Postgres
import Store

enum CityKey {
    /// Null for an empty name. `projection.normalize` does the same in views.
    static func sql(_ name: String) -> SQL {
        "nullif(lower(public.unaccent('public.unaccent'::regdictionary, btrim(\(name)))), '')"
    }
}
