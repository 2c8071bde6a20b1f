// One field of a content type: what it is called, what it may hold, who may see and set it.

package struct Field: Sendable, Equatable {
    package struct Choice: Sendable, Equatable {
        package let value: String
        package let label: String
    }

    package let name: String
    package let label: String
    package let help: String
    package let type: FieldType
    package let required: Bool
    /// In grapheme clusters.
    package let maxLength: Int
    /// In bytes of UTF-8; for `json`, of its canonical text.
    package let maxBytes: Int
    /// The least number, or seconds; for texts the least length, for references the least count.
    package let minimum: Double?
    /// The greatest number, or seconds.
    package let maximum: Double?
    package let choices: [Choice]
    /// Names of the content types that a reference may point at.
    package let targets: [String]
    /// How many references or rows there may be.
    package let maxCount: Int
    /// The least count of rows, where there is any.
    package let minCount: Int?
    /// What each row holds; only of `rows`.
    package let fields: [Field]
    /// What a person calls one row, such as "Screen".
    package let rowLabel: String
    /// A guest may see it.
    package let preview: Bool
    /// A submission may set it.
    package let submittable: Bool
    /// What a revision holds when nothing was given.
    package let `default`: JSONValue?
    /// The live members behind this reference are counted.
    package let counted: Bool
    /// For a counted reference: also counted apart for each entry that this reference field names.
    package let countedWithin: String?
    /// For `datetime`: must be later than this other field; the same instant is refused.
    package let after: String?
    /// For `url`: http is refused.
    package let httpsOnly: Bool

    /// Where messages about this field stand.
    package var pointer: String { "/fields" + FieldErrors.step(name) }
}
