// Parses one line of `vitrine dev feed-parse` into its entries or an error.
import FoundationEssentials
import Markup

struct FeedParseLine: Encodable {
    struct Entry: Encodable {
        let id: String
        let title: String
        let url: String?
        let published: String?
        let html: String
        let media: [Media]
    }

    struct Media: Encodable {
        let url: String
        let type: String?
        let length: Int?
    }

    private struct Input: Decodable {
        let base64: String
        let content_type: String?
        let url: String?
    }

    let title: String?
    let entries: [Entry]
    /// One sentence; nil if the document was parsed.
    let error: String?

    private enum CodingKeys: String, CodingKey { case title, entries, error }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(title, forKey: .title)
        try container.encode(entries, forKey: .entries)
        try container.encode(error, forKey: .error)
    }

    static func parse(_ line: [UInt8]) -> FeedParseLine {
        guard let input = try? JSONDecoder().decode(Input.self, from: Data(line)),
            let bytes = Data(base64Encoded: input.base64)
        else {
            return FeedParseLine(
                title: nil, entries: [], error: "The line must be {\"base64\", \"content_type\", \"url\"}.")
        }
        do throws(FeedError) {
            let document = try FeedReader.read([UInt8](bytes), contentType: input.content_type, url: input.url)
            return FeedParseLine(title: document.title, entries: document.entries.map(entry), error: nil)
        } catch {
            return FeedParseLine(title: nil, entries: [], error: error.message)
        }
    }

    private static func entry(_ entry: FeedEntry) -> Entry {
        Entry(
            id: entry.id, title: entry.title, url: entry.url, published: entry.published,
            html: (try? HTMLSanitizer.sanitize(entry.html, base: entry.base.flatMap { URL(string: $0) })) ?? "",
            media: entry.media.map { Media(url: $0.url, type: $0.type, length: $0.length) })
    }
}
