// When a change of categories reaches readers.

package enum TaxonomyTiming: Sendable, Hashable {
    /// Now, as far as the actor may publish; a draft otherwise.
    case now
    /// With a release, open or scheduled.
    case release(Int64)
    /// With a release of its own, at a time.
    case at(WallTime)
    /// When somebody approves and publishes it.
    case draft
}
