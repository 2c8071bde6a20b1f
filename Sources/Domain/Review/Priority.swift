// The priority of a submission in the queue.

/// The raw value is stored in the queue item; smaller numbers come first.
package enum Priority: Int, Sendable, CaseIterable, Codable {
    case urgent = 1
    case high = 2
    case normal = 3
    case low = 4

    package var label: String {
        switch self {
        case .urgent: "Urgent"
        case .high: "High"
        case .normal: "Normal"
        case .low: "Low"
        }
    }

    package var name: String { label.lowercased() }

    package init?(name: String) {
        guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = found
    }
}
