// A release that contains an entry, or that it can be added to.
import Store

struct EntryRelease: Encodable, Sendable {
    let number: Int64
    let title: String
    /// Nil if it isn't scheduled.
    let time: String?

    init(_ release: ReleaseRow) {
        number = release.number
        title = release.title
        time = release.time
    }
}
