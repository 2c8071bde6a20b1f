// How a publication or event that a client has seen relates to the history of the database that is asked.

package enum HistoryStatus: String, Sendable {
    /// It is part of the history.
    case held
    /// It is part of another history: its number has another tag, or doesn't exist although this is a primary.
    case changed
    /// This is a replica that has not received it yet.
    case behind
}
