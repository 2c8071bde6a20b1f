// Builds syndicated feeds from published documents.
import Domain
import FoundationEssentials
import Markup
import Platform
import Store

struct SyndicationBuilder: Sendable {
    let rules: DeliveryRules
    /// Scheme, host and port, without a trailing slash.
    let publicURL: String
    /// The base URL of images.
    let mediaURL: String

    /// `url` is the document's URL, `next` the URL of its next page.
    func feed(_ found: Syndication, url: String, next: String?) throws -> SyndicatedFeed {
        let source = try JSONValue(stored: found.source)
        let entries = try found.items.map { try entry(JSONValue(stored: $0)) }
        let newest = entries.map(\.updated).max { $0.rfc3339 < $1.rfc3339 }
        var feed = SyndicatedFeed(
            id: text(source["id"]), title: text(source["title"] ?? source["name"]),
            about: text(source["preview"] ?? source["about"]), home: rules.home ?? publicURL + "/", url: url,
            updated: newest ?? moment(source["updated_at"]))
        feed.next = next
        feed.entries = entries
        return feed
    }

    /// From a preview or a full item; only the latter has a body.
    private func entry(_ item: JSONValue) throws -> SyndicatedFeed.Entry {
        let fields = item["fields"]
        let (id, slug) = (text(item["id"]), text(item["slug"]))
        var entry = SyndicatedFeed.Entry(
            id: id, title: text(item["title"]), summary: text(item["preview"]),
            published: moment(item["published_at"]), updated: moment(item["updated_at"]))
        // A body in Markdown comes with its HTML.
        let body = item["html"]?["body"]?.stringValue ?? fields?["body"]?.stringValue
        entry.html = body.map { SafeHTML.withMediaURL(mediaURL, in: $0) }
        let page = rules.itemURL?.replacing("{slug}", with: PathText.segment(slug)).replacing("{id}", with: id)
        entry.link = page ?? fields?["url"]?.stringValue
        entry.author = fields?["author"]?.stringValue
        entry.image = image(fields?["image"] ?? fields?["poster"])
        entry.categories = (item["categories"]?.arrayValue ?? []).compactMap { $0["name"]?.stringValue }
        return entry
    }

    /// An image field: an external URL, or a file of the media library.
    private func image(_ value: JSONValue?) -> SyndicatedFeed.Image? {
        guard let value else { return nil }
        let url = value.stringValue ?? value["url"]?.stringValue ?? value["path"]?.stringValue.map { mediaURL + $0 }
        return url.map { SyndicatedFeed.Image(url: $0, description: text(value["alt"])) }
    }

    private func text(_ value: JSONValue?) -> String { value?.stringValue ?? "" }

    /// A missing time counts as 1970.
    private func moment(_ value: JSONValue?) -> SyndicatedFeed.Moment {
        let written = value?.stringValue ?? "1970-01-01T00:00:00Z"
        let date = (try? Date(written, strategy: .iso8601)) ?? Date(timeIntervalSince1970: 0)
        return SyndicatedFeed.Moment(rfc3339: written, rfc822: HTTPDate.text(date))
    }
}
