// The difference of one field between two versions of content.

package struct FieldChange: Sendable, Equatable {
    /// A run of text that both versions contain, or only one.
    package struct Run: Sendable, Equatable {
        package enum Kind: String, Sendable {
            case kept, removed, added
        }

        package let kind: Kind
        package let text: String
    }

    package let field: String
    package let label: String
    /// The value as text for people; nil if the field had none.
    package let old: String?
    package let new: String?
    /// The kept and removed runs in order form the old text, the kept and added runs the new text.
    package let runs: [Run]
}
