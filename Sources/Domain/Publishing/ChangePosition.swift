// A client's position in the change feed, which can be checked against the history of a database.

/// All changes up to a number, as of the newest publication that the client has seen. Rows are read as they are now, so
/// that publication, and not that of the last change, must be part of the history.
package struct ChangePosition: Sendable, Hashable {
    /// Nothing has been read.
    package static let start = ChangePosition(change: 0, seen: .none)

    package let change: Int64
    package let seen: TaggedNumber

    package init(change: Int64, seen: TaggedNumber) {
        self.change = change
        self.seen = seen
    }

    /// Reads `812-57-9f3ac1e07b52`, or `0` for the start; nil for anything else.
    package init?(_ text: String) {
        if text == "0" {
            self = .start
            return
        }
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let change = TaggedNumber.number(parts[0]), let seen = TaggedNumber(parts[1]),
            seen != .none
        else { return nil }
        self.init(change: change, seen: seen)
    }

    package var text: String { seen == .none ? "0" : "\(change)-\(seen.text)" }
}
