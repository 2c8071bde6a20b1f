// Generates tag soup and problematic text from a seed.
import TestBasics

struct HTMLSoup: RandomNumberGenerator {
    private var random: SeededGenerator

    private static let tags = [
        "p", "div", "h1", "h2", "pre", "code", "a", "b", "i", "em", "u", "s", "q", "small", "span", "font", "nobr",
        "ul", "ol", "li", "dl", "dt", "dd", "blockquote", "figure", "figcaption", "table", "caption", "colgroup", "col",
        "thead", "tbody", "tfoot", "tr", "td", "th", "hr", "br", "img", "image", "button", "object", "form", "input",
        "select", "option", "optgroup", "svg", "math", "desc", "title", "foreignObject", "mi", "mtext", "mglyph",
        "annotation-xml", "template", "noscript", "style", "script", "textarea", "xmp", "noembed", "iframe", "listing",
        "html", "head", "body", "frameset", "isindex", "ruby", "rt", "rp", "center", "x-y", "abbr", "cite", "menu",
        "bdo", "bdi", "mark", "ins", "del", "details",
        "summary", "video", "audio", "embed", "source",
    ]
    private static let attributes = [
        "", "", "", " href='https://example.org/?a=1&b=2'", " href=\"java\tscript:alert(1)\"",
        " src=x onerror=alert(1)",
        " src='http://example.org/p.png'", " title='</p><img src=x onerror=alert(1)>'", " colspan=3", " start=-2",
        " id=x class=y style='a:b'", " alt='&quot;<b>'", " href=mailto:a@example.org", " /", " <", " x='", " dir=rtl",
        " lang=de", " href='#x'", " href='#content-x'", " id=content-x", " name=x", " src=//example.org/v",
        " type=A value=2",
        " reversed", " scope=row", " id=body href='#body'",
    ]
    private static let pieces = [
        "text", " ", "\n", "\r", "\t", "\u{C}", "&", "&amp;", "&lt;script&gt;", "&#13;", "&#0;", "&#xFFFF;", "&#10;",
        "<",
        ">", "\"", "'", "\u{0}", "\u{1}", "\u{FEFF}", "\u{FFFE}", "\u{A0}", "é", "日本", "👩‍👧", "\u{202E}", "<!--", "-->",
        "<!-->", "--!>", "<![CDATA[", "]]>", "<!DOCTYPE x>", "</", "<?", "&notin", "&copy 1", "%00", "</p>", "</br>",
    ]

    init(seed: Int) {
        random = SeededGenerator(seed: UInt64(bitPattern: Int64(seed)) &* 0x9E37_79B9_7F4A_7C15)
    }

    mutating func next() -> UInt64 { random.next() }

    mutating func soup() -> String {
        (0..<Int.random(in: 1...30, using: &self)).map { _ in piece() }.joined()
    }

    /// Text that gumbo returns unchanged: without control characters and noncharacters.
    mutating func text() -> String {
        let odd = Self.pieces.filter { !["\u{0}", "\u{1}", "\u{FFFE}"].contains($0) }
        return (0..<Int.random(in: 0...8, using: &self)).map { _ in
            Bool.random(using: &self) ? odd.randomElement(using: &self) ?? "" : piece(from: odd)
        }.joined()
    }

    private mutating func piece(from pieces: [String] = HTMLSoup.pieces) -> String {
        let tag = Self.tags.randomElement(using: &self) ?? ""
        switch Int.random(in: 0..<10, using: &self) {
        case 0..<5:
            let attributes = Self.attributes.randomElement(using: &self) ?? ""
            return "<\(tag)\(attributes)>"
        case 5..<7: return "</\(tag)>"
        default: return pieces.randomElement(using: &self) ?? ""
        }
    }
}
