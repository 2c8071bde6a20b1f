// Which revision of an entry a page shows to somebody with an access scope.
import Domain
import Postgres

extension EntryStore {
    /// The revision that a page shows of an entry `e`: the newest one; outside the access scope of the page the published one, or none.
    package static var shown: SQL { shownRevision(of: "e", id: "e.id") }

    /// The same for a row with the type of an entry and its ID.
    static func shownRevision(of row: SQL, id: SQL) -> SQL {
        if AccessScope.current.isAll {
            return "select * from curation.revision r where r.entry_id = \(id) order by r.number desc limit 1"
        }
        return """
            select * from curation.revision r where r.id = case when \(AccessScope.current.entry(row, id: id))
                then (select nv.id from curation.revision nv where nv.entry_id = \(id) order by nv.number desc limit 1)
                else (select lv.revision_id from curation.live lv where lv.entry_id = \(id)) end
            """
    }
}
