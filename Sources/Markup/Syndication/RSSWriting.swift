// Writes a feed as RSS 2.0 with the common modules content, dc and atom.

extension SyndicatedFeed {
    /// `application/rss+xml`
    package var rss: [UInt8] {
        XMLText.document { xml in
            let spaces = [
                ("version", "2.0"), ("xmlns:atom", "http://www.w3.org/2005/Atom"),
                ("xmlns:content", "http://purl.org/rss/1.0/modules/content/"),
                ("xmlns:dc", "http://purl.org/dc/elements/1.1/"), ("xmlns:media", "http://search.yahoo.com/mrss/"),
            ]
            xml.element("rss", spaces) {
                xml.element("channel") {
                    xml.element("title", text: title)
                    xml.element("link", text: home)
                    xml.element("description", text: about.isEmpty ? title : about)
                    xml.element("lastBuildDate", text: updated.rfc822)
                    xml.element("generator", text: "Vitrine")
                    xml.element("docs", text: "https://www.rssboard.org/rss-specification")
                    xml.element(
                        "atom:link", [("rel", "self"), ("type", "application/rss+xml"), ("href", url)])
                    if let next { xml.element("atom:link", [("rel", "next"), ("href", next)]) }
                    for entry in entries { Self.item(entry, xml) }
                }
            }
        }
    }

    private static func item(_ entry: Entry, _ xml: XMLText) {
        xml.element("item") {
            xml.element("title", text: entry.title)
            xml.element("link", text: entry.link)
            xml.element("guid", [("isPermaLink", "false")], text: "urn:uuid:\(entry.id)")
            xml.element("pubDate", text: entry.published.rfc822)
            xml.element("dc:creator", text: entry.author)
            for category in entry.categories { xml.element("category", text: category) }
            xml.element("description", text: entry.summary)
            xml.element("content:encoded", text: entry.html)
            if let image = entry.image {
                xml.element("media:content", [("medium", "image"), ("url", image.url)]) {
                    xml.element("media:description", text: image.description)
                }
            }
        }
    }
}
