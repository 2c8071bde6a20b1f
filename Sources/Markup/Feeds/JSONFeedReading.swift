// Reads JSON Feed 1 and 1.1.

import FoundationEssentials

enum JSONFeedReading {
    static func read(_ bytes: [UInt8], url: String?) throws(FeedError) -> FeedDocument {
        try checkDepth(bytes)
        let feed: Feed
        do {
            feed = try JSONDecoder().decode(Feed.self, from: Data(bytes))
        } catch let error as FeedError {
            throw error
        } catch {
            throw FeedError(.malformed, "The document is not well-formed JSON.")
        }
        guard feed.version?.contains("jsonfeed.org/version/") == true, let items = feed.items else {
            throw FeedError(.notAFeed, "The document is JSON, but no JSON Feed.")
        }
        let link = FeedAddress.web(feed.home_page_url, against: url)
        let base = link ?? url
        return FeedDocument(
            title: FeedText.collapse(feed.title ?? ""), link: link, format: .json,
            entries: items.map { entry($0, author: feed.names, base: base) }, recovered: false)
    }

    /// The decoder goes as deep as the document does.
    private static func checkDepth(_ bytes: [UInt8]) throws(FeedError) {
        var depth = 0
        var inString = false
        var escaped = false
        for (index, byte) in bytes.enumerated() {
            if inString {
                if escaped {
                    escaped = false
                } else if byte == UInt8(ascii: "\\") {
                    escaped = true
                } else if byte == UInt8(ascii: "\"") {
                    inString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): inString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                guard depth <= FeedLimits.jsonDepth else {
                    throw FeedError(
                        .tooDeep, "The document nests more than \(FeedLimits.jsonDepth) values in one another.",
                        line: bytes.feedLine(at: index))
                }
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: continue
            }
        }
    }

    private static func entry(_ item: Item, author: String?, base: String?) -> FeedEntry {
        var entry = FeedEntry()
        entry.base = base
        entry.id = FeedText.trim(item.id ?? "")
        entry.url =
            FeedAddress.web(item.url, against: base) ?? FeedAddress.web(item.external_url, against: base)
            ?? FeedAddress.web(entry.id, against: nil)
        entry.title = FeedText.collapse(item.title ?? "")
        let html = FeedText.trim(item.content_html ?? "")
        entry.html = html.isEmpty ? FeedText.escapeLines(FeedText.trim(item.content_text ?? item.summary ?? "")) : html
        entry.summary = item.summary.map(FeedText.collapse)
        entry.author = item.names ?? author
        entry.published = item.date_published.flatMap(FeedDate.rfc3339)
        entry.updated = item.date_modified.flatMap(FeedDate.rfc3339)
        entry.categories = item.tags.map(FeedText.collapse)
        entry.media = media(of: item, base: base)
        return entry
    }

    private static func media(of item: Item, base: String?) -> [FeedMedia] {
        var media: [FeedMedia] = []
        for attachment in item.attachments {
            guard let url = FeedAddress.web(attachment.url, against: base) else { continue }
            let title = FeedText.collapse(attachment.title ?? "")
            let found = FeedMedia(
                url: url, type: FeedMediaReading.mediaType(attachment.mime_type), length: attachment.length,
                kind: .enclosure, seconds: attachment.seconds, title: title.isEmpty ? nil : title)
            FeedMediaReading.merge(found, into: &media)
        }
        for picture in [item.image, item.banner_image] {
            guard let url = FeedAddress.web(picture, against: base) else { continue }
            FeedMediaReading.merge(FeedMedia(url: url, kind: .image), into: &media)
        }
        return media
    }
}

// What is of another type than the format asks for counts as missing: many documents are loose about it.

private struct Feed: Decodable {
    var version, title, home_page_url, names: String?
    var items: [Item]?

    private enum CodingKeys: String, CodingKey {
        case version, title, home_page_url, items, author, authors
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        version = values.text(.version)
        title = values.text(.title)
        home_page_url = values.text(.home_page_url)
        names = Author.names(values.list(.authors) + values.list(.author))
        guard var list = try? values.nestedUnkeyedContainer(forKey: .items) else { return }
        guard (list.count ?? 0) <= FeedLimits.entries else {
            throw FeedError(.limit, "The feed has more than \(FeedLimits.entries) entries.")
        }
        var read: [Item] = []
        while !list.isAtEnd { read.append(try list.decode(Loose<Item>.self).value ?? Item()) }
        items = read
    }
}

private struct Item: Decodable {
    var id, url, external_url, title, content_html, content_text, summary, image, banner_image: String?
    var date_published, date_modified, names: String?
    var tags: [String] = []
    var attachments: [Attachment] = []

    private enum CodingKeys: String, CodingKey {
        case id, url, external_url, title, content_html, content_text, summary, image, banner_image
        case date_published, date_modified, author, authors, tags, attachments
    }

    init() {}

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = values.text(.id) ?? (try? values.decode(Int.self, forKey: .id)).map(String.init)
        url = values.text(.url)
        external_url = values.text(.external_url)
        title = values.text(.title)
        content_html = values.text(.content_html)
        content_text = values.text(.content_text)
        summary = values.text(.summary)
        image = values.text(.image)
        banner_image = values.text(.banner_image)
        date_published = values.text(.date_published)
        date_modified = values.text(.date_modified)
        names = Author.names(values.list(.authors) + values.list(.author))
        tags = values.list(.tags)
        attachments = values.list(.attachments)
    }
}

private struct Author: Decodable {
    var name: String?

    static func names(_ authors: [Author]) -> String? {
        FeedFields.joined(authors.compactMap(\.name))
    }
}

private struct Attachment: Decodable {
    var url, mime_type, title: String?
    var length, seconds: Int?

    private enum CodingKeys: String, CodingKey {
        case url, mime_type, title, size_in_bytes, duration_in_seconds
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        url = values.text(.url)
        mime_type = values.text(.mime_type)
        title = values.text(.title)
        length = values.count(.size_in_bytes)
        seconds = values.count(.duration_in_seconds)
    }
}

/// A value, or nothing when it is of another type.
private struct Loose<Value: Decodable>: Decodable {
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

    /// The values of an array that are of the right type, or a single one; no more than an entry may have.
    fileprivate func list<Value: Decodable>(_ key: Key) -> [Value] {
        guard var list = try? nestedUnkeyedContainer(forKey: key) else {
            return (try? decode(Value.self, forKey: key)).map { [$0] } ?? []
        }
        var values: [Value] = []
        for _ in 0..<min(list.count ?? 0, max(FeedLimits.media, FeedLimits.categories)) {
            guard let next = try? list.decode(Loose<Value>.self) else { break }
            if let value = next.value { values.append(value) }
        }
        return values
    }
}
