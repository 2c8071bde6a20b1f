// Converts a feed entry to an article's fields.
import Domain
import FoundationEssentials
import Markup

enum FeedEntryFields {
    private static let titleLength = 200
    private static let summaryLength = 500

    /// Invalid parts, such as a malformed URL, are dropped rather than refused: the rest is still worth a review.
    static func fields(of entry: FeedEntry) -> [String: JSONValue] {
        let title = cut(withoutControls(entry.title), to: titleLength)
        var fields: [String: JSONValue] = [
            "title": .string(title),
            "body": .string(body(of: entry, title: title)),
        ]
        if let url = entry.url, WebURL.isValid(url) { fields["url"] = .string(url) }
        if let author = entry.author, !author.isEmpty {
            fields["author"] = .string(cut(withoutControls(author), to: 100))
        }
        if let published = entry.published ?? entry.updated { fields["published"] = .string(published) }
        if let summary = entry.summary, let text = try? HTMLSanitizer.plainText(summary), !text.isEmpty {
            fields["summary"] = .string(cut(text, to: summaryLength))
        }
        if let image = entry.media.first(where: isImage) { fields["image"] = .string(image.url) }
        if !entry.media.isEmpty { fields["media"] = .object(["files": .array(entry.media.prefix(50).map(file))]) }
        return fields
    }

    /// The name of an author, a category or a feed, as submissions have it; nil if nothing is left of it.
    static func name(_ text: String) -> String? {
        let name = String(String.UnicodeScalarView(withoutControls(text).unicodeScalars.prefix(100)))
        return name.isEmpty ? nil : name
    }

    /// An entry without text gets its title as the body.
    private static func body(of entry: FeedEntry, title: String) -> String {
        let html = entry.html.isEmpty ? HTMLEscape.text(entry.summary ?? "") : entry.html
        let base = entry.base.flatMap { URL(string: $0) }
        let hasContent = (try? !FieldCleaning.Cleaned(html: HTMLSanitizer.sanitize(html, base: base)).isEmpty) ?? true
        return hasContent ? html : "<p>\(HTMLEscape.text(title))</p>"
    }

    private static func isImage(_ media: FeedMedia) -> Bool {
        guard media.url.hasPrefix("https://"), WebURL.isValid(media.url) else { return false }
        return media.kind == .image || media.kind == .thumbnail || media.type?.hasPrefix("image/") == true
    }

    private static func file(_ media: FeedMedia) -> JSONValue {
        var file: [String: JSONValue] = ["url": .string(media.url)]
        if let type = media.type { file["type"] = .string(type) }
        if let length = media.length { file["bytes"] = .int(Int64(length)) }
        if let seconds = media.seconds { file["seconds"] = .int(Int64(seconds)) }
        return .object(file)
    }

    /// Drops bidirectional control characters, which titles must not contain: apps isolate the text instead.
    private static func withoutControls(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter { scalar in
                    !(0x202A...0x202E).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value)
                        && scalar.value != 0
                }))
    }

    private static func cut(_ text: String, to length: Int) -> String {
        text.count <= length ? text : text.prefix(length - 1) + "…"
    }
}
