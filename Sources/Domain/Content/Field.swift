// A field of a content type: its name, type, limits and visibility.
import Localization

package struct Field: Sendable, Equatable {
    package struct Choice: Sendable, Equatable {
        package let value: String
        @Translated package var label: String
    }

    package let name: String
    @Translated package var label: String
    /// A hint below the label; empty where there is nothing to add to it.
    @Translated package var help: String
    package let type: FieldType
    package let required: Bool
    /// The maximum length in grapheme clusters.
    package let maxLength: Int
    /// The maximum size in bytes of UTF-8; for `json`, of the canonical text.
    package let maxBytes: Int
    /// The minimum of a number or of seconds; for texts the minimum length, for references the minimum count.
    package let minimum: Double?
    /// The maximum of a number or of seconds.
    package let maximum: Double?
    /// The values of a choice. Of `json`, the names that its form has with their labels; others can be added.
    package let choices: [Choice]
    /// The names of the content types that a reference may point to.
    package let targets: [String]
    /// The maximum number of references or rows.
    package let maxCount: Int
    /// The minimum number of rows if there is any row.
    package let minCount: Int?
    /// The fields of each row; only for `rows`.
    package let fields: [Field]
    /// The label of one row, such as "Screen".
    @Translated package var rowLabel: String
    /// Whether guests may see it.
    package let preview: Bool
    /// Whether it is for the team only: no reader gets it, not even with full access.
    package let isInternal: Bool
    /// Whether a submission may set it.
    package let submittable: Bool
    /// The value of a revision if none was given.
    package let `default`: JSONValue?
    /// Whether published members of this reference are counted.
    package let counted: Bool
    /// For a counted reference: the reference field within whose entries it is also counted separately.
    package let countedWithin: String?
    /// For `datetime`: the field that this one must be later than (>); the same instant is rejected.
    package let after: String?
    /// For `url`: whether http is rejected.
    package let httpsOnly: Bool

    /// Whether its values are text without markup.
    package var isPlainText: Bool { type == .text || type == .longText }

    /// The pointer of messages about this field.
    package var pointer: String { "/fields" + FieldErrors.step(name) }
}
