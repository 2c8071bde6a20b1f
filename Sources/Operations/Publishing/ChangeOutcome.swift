// What became of a change: saved, approved, published, scheduled or added to a release.
import Domain
import Store

package struct ChangeOutcome: Sendable {
    /// The first of `entries`.
    package let entry: ID<Entry>
    /// The changed entries, in the order of the changes.
    package let entries: [ID<Entry>]
    /// The number of the entry's revision.
    package let revision: Int
    package let isApproved: Bool
    /// New versions that are not published yet.
    package let drafts: Int
    package let publication: Int64?
    /// The number of the release that publishes the change.
    package let release: Int64?
    /// When that release publishes it.
    package let time: WallTime?
    /// What the clocks do at that time, if they change then.
    package let clockChange: String?
    /// What was removed from the input.
    package var warnings = FieldErrors()

    /// `others` were changed together with the entry; `published` is the result of publishing.
    package init(
        entry: ID<Entry>, others: [ID<Entry>] = [], revision: Int, isApproved: Bool, drafts: Int = 0,
        _ published: Published = Published()
    ) {
        self.entry = entry
        entries = [entry] + others
        self.revision = revision
        self.isApproved = isApproved
        self.drafts = drafts
        publication = published.publication
        release = published.release
        time = published.time
        clockChange = published.clockChange
    }

    /// How many entries were published.
    package var published: Int { publication == nil ? 0 : entries.count - drafts }
}
