// The permissions that roles grant.

package enum Permission: String, Sendable, CaseIterable, Codable {
    /// See the queue, claim submissions, add notes.
    case readQueue = "read_queue"
    /// Decide submissions, including approval into a feed that publishes on approval.
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
    /// Manage accounts, API clients, configuration and webhooks.
    case administer
}
