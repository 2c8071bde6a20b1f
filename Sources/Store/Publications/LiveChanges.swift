// What is to change in the live set: named one by one, held by a release, or whatever leads back to an earlier publication.
import Domain
import Postgres

/// One entry that is to show a revision, or (nil) to be withdrawn.
package struct LiveChange: Sendable {
    package let entry: ID<Entry>
    package let revision: ID<Revision>?

    package init(entry: ID<Entry>, revision: ID<Revision>?) {
        self.entry = entry
        self.revision = revision
    }
}

/// Changes that go live together. Those of a release and of a roll-back stay in the database, so their number does not matter.
package enum LiveChanges: Sendable {
    case these([LiveChange])
    case release(ID<Release>)
    /// Back to what was live right after this publication.
    case backTo(Int64)

    /// A row source with the two columns that publish and plan take.
    var arrays: SQL {
        switch self {
        case .these(let changes):
            """
            (select \(changes.map(\.entry))::uuid[] as entries, \(changes.map(\.revision))::uuid[] as revisions)
            """
        case .release(let id): "curation.release_changes(\(id))"
        case .backTo(let publication): "curation.rollback_changes(\(publication))"
        }
    }
}

/// One entry that a publication changed, with the numbers of the revisions before and after.
package struct ChangedEntry: Sendable {
    package let entry: ID<Entry>
    package let type: String
    package let title: String
    package let before: Int?
    package let after: Int?

    init(row: Row) throws {
        entry = try row("entry_id")
        type = try row("type")
        title = try row("title") as String? ?? ""
        before = try row("before")
        after = try row("after")
    }
}
