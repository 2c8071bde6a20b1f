// The time until which a submission is snoozed.
import Localization

package enum SnoozeTime: Sendable, Hashable {
    /// A number of hours from now.
    case hours(Int)
    case at(WallTime)

    /// The maximum: one year.
    package static let maxHours = 366 * 24

    package func check(pointer: String = "/until") throws(Failure) {
        if case .hours(let hours) = self, !(1...Self.maxHours).contains(hours) {
            throw .invalid(FieldErrors(pointer, "range", tr("Choose from 1 hour to \(Self.maxHours / 24) days.")))
        }
    }
}
