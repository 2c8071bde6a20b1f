// HTML that can be inserted into a page unescaped: sanitized, or a literal of this source.

import FoundationEssentials

package struct SafeHTML: Sendable, Hashable, Encodable, CustomStringConvertible {
    package let html: String

    /// Throws if the text is rejected; see `HTMLSanitizer.sanitize`.
    package init(sanitizing html: String, base: URL? = nil) throws(HTMLRefusal) {
        self.html = try HTMLSanitizer.sanitize(html, base: base)
    }

    init(_ cleaned: CleanedHTML) {
        html = cleaned.html
    }

    /// Accepts only literals of this source, which are trusted.
    package init(trusted html: StaticString) {
        self.html = html.description
    }

    private init(sanitized html: String) {
        self.html = html
    }

    /// The same with `withMediaURL`.
    package func withMediaURL(_ base: String) -> SafeHTML {
        SafeHTML(sanitized: Self.withMediaURL(base, in: html))
    }

    /// Sanitized HTML whose library images, relative to the base URL of media, are resolved against it.
    package static func withMediaURL(_ base: String, in html: String) -> String {
        guard html.contains("<img ") else { return html }
        let start = " src=\"" + HTMLEscape.attribute(base)
        return html.replacing(#/ src="(?=[0-9a-f]{2}\/[0-9a-f]{62}\.(jpg|png)")/#, with: start)
    }

    /// The same with a label and the alternative text in place of each image whose URL is not shown.
    package func withImages(where isShown: (String) -> Bool, label: (String) -> String) -> SafeHTML {
        guard html.contains("<img ") else { return self }
        // Sanitized: attributes are in double quotes and contain no angle brackets.
        let replaced = html.replacing(#/<img [^>]*>/#) { tag -> Substring in
            let url = HTMLEscape.unescaped(Self.attribute("src", in: tag.output))
            if isShown(url) { return tag.output }
            let alt = Self.attribute("alt", in: tag.output)
            return "<span class=\"tag\">\(HTMLEscape.text(label(url)))</span>\(alt.isEmpty ? "" : " ")\(alt)"
        }
        return SafeHTML(sanitized: replaced)
    }

    /// The same with paragraphs that only link to a video or a sound of a known provider as cards. Nothing of the provider is
    /// loaded before a click, which opens its page in a new tab.
    package func withEmbeds() -> SafeHTML {
        guard html.contains("<p") else { return self }
        // Sanitized: text and attributes contain no angle brackets.
        let replaced = html.replacing(#/<p(?<own>[^>]*)>\s*(?<link><a href="(?<url>[^"]*)"[^>]*>[^<]*<\/a>)\s*<\/p>/#) {
            match in
            guard let provider = EmbedProvider.ofPage(HTMLEscape.unescaped(match.url)) else { return match.0 }
            return
                "<p class=\"embed\" data-provider=\"\(provider.name)\"\(match.own)><a target=\"_blank\" \(match.link.dropFirst(3))</p>"
        }
        return SafeHTML(sanitized: replaced)
    }

    /// The URL of an image whose path is relative to the base URL of media, which ends in a slash; any other as it is.
    package static func mediaURL(_ url: String, base: String) -> String {
        url.wholeMatch(of: #/[0-9a-f]{2}\/[0-9a-f]{62}\.(jpg|png)/#) == nil ? url : base + url
    }

    /// The same with these words before each `ins` and `del`, for screen readers, few of which announce the elements.
    package func withSpokenChanges(added: String, removed: String) -> SafeHTML {
        func spoken(_ text: String) -> String { "<span class=\"visually-hidden\">\(HTMLEscape.text(text)) </span>" }
        // Sanitized: a tag without attributes is written exactly so, and is nowhere else.
        return SafeHTML(
            sanitized: html.replacing("<ins>", with: spoken(added) + "<ins>").replacing(
                "<del>", with: spoken(removed) + "<del>"))
    }

    private static func attribute(_ name: String, in tag: Substring) -> Substring {
        guard let start = tag.firstRange(of: " \(name)=\"")?.upperBound else { return "" }
        return tag[start...].prefix { $0 != "\"" }
    }

    package var description: String { html }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(html)
    }
}
