// Maps each namespace of feeds to a fixed prefix.

enum FeedNamespace {
    /// The prefix with its colon; empty for RSS. An undeclared prefix counts as the usual one.
    static func prefix(uri: String?, prefix: String?) -> String {
        guard let uri else {
            guard let prefix = prefix?.lowercased() else { return "" }
            return known.contains(prefix) ? prefix + ":" : unknown
        }
        return prefixes[normal(uri)] ?? unknown
    }

    static let unknown = "?:"

    /// Corrects uppercase, https and a trailing slash, which are common mistakes in these names.
    private static func normal(_ uri: String) -> String {
        var uri = FeedText.trim(uri).lowercased()
        if uri.hasPrefix("https://") { uri = "http://" + uri.dropFirst(8) }
        while uri.hasSuffix("/") { uri.removeLast() }
        return uri
    }

    private static let known: Set<String> = [
        "atom", "content", "dc", "dcterms", "media", "itunes", "rdf", "xhtml", "xml",
    ]

    private static let prefixes: [String: String] = [
        "": "",
        "http://purl.org/rss/1.0": "",
        "http://purl.org/net/rss1.1#": "",
        "http://my.netscape.com/rdf/simple/0.9": "",
        "http://channel.netscape.com/rdf/simple/0.9": "",
        "http://my.netscape.com/publish/formats/rss-0.91.dtd": "",
        "http://backend.userland.com/rss": "",
        "http://backend.userland.com/rss2": "",
        "http://blogs.law.harvard.edu/tech/rss": "",
        "http://cyber.law.harvard.edu/rss": "",
        "http://www.w3.org/2005/atom": "atom:",
        "http://purl.org/atom/ns#": "atom:",
        "http://purl.org/rss/1.0/modules/content": "content:",
        "http://purl.org/dc/elements/1.1": "dc:",
        "http://purl.org/dc/terms": "dcterms:",
        "http://search.yahoo.com/mrss": "media:",
        "http://video.search.yahoo.com/mrss": "media:",
        "http://www.itunes.com/dtds/podcast-1.0.dtd": "itunes:",
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf:",
        "http://www.w3.org/1999/xhtml": "xhtml:",
        "http://www.w3.org/xml/1998/namespace": "xml:",
    ]
}
