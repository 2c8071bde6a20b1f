// The value types of content fields.

package enum FieldType: String, Sendable, CaseIterable, Codable {
    /// One line.
    case text
    case longText = "long_text"
    /// A key for programs: `site.about`.
    case key
    /// A language tag such as `de-AT`.
    case locale
    /// HTML, cleaned before it is stored; `{"markdown"}` with CommonMark is stored as the HTML that it renders to.
    case richText = "rich_text"
    case markdown
    case integer
    case number
    case boolean
    /// RFC 3339 with an offset or Z.
    case datetime
    /// Seconds; `1:02:03` and `PT1H2M3S` are also accepted.
    case duration
    case url
    /// `{"lat", "lon"}` in degrees.
    case point
    case choice
    /// The ID of an entry.
    case reference
    /// The IDs of entries, in order.
    case references
    /// Any JSON object.
    case json
    /// The points of a path: `[[latitude, longitude, elevation], …]`, with an optional elevation.
    case path
    /// An https URL, `{"url", "alt", "width", "height"}`, or an image of the media library: `{"media", "alt"}`.
    case image
    /// `{"url", "type", "bytes"}`
    case file
    /// The ID of a catalog item: a film, a book.
    case catalogItem = "catalog_item"
    /// An ordered list of rows: objects with their own fields.
    case rows

    package var isReference: Bool { self == .reference || self == .references }

    package var isText: Bool { self == .text || self == .longText || self == .richText || self == .markdown }

    /// The number of form inputs for it.
    var inputs: Int {
        switch self {
        case .image: 5
        case .file: 3
        case .point: 2
        default: 1
        }
    }

    /// The default maximum length in characters.
    var defaultMaxLength: Int {
        switch self {
        case .text: 500
        case .longText: 20_000
        // The Markdown converter accepts at most 64 KiB.
        case .markdown: 65_536
        default: 200_000
        }
    }

    /// The default maximum size in bytes.
    func defaultMaxBytes(maxLength: Int) -> Int {
        switch self {
        case .markdown, .json: 65_536
        // Enough for scripts whose characters are clusters of several code points, but not for stacks of accents.
        default: maxLength * 16
        }
    }
}
