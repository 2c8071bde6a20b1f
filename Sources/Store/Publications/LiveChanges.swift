// Selects the live-set edits of a publication: listed ones, those of a release, or a rollback.
import Domain
import Postgres

/// One entry and the revision to publish, or nil to unpublish it.
package struct LiveChange: Sendable {
    package let entry: ID<Entry>
    package let revision: ID<Revision>?

    package init(entry: ID<Entry>, revision: ID<Revision>?) {
        self.entry = entry
        self.revision = revision
    }
}

/// Edits of the live set that are published together. Those of a release and of a rollback stay in the database, so
/// their number does not matter.
package enum LiveChanges: Sendable {
    case listed([LiveChange])
    case release(ID<Release>)
    /// Restores the live set as it was right after this publication.
    case rollback(to: Int64)

    /// A row source with the two columns that `publish` and `plan` expect.
    var arrays: SQL {
        switch self {
        case .listed(let changes):
            """
            (select \(changes.map(\.entry))::uuid[] as entries, \(changes.map(\.revision))::uuid[] as revisions)
            """
        case .release(let id): "curation.release_changes(\(id))"
        case .rollback(let publication): "curation.rollback_changes(\(publication))"
        }
    }

    /// The revisions that are published.
    var revisions: SQL { "select unnest(c.revisions) from \(arrays) c" }
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
