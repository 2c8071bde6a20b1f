// How one field differs between two versions of a content.

package struct FieldChange: Sendable, Equatable {
    /// A stretch of text that both versions have, or only one.
    package struct Run: Sendable, Equatable {
        package enum Kind: String, Sendable {
            case kept, removed, added
        }

        package let kind: Kind
        package let text: String
    }

    package let field: String
    package let label: String
    /// The value as a person reads it; nil where the field had none.
    package let old: String?
    package let new: String?
    /// The kept and removed runs in order are the old text, the kept and added ones the new.
    package let runs: [Run]
}
