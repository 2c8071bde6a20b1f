// What an API client may do.

package enum Scope: String, Sendable, CaseIterable, Codable {
    /// Send submissions and ask how they fare.
    case submit
    /// Work on the queue for a person.
    case review
    /// Read what a guest may see.
    case readGuest = "read-guest"
    /// Read full texts.
    case readFull = "read-full"
}

extension Scope {
    /// In a few words.
    package var meaning: String {
        switch self {
        case .submit: "sends things in and asks how they fare"
        case .review: "works on the queue for a person"
        case .readGuest: "reads what a guest may see"
        case .readFull: "reads full texts and videos"
        }
    }
}
