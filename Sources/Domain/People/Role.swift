// What a member of the staff may do; each role may do all that the one below it may.

package enum Role: String, Sendable, CaseIterable, Codable, Comparable {
    case curator, editor, publisher, administrator

    package var label: String {
        switch self {
        case .curator: "Curator"
        case .editor: "Editor"
        case .publisher: "Publisher"
        case .administrator: "Administrator"
        }
    }

    /// What it may, in a few words.
    package var meaning: String {
        switch self {
        case .curator: "decides about what comes in, suggests edits"
        case .editor: "edits and approves, puts releases together"
        case .publisher: "schedules, publishes and rolls back"
        case .administrator: "everything, and lets people, apps and webhooks in"
        }
    }

    /// The table of who may do what.
    package func may(_ action: Permission) -> Bool {
        switch action {
        case .readQueue, .decide, .suggest: self >= .curator
        case .edit, .approve, .makeRelease: self >= .editor
        case .publish: self >= .publisher
        case .administer: self >= .administrator
        }
    }

    package static func < (left: Role, right: Role) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int {
        switch self {
        case .curator: 0
        case .editor: 1
        case .publisher: 2
        case .administrator: 3
        }
    }
}
