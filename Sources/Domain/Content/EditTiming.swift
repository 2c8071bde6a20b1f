// When an edit of several entries, such as categories or the order of a feed, is published.

package enum EditTiming: Sendable, Hashable {
    /// Now if the actor may publish; otherwise as a draft.
    case now
    /// With an open or scheduled release.
    case release(Int64)
    /// At a time, with a release of its own.
    case at(WallTime)
    /// As a draft, to be approved and published by someone else.
    case draft
}
