// What an internal note is about.

package enum NoteSubject: Sendable, Hashable {
    case submission(ID<Submission>)
    case entry(ID<Entry>)
    case contributor(ID<Contributor>)

    package var submission: ID<Submission>? {
        if case .submission(let id) = self { id } else { nil }
    }

    package var entry: ID<Entry>? {
        if case .entry(let id) = self { id } else { nil }
    }

    package var contributor: ID<Contributor>? {
        if case .contributor(let id) = self { id } else { nil }
    }
}
