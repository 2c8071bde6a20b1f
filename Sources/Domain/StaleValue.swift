// A value that two people changed at the same time.
import Localization

package struct StaleValue: Sendable, Equatable {
    /// An entry ID or a field name.
    package let key: String
    /// The label for people.
    package let label: String
    /// The value both started from, the current value, and the rejected value; empty means none.
    package let base: String
    package let theirs: String
    package let mine: String
    /// The person who saved first.
    package let author: String

    package init(key: String, label: String, base: String, theirs: String, mine: String, author: String) {
        self.key = key
        self.label = label
        self.base = base
        self.theirs = theirs
        self.mine = mine
        self.author = author
    }

    package var sentence: String {
        tr(
            "\(author) changed \(label) from \(base.isEmpty ? "nothing" : base) to \(theirs.isEmpty ? "nothing" : theirs) in the meantime."
        )
    }
}
