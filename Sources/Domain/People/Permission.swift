// The actions that need a role.

package enum Permission: String, Sendable, CaseIterable, Codable {
    /// See the queue, claim, note.
    case readQueue = "read_queue"
    /// Decide about a submission; also accept it into a feed that is live on approval.
    case decide
    /// Propose a revision of an entry.
    case suggest
    /// Make a revision of an entry.
    case edit
    /// Approval to a revision.
    case approve
    /// Put a release together.
    case makeRelease = "make_release"
    /// Schedule, publish and roll back releases.
    case publish
    /// Accounts, API clients, configuration, webhooks.
    case administer
}
