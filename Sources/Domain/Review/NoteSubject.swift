// What an internal note is about.

package enum NoteSubject: Sendable, Hashable {
    case submission(ID<Submission>)
    case entry(ID<Entry>)

    package var submission: ID<Submission>? {
        if case .submission(let id) = self { id } else { nil }
    }

    package var entry: ID<Entry>? {
        if case .entry(let id) = self { id } else { nil }
    }
}
