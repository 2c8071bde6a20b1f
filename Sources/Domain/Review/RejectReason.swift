// The reasons for rejecting a submission.

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
        case .spam: "Spam or advertising"
        case .offTopic: "Off topic"
        case .duplicate: "We have this already"
        case .lowQuality: "Not good enough yet"
        case .inappropriate: "Not suitable for our readers"
        case .brokenLink: "The link does not work"
        case .copyright: "Someone else's work"
        case .other: "Another reason"
        }
    }
}
