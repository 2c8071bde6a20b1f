// The parsed parts of a JSON Feed document.
import Localization

/// Values of the wrong type count as missing, since many documents do not follow the format.
struct JSONFeedDocument: Decodable {
    var version: String?
    var title: String?
    var homePage: String?
    /// The names of the authors.
    var names: String?
    var items: [Item]?

    private enum CodingKeys: String, CodingKey {
        case version, title, items, author, authors
        case homePage = "home_page_url"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        version = values.text(.version)
        title = values.text(.title)
        homePage = values.text(.homePage)
        names = Author.names(values.list(.authors) + values.list(.author))
        guard var list = try? values.nestedUnkeyedContainer(forKey: .items) else { return }
        guard (list.count ?? 0) <= FeedLimits.entries else {
            throw FeedError(.limit, tr("The feed has more than \(FeedLimits.entries) entries."))
        }
        var read: [Item] = []
        while !list.isAtEnd { read.append(try list.decode(Lenient<Item>.self).value ?? Item()) }
        items = read
    }

    struct Item: Decodable {
        var id, url, externalURL, title, html, text, summary, image, banner, published, modified, names: String?
        var tags: [String] = []
        var attachments: [Attachment] = []

        private enum CodingKeys: String, CodingKey {
            case id, url, title, summary, image, author, authors, tags, attachments
            case externalURL = "external_url"
            case html = "content_html"
            case text = "content_text"
            case banner = "banner_image"
            case published = "date_published"
            case modified = "date_modified"
        }

        /// An empty item.
        init() {}

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            id = values.text(.id) ?? (try? values.decode(Int.self, forKey: .id)).map(String.init)
            url = values.text(.url)
            externalURL = values.text(.externalURL)
            title = values.text(.title)
            html = values.text(.html)
            text = values.text(.text)
            summary = values.text(.summary)
            image = values.text(.image)
            banner = values.text(.banner)
            published = values.text(.published)
            modified = values.text(.modified)
            names = Author.names(values.list(.authors) + values.list(.author))
            tags = values.list(.tags)
            attachments = values.list(.attachments)
        }
    }

    struct Author: Decodable {
        var name: String?

        static func names(_ authors: [Author]) -> String? {
            FeedFields.joined(authors.compactMap(\.name))
        }
    }

    struct Attachment: Decodable {
        var url, type, title: String?
        var length, seconds: Int?

        private enum CodingKeys: String, CodingKey {
            case url, title
            case type = "mime_type"
            case length = "size_in_bytes"
            case seconds = "duration_in_seconds"
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            url = values.text(.url)
            type = values.text(.type)
            title = values.text(.title)
            length = values.count(.length)
            seconds = values.count(.seconds)
        }
    }
}

/// A value; nil if it has another type.
private struct Lenient<Value: Decodable>: Decodable {
    var value: Value?

    init(from decoder: any Decoder) throws {
        value = try? Value(from: decoder)
    }
}

extension KeyedDecodingContainer {
    fileprivate func text(_ key: Key) -> String? {
        try? decode(String.self, forKey: key)
    }

    /// A number greater than 0, rounded down.
    fileprivate func count(_ key: Key) -> Int? {
        guard let number = try? decode(Double.self, forKey: key), number >= 1, number < 1e15 else { return nil }
        return Int(number)
    }

    /// The values of an array that have the right type, or a single value; limited to the maximum per entry.
    fileprivate func list<Value: Decodable>(_ key: Key) -> [Value] {
        guard var list = try? nestedUnkeyedContainer(forKey: key) else {
            return (try? decode(Value.self, forKey: key)).map { [$0] } ?? []
        }
        var values: [Value] = []
        for _ in 0..<min(list.count ?? 0, max(FeedLimits.media, FeedLimits.categories)) {
            guard let next = try? list.decode(Lenient<Value>.self) else { break }
            if let value = next.value { values.append(value) }
        }
        return values
    }
}
