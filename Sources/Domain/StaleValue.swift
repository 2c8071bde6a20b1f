// One value that somebody changed to something else while another person was changing it.

package struct StaleValue: Sendable, Equatable {
    /// What was to be changed: an entry's id, or the name of a field.
    package let key: String
    /// What it is called.
    package let label: String
    /// What both began with; what it is now; what is wanted. Empty is none.
    package let base: String
    package let theirs: String
    package let mine: String
    /// Who was faster.
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
        "\(author) has changed \(label) from \(base.isEmpty ? "nothing" : base) to \(theirs.isEmpty ? "nothing" : theirs) meanwhile."
    }
}
