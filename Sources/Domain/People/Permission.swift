// The permissions that roles grant.
import Localization

package enum Permission: String, Sendable, CaseIterable, Codable {
    /// See the queue and the content. Every role has it.
    case readQueue = "read_queue"
    /// Claim and decide submissions and write notes, including approval into a feed that publishes on approval.
    case decide
    /// Suggest a revision of an entry.
    case suggest
    /// Create a revision of an entry.
    case edit
    /// Approve a revision.
    case approve
    /// Create releases and change their contents.
    case createRelease = "create_release"
    /// Schedule, publish and roll back releases.
    case publish
    /// Manage accounts, roles, API clients, configuration and webhooks.
    case administer

    package var label: String {
        switch self {
        case .readQueue: tr("Read the queue", context: "permission")
        case .decide: tr("Decide", context: "permission")
        case .suggest: tr("Suggest", context: "permission")
        case .edit: tr("Edit", context: "permission")
        case .approve: tr("Approve", context: "permission")
        case .createRelease: tr("Create releases", context: "permission")
        case .publish: tr("Publish", context: "permission")
        case .administer: tr("Administer", context: "permission")
        }
    }

    package var meaning: String {
        switch self {
        case .readQueue: tr("views the queue, the content and its history")
        case .decide: tr("claims, decides, assigns and snoozes submissions, writes notes")
        case .suggest: tr("creates and edits entries, texts and images that others approve")
        case .edit: tr("creates categories, imports files, deletes images")
        case .approve: tr("approves revisions")
        case .createRelease: tr("creates releases and previews")
        case .publish: tr("schedules, publishes and rolls back, changes the screening rules")
        case .administer: tr("manages accounts, roles, stages, API clients and webhooks, reads the audit trail")
        }
    }
}
