// The priority of a submission in the queue.
import Localization

/// The raw value is stored in the queue item; smaller numbers come first.
package enum Priority: Int, Sendable, CaseIterable, Codable {
    case urgent = 1
    case high = 2
    case normal = 3
    case low = 4

    package var label: String {
        switch self {
        case .urgent: tr("Urgent", context: "priority")
        case .high: tr("High", context: "priority")
        case .normal: tr("Normal", context: "priority")
        case .low: tr("Low", context: "priority")
        }
    }

    /// In forms, queries, JSON and the audit trail.
    package var name: String {
        switch self {
        case .urgent: "urgent"
        case .high: "high"
        case .normal: "normal"
        case .low: "low"
        }
    }

    package init?(name: String) {
        guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = found
    }
}
