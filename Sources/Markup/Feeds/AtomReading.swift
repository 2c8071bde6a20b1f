// Reads Atom 1.0 and 0.3.

enum AtomReading {
    static func read(_ root: FeedElement, url: String?) -> FeedDocument {
        let link = FeedFields.atomLink(root, base: root.base ?? url)
        // A feed that another host republishes links to its own pages.
        let base = root.base ?? link ?? url
        var entries: [FeedEntry] = []
        if root.name == "atom:entry" { entries.append(entry(root, feed: root, base: base)) }
        collect(root, into: &entries, feed: root, base: base)
        entries = FeedFinishing.newestVersions(of: entries)
        return FeedDocument(
            title: root.first("atom:title").map { FeedContent.atomText($0, without: .inline) } ?? "",
            link: link, format: .atom, entries: entries, recovered: false)
    }

    private static func collect(
        _ element: FeedElement, into entries: inout [FeedEntry], feed: FeedElement, base: String?
    ) {
        guard entries.count <= FeedLimits.entries else { return }
        for child in element.elements {
            if child.name == "atom:entry" { entries.append(entry(child, feed: feed, base: child.base ?? base)) }
            collect(child, into: &entries, feed: feed, base: base)
        }
    }

    private static func entry(_ element: FeedElement, feed: FeedElement, base: String?) -> FeedEntry {
        var entry = FeedEntry()
        entry.id = element.text("atom:id") ?? ""
        entry.url = FeedFields.atomLink(element, base: base) ?? FeedURL.web(entry.id, against: nil)
        let titles = element.all("atom:title").map { FeedContent.atomText($0, without: .inline) }
        entry.title = titles.first { !$0.isEmpty } ?? ""
        (entry.html, entry.base) = body(element, base: base)
        entry.summary = element.first("atom:summary").map { FeedContent.atomText($0, without: .all) }
        entry.author =
            FeedFields.atomAuthors(element)
            ?? FeedFields.joined(element.all("dc:creator").map(\.text))
            ?? element.first("atom:source").flatMap(FeedFields.atomAuthors)
            ?? FeedFields.atomAuthors(feed)
        entry.published = FeedFields.published(element)
        entry.updated = FeedFields.updated(element)
        entry.categories = FeedFields.categories(element)
        entry.media = FeedMediaReading.media(of: element, base: base)
        return entry
    }

    /// With the base of its relative URLs.
    private static func body(_ element: FeedElement, base: String?) -> (html: String, base: String?) {
        for child in element.all("atom:content") + element.all("atom:summary") {
            let base = child.base ?? base
            let html = FeedContent.atomHTML(child, base: base)
            if !html.isEmpty { return (html, base) }
        }
        return (FeedMediaReading.description(of: element), base)
    }
}
