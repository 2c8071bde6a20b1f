// How many entries a publication made public, changed and unpublished.
import Postgres

package struct PublicationCounts: Sendable {
    package let number: Int64
    /// Entries that were not public before.
    package let published: Int
    package let changed: Int
    package let unpublished: Int

    package var total: Int { published + changed + unpublished }

    init(row: Row) throws {
        number = try row("number")
        published = try row("published")
        changed = try row("changed")
        unpublished = try row("unpublished")
    }
}
