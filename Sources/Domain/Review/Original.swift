// What a duplicate is a duplicate of.

package enum Original: Sendable, Hashable {
    case submission(ID<Submission>)
    case entry(ID<Entry>)

    package var submission: ID<Submission>? {
        if case .submission(let id) = self { id } else { nil }
    }

    package var entry: ID<Entry>? {
        if case .entry(let id) = self { id } else { nil }
    }
}
