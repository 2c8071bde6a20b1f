// Reads the parts of an entry that RSS and Atom share.

enum FeedFields {
    static func published(_ element: FeedElement) -> String? {
        firstDate(
            element,
            [
                "pubdate", "atom:published", "dc:date", "dcterms:issued", "atom:issued", "dcterms:created",
                "atom:created",
            ])
    }

    static func updated(_ element: FeedElement) -> String? {
        firstDate(element, ["atom:updated", "atom:modified", "dcterms:modified"])
    }

    private static func firstDate(_ element: FeedElement, _ names: [String]) -> String? {
        for name in names {
            for candidate in element.all(name) {
                if let date = FeedDate.rfc3339(candidate.text) { return date }
            }
        }
        return nil
    }

    static func categories(_ element: FeedElement) -> [String] {
        var categories: [String] = []
        for child in element.elements {
            switch child.name {
            case "category", "dc:subject": categories.append(FeedText.plain(child.text, without: .inline))
            case "atom:category":
                let name = child.attribute("label") ?? child.attribute("term") ?? ""
                categories.append(FeedText.plain(name, without: .inline))
            default: continue
            }
        }
        return categories
    }

    /// Names of the Atom persons in an element: an entry, its source, or the feed.
    static func atomAuthors(_ element: FeedElement) -> String? {
        let names = element.all("atom:author").compactMap { person in
            person.text("atom:name", "name", "atom:email", "email")
                ?? (person.elements.isEmpty ? FeedText.trim(person.text) : nil)
        }
        return joined(names)
    }

    static func joined(_ names: [String]) -> String? {
        let names = names.map(FeedText.collapse).filter { !$0.isEmpty }
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }

    /// The relation of an Atom link by its short name; the IANA also defines each as a URL (RFC 4287, 4.2.7.2).
    static func relation(of link: FeedElement) -> String {
        let relation = FeedText.trim(link.attribute("rel") ?? "").lowercased()
        let name = relation.split(separator: "/").last.map(String.init) ?? ""
        let registry = "://www.iana.org/assignments/relation/"
        if relation == "http\(registry)\(name)" || relation == "https\(registry)\(name)" { return name }
        return relation.isEmpty ? "alternate" : relation
    }

    /// The page URL of an element's Atom links.
    static func atomLink(_ element: FeedElement, base: String?) -> String? {
        let links = element.all("atom:link").filter { relation(of: $0) == "alternate" }
        let page = links.first { ($0.attribute("type") ?? "text/html").lowercased().hasPrefix("text/html") }
        return (page ?? links.first).flatMap {
            FeedURL.web($0.attribute("href") ?? $0.text, against: $0.base ?? base)
        }
    }
}
