// The scopes of API clients.
import Localization

package enum Scope: String, Sendable, CaseIterable, Codable {
    /// Submit content and query its status.
    case submit
    /// Review submissions on behalf of an account.
    case review
    /// Report published entries for readers.
    case report
    /// Read public previews.
    case readGuest = "read-guest"
    /// Read full texts.
    case readFull = "read-full"
}

extension Scope {
    /// A short description.
    package var meaning: String {
        switch self {
        case .submit: tr("submits content and reads its status")
        case .review: tr("reviews submissions for an account")
        case .report: tr("reports published entries for readers")
        case .readGuest: tr("reads public previews")
        case .readFull: tr("reads full texts and videos")
        }
    }
}
