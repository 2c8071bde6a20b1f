// The roles of staff accounts; each role includes the permissions of the one below it.
import Localization

package enum Role: String, Sendable, CaseIterable, Codable, Comparable {
    case curator, editor, publisher, administrator

    package var label: String {
        switch self {
        case .curator: tr("Curator", context: "role")
        case .editor: tr("Editor", context: "role")
        case .publisher: tr("Publisher", context: "role")
        case .administrator: tr("Administrator", context: "role")
        }
    }

    /// A short description of its permissions.
    package var meaning: String {
        switch self {
        case .curator: tr("reviews submissions, suggests edits")
        case .editor: tr("edits and approves, creates releases")
        case .publisher: tr("schedules, publishes and rolls back")
        case .administrator: tr("everything, including accounts, API clients and webhooks")
        }
    }

    /// The permission table.
    package func may(_ permission: Permission) -> Bool {
        switch permission {
        case .readQueue, .decide, .suggest: self >= .curator
        case .edit, .approve, .createRelease: self >= .editor
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
