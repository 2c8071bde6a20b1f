// Until when a submission is put off.

package enum SnoozeTime: Sendable, Hashable {
    /// So many hours from now on.
    case hours(Int)
    case at(WallTime)

    /// A year: what is put off for longer is better decided.
    package static let maxHours = 366 * 24

    package func check(pointer: String = "/until") throws(Failure) {
        if case .hours(let hours) = self, !(1...Self.maxHours).contains(hours) {
            throw .invalid(FieldErrors(pointer, "range", "Choose from 1 hour to \(Self.maxHours / 24) days."))
        }
    }
}
