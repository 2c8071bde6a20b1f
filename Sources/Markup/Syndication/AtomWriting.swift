// Writes a feed as Atom (RFC 4287) with paging links (RFC 5005).

extension SyndicatedFeed {
    /// `application/atom+xml`
    package var atom: [UInt8] {
        XMLText.document { xml in
            xml.element("feed", [("xmlns", "http://www.w3.org/2005/Atom")]) {
                xml.element("id", text: "urn:uuid:\(id)")
                xml.element("title", text: title)
                if !about.isEmpty { xml.element("subtitle", text: about) }
                xml.element("updated", text: updated.rfc3339)
                // The author of entries without one, since Atom requires an author.
                xml.element("author") { xml.element("name", text: title) }
                xml.element("generator", text: "Vitrine")
                xml.element("link", [("rel", "alternate"), ("href", home)])
                xml.element("link", [("rel", "self"), ("type", "application/atom+xml"), ("href", url)])
                if let next { xml.element("link", [("rel", "next"), ("href", next)]) }
                for entry in entries { Self.entry(entry, xml) }
            }
        }
    }

    private static func entry(_ entry: Entry, _ xml: XMLText) {
        xml.element("entry") {
            xml.element("id", text: "urn:uuid:\(entry.id)")
            xml.element("title", text: entry.title)
            xml.element("updated", text: entry.updated.rfc3339)
            xml.element("published", text: entry.published.rfc3339)
            if let author = entry.author { xml.element("author") { xml.element("name", text: author) } }
            if let link = entry.link { xml.element("link", [("rel", "alternate"), ("href", link)]) }
            for category in entry.categories { xml.element("category", [("term", category)]) }
            // An entry without a link must have content.
            if let html = entry.html {
                xml.element("summary", text: entry.summary)
                xml.element("content", [("type", "html")], text: html)
            } else {
                xml.element("content", [("type", "text")], text: entry.summary)
            }
        }
    }
}
