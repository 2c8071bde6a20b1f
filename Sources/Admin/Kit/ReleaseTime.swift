// When a release is published, where a page has but one line for it.
import Store

extension ReleaseRow {
    /// By the clock of the person; nil if it isn't scheduled.
    var time: String? { dueAt.map { Instant($0).text } }
}
