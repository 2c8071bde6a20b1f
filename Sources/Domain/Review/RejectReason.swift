// The reasons for rejecting a submission.
import Localization

package enum RejectReason: String, Sendable, CaseIterable, Codable {
    case spam
    case offTopic = "off_topic"
    case duplicate
    case lowQuality = "low_quality"
    case inappropriate
    case brokenLink = "broken_link"
    case copyright
    case other

    package var label: String {
        switch self {
        case .spam: tr("Spam or advertising")
        case .offTopic: tr("Off topic")
        case .duplicate: tr("We have this already")
        case .lowQuality: tr("Not good enough yet")
        case .inappropriate: tr("Not suitable for our readers")
        case .brokenLink: tr("The link does not work")
        case .copyright: tr("Someone else's work")
        case .other: tr("Another reason")
        }
    }
}
