// The kinds of value that a field of content can hold.

package enum FieldType: String, Sendable, CaseIterable, Codable {
    /// One line.
    case text
    case longText = "long_text"
    /// By which programs ask for something: `site.about`.
    case key
    /// A language tag such as `de-AT`.
    case locale
    /// HTML, cleaned before it is stored.
    case richText = "rich_text"
    case markdown
    case integer
    case number
    case boolean
    /// RFC 3339 with an offset or Z.
    case datetime
    /// Seconds; `1:02:03` and `PT1H2M3S` are understood too.
    case duration
    case url
    /// `{"lat", "lon"}` in degrees.
    case point
    case choice
    /// The id of an entry.
    case reference
    /// Ids of entries, in order.
    case references
    /// Any JSON object.
    case json
    /// The points of a way: `[[latitude, longitude, elevation], …]`, the elevation where it is known.
    case path
    /// An https address, `{"url", "alt", "width", "height"}`, or an image of the media library: `{"media", "alt"}`.
    case image
    /// `{"url", "type", "bytes"}`
    case file
    /// The id of a thing of a catalog: a film, a book.
    case catalogItem = "catalog_item"
    /// An ordered list of rows: objects with fields of their own.
    case rows

    package var isReference: Bool { self == .reference || self == .references }

    package var isText: Bool { self == .text || self == .longText || self == .richText || self == .markdown }

    /// How many inputs a form has for it.
    var inputs: Int {
        switch self {
        case .image: 5
        case .file: 3
        case .point: 2
        default: 1
        }
    }

    /// Characters allowed where the content type does not say.
    var usualMaxLength: Int {
        switch self {
        case .text: 500
        case .longText: 20_000
        // The Markdown reader takes no more than 64 KiB.
        case .markdown: 65_536
        default: 200_000
        }
    }

    /// Bytes allowed where the content type does not say.
    func usualMaxBytes(maxLength: Int) -> Int {
        switch self {
        case .markdown, .json: 65_536
        // Room for scripts whose characters are clusters of several code points, none for heaps of accents.
        default: maxLength * 16
        }
    }
}
