// Why readers report a published entry.
import Localization

package enum ReportReason: String, Sendable, CaseIterable, Codable {
    case spam
    case inaccurate
    case offensive
    case illegal
    case copyright
    /// What it is must be in the text.
    case other

    package var label: String {
        switch self {
        case .spam: tr("Spam or advertising")
        case .inaccurate: tr("Inaccurate", context: "report reason")
        case .offensive: tr("Offensive", context: "report reason")
        case .illegal: tr("Illegal", context: "report reason")
        case .copyright: tr("Someone else's work")
        case .other: tr("Another reason")
        }
    }
}
