// Writes a feed as JSON Feed 1.1.
import Domain
import Markup

extension SyndicatedFeed {
    /// `application/feed+json`
    var json: JSONValue {
        var feed: [String: JSONValue] = [
            "version": "https://jsonfeed.org/version/1.1", "title": .string(title), "home_page_url": .string(home),
            "feed_url": .string(url), "items": .array(entries.map(Self.item)),
        ]
        if !about.isEmpty { feed["description"] = .string(about) }
        if let next { feed["next_url"] = .string(next) }
        return .object(feed)
    }

    private static func item(_ entry: Entry) -> JSONValue {
        var item: [String: JSONValue] = [
            "id": .string("urn:uuid:\(entry.id)"), "title": .string(entry.title), "summary": .string(entry.summary),
            "date_published": .string(entry.published.rfc3339), "date_modified": .string(entry.updated.rfc3339),
        ]
        // JSON Feed requires content.
        if let html = entry.html {
            item["content_html"] = .string(html)
        } else {
            item["content_text"] = .string(entry.summary)
        }
        if let link = entry.link { item["url"] = .string(link) }
        if let author = entry.author { item["authors"] = .array([.object(["name": .string(author)])]) }
        if let image = entry.image { item["image"] = .string(image.url) }
        if !entry.categories.isEmpty { item["tags"] = .array(entry.categories.map(JSONValue.string)) }
        return .object(item)
    }
}
