// The difference of one field between two versions of content.
import Diff

package struct FieldChange: Sendable, Equatable {
    package let field: String
    package let label: String
    /// The value as text for people; nil if the field had none.
    package let old: String?
    package let new: String?
    /// The words that were removed and added, computed when they are asked for.
    package var runs: [TextRun] { TextDiff.runs(from: old ?? "", to: new ?? "") }
}
