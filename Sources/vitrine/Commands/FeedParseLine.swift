// One line of `vitrine dev feed-parse`: a document in, its entries or the reason against it out.
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

    struct Problem: Encodable {
        let code: String
        let message: String
        let line: Int?
    }

    private struct Question: Decodable {
        let base64: String
        let content_type: String?
        let url: String?
    }

    let title: String?
    let entries: [Entry]
    let error: Problem?

    private enum CodingKeys: String, CodingKey { case title, entries, error }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(title, forKey: .title)
        try container.encode(entries, forKey: .entries)
        try container.encode(error, forKey: .error)
    }

    static func answer(to line: [UInt8]) -> FeedParseLine {
        guard let question = try? JSONDecoder().decode(Question.self, from: Data(line)),
            let bytes = Data(base64Encoded: question.base64)
        else {
            let problem = Problem(
                code: "line", message: "The line is not {\"base64\", \"content_type\", \"url\"}.", line: nil)
            return FeedParseLine(title: nil, entries: [], error: problem)
        }
        do throws(FeedError) {
            let document = try FeedReader.read([UInt8](bytes), contentType: question.content_type, url: question.url)
            return FeedParseLine(title: document.title, entries: document.entries.map(entry), error: nil)
        } catch {
            let problem = Problem(code: "\(error.code)", message: error.message, line: error.line)
            return FeedParseLine(title: nil, entries: [], error: problem)
        }
    }

    private static func entry(_ entry: FeedEntry) -> Entry {
        Entry(
            id: entry.id, title: entry.title, url: entry.url, published: entry.published,
            html: (try? HTMLSanitizer.sanitize(entry.html)) ?? "",
            media: entry.media.map { Media(url: $0.url, type: $0.type, length: $0.length) })
    }
}
