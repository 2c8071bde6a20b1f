// Recognizes files that are not text with rows or objects by their first bytes, to say what was found.
import Localization

package enum FileFormat {
    /// What the file is, as a sentence that says what to do instead; nil for what may be a table or JSON. The bytes are those
    /// after decoding (`TextEncoding`).
    package static func refusal(of bytes: some Collection<UInt8>) -> String? {
        let first = Array(bytes.prefix(512))
        for (mark, sentence) in marks where first.starts(with: mark) { return sentence }
        if first.contains(0) { return tr("The file is not text. Save it as CSV in UTF-8.") }
        let visible = first.drop { blanks.contains($0) }
        if visible.first == UInt8(ascii: "<") {
            let text = String(decoding: visible.prefix(400), as: UTF8.self).lowercased()
            let name = markup.first { text.contains("<\($0.element)") }?.label ?? "XML"
            return tr("The file is \(name). Convert it to a table or GeoJSON.")
        }
        return nil
    }

    /// A byte order mark, white space, and the record separator of RFC 8142.
    package static let blanks: Set<UInt8> = [0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D, 0x1E]

    private static let markup: [(element: String, label: String)] = [
        ("kml", "KML"), ("gpx", "GPX"), ("osm", "OpenStreetMap XML"), ("rss", "RSS"), ("feed", "Atom"),
        ("html", "HTML"),
        ("!doctype html", "HTML"), ("svg", "SVG"),
    ]

    private static var marks: [([UInt8], String)] {
        [
            (
                Array("PK\u{3}\u{4}".utf8),
                tr("The file is a spreadsheet or ZIP archive. Save its table as CSV in UTF-8.")
            ),
            ([0xD0, 0xCF, 0x11, 0xE0], tr("The file is an old spreadsheet. Save its table as CSV in UTF-8.")),
            ([0x1F, 0x8B], tr("The file is compressed with gzip. Uncompress it.")),
            (Array("BZh".utf8), tr("The file is compressed with bzip2. Uncompress it.")),
            ([0xFD, 0x37, 0x7A, 0x58, 0x5A], tr("The file is compressed with xz. Uncompress it.")),
            ([0x28, 0xB5, 0x2F, 0xFD], tr("The file is compressed with zstd. Uncompress it.")),
            (Array("%PDF".utf8), tr("The file is a PDF. Save its table as CSV in UTF-8.")),
            (Array("SQLite format 3".utf8), tr("The file is a SQLite database. Export its table as CSV in UTF-8.")),
            ([0xFF, 0xFE, 0, 0], tr("The file is UTF-32. Save it as UTF-8.")),
            ([0, 0, 0xFE, 0xFF], tr("The file is UTF-32. Save it as UTF-8.")),
        ]
    }
}
