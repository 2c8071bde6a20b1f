// When an edit of several entries at once, such as categories or the order of a feed, reaches readers.

package enum EditTiming: Sendable, Hashable {
    /// Now, as far as the actor may publish; a draft otherwise.
    case now
    /// With a release, open or scheduled.
    case release(Int64)
    /// With a release of its own, at a time.
    case at(WallTime)
    /// When somebody approves and publishes it.
    case draft
}
