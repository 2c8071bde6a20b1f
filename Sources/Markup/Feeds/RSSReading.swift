// Reads RSS 0.9x, RSS 1.0 (RDF) and RSS 2.0.

enum RSSReading {
    static func read(_ root: FeedElement, format: FeedDocument.Format, url: String?) -> FeedDocument {
        let channel = root.name == "channel" ? root : root.first("channel") ?? root
        let link =
            channel.all("link").lazy
            .compactMap { FeedURL.web($0.text, against: $0.base ?? url) }.first
            ?? FeedFields.atomLink(channel, base: url)
        var entries: [FeedEntry] = []
        collect(root, into: &entries, base: link ?? url)
        return FeedDocument(
            title: FeedText.plain(channel.text("title", "atom:title", "dc:title") ?? "", without: .inline),
            link: link, format: format, entries: entries, recovered: false)
    }

    /// Finds items next to the channel, inside it, or wrongly nested in other items.
    private static func collect(_ element: FeedElement, into entries: inout [FeedEntry], base: String?) {
        guard entries.count <= FeedLimits.entries else { return }
        for child in element.elements {
            if child.name == "item" { entries.append(entry(child, base: child.base ?? base)) }
            collect(child, into: &entries, base: base)
        }
    }

    private static func entry(_ item: FeedElement, base: String?) -> FeedEntry {
        var entry = FeedEntry()
        entry.url = link(item, base: base)
        entry.id = item.text("guid", "atom:id") ?? FeedText.trim(item.attribute("rdf:about") ?? "")
        let title = item.text("title", "atom:title", "dc:title", "media:title", "itunes:title")
        entry.title = title.map { FeedText.plain($0, without: .inline) } ?? ""
        (entry.html, entry.base) = body(item, base: base)
        entry.summary = item.text("description", "dc:description", "atom:summary", "itunes:summary", "itunes:subtitle")
            .map { FeedText.plain($0, without: .all) }
        entry.author = author(item)
        entry.published = FeedFields.published(item)
        entry.updated = FeedFields.updated(item)
        entry.categories = FeedFields.categories(item)
        entry.media = FeedMediaReading.media(of: item, base: base)
        return entry
    }

    /// The link, otherwise a guid that is a permalink, which is the default.
    private static func link(_ item: FeedElement, base: String?) -> String? {
        for link in item.all("link") {
            if let url = FeedURL.web(link.text, against: link.base ?? base) { return url }
        }
        if let url = FeedFields.atomLink(item, base: base) { return url }
        if let guid = item.first("guid"), guid.attribute("ispermalink")?.lowercased() != "false" {
            if let url = FeedURL.web(guid.text, against: nil) { return url }
        }
        return FeedURL.web(item.attribute("rdf:about"), against: nil)
    }

    /// With the base of its relative URLs.
    private static func body(_ item: FeedElement, base: String?) -> (html: String, base: String?) {
        for name in [
            "content:encoded", "atom:content", "xhtml:body", "xhtml:div", "description", "dc:description",
            "atom:summary", "itunes:summary",
        ] {
            for element in item.all(name) {
                let base = element.base ?? base
                let html =
                    name.hasPrefix("atom:")
                    ? FeedContent.atomHTML(element, base: base) : FeedContent.html(element, base: base)
                if !html.isEmpty { return (html, base) }
            }
        }
        return (FeedMediaReading.description(of: item), base)
    }

    private static func author(_ item: FeedElement) -> String? {
        FeedFields.joined(item.all("dc:creator").map(\.text))
            ?? item.text("author").flatMap(name)
            ?? FeedFields.atomAuthors(item)
            ?? item.text("itunes:author").map(FeedText.collapse)
    }

    /// An RSS author is an email address followed by a name in parentheses.
    private static func name(_ author: String) -> String? {
        guard author.contains("@"), let open = author.firstIndex(of: "("), author.hasSuffix(")") else {
            return FeedFields.joined([author])
        }
        return FeedFields.joined([String(author[author.index(after: open)...].dropLast())])
    }
}
