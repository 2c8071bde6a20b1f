// Tests the repair of malformed documents and wrong encodings.

import Testing

@testable import Markup

struct FeedRepairTests {
    @Test(
        "White space, text or an empty line before the XML declaration is ignored",
        arguments: ["\n", " \t", "Notice: x\n"])
    func leading(start: String) throws {
        let feed = try FeedSamples.read(start + FeedSamples.rss)
        #expect(feed.recovered && feed.entries.count == 2)
    }

    @Test(
        "Repairs in text",
        arguments: [
            ("M&uuml;nchen&nbsp;", "München\u{A0}"), ("Salt & pepper", "Salt & pepper"), ("a&b;c", "a&b;c"),
            ("x?a=1&copy=2", "x?a=1&copy=2"), ("1 < 2", "1 < 2"), ("bell\u{7}", "bell"), ("&#7;", "\u{FFFD}"),
            ("a]]>b", "a]]>b"),
            ("&bogus;&amp;", "&bogus;&"), ("\u{FFFF}x", "x"), ("&#xZ;", "&#xZ;"), ("&", "&"),
        ])
    func texts(written: String, read: String) throws {
        let feed = try FeedSamples.read(FeedSamples.channel("<item><guid>\(written)</guid></item>"))
        #expect(feed.recovered)
        #expect(feed.entries.first?.id == FeedText.trim(read))
    }

    @Test("Unquoted and duplicate attributes and bare ampersands are repaired")
    func attributes() throws {
        for attributes in [
            "url=http://a.example/?a&b", "url='http://a.example/?a&b' url='http://b.example/'",
            "x url = \"http://a.example/?a&b\"",
        ] {
            let feed = try FeedSamples.read(FeedSamples.channel("<item><enclosure \(attributes) /></item>"))
            #expect(feed.recovered)
            #expect(feed.entries.first?.media.first?.url == "http://a.example/?a&b")
        }
    }

    @Test("Unclosed and doubly closed tags do not swallow the following content")
    func openTags() throws {
        let text = FeedSamples.channel(
            "<item><title>A</title><description>one<br>two<p>three</description></item>"
                + "<item><title>B</title></b></item><item><title>C<item><title>D</title></item>")
        let feed = try FeedSamples.read(text)
        #expect(feed.recovered)
        #expect(feed.entries.map(\.title) == ["A", "B", "C", "D"])
        #expect(feed.entries.first?.html == "one<br>two<p>three</p>")
    }

    @Test("More line breaks than the depth limit are only line breaks")
    func lineBreaks() throws {
        let breaks = String(repeating: "<br>", count: FeedLimits.depth + 1)
        let feed = try FeedSamples.read(FeedSamples.channel("<item><description>a\(breaks)b</description></item>"))
        #expect(feed.recovered && feed.entries.first?.html.hasSuffix("b") == true)
    }

    @Test("Content after the root is dropped")
    func trailing() throws {
        let feed = try FeedSamples.read(FeedSamples.rss + "<script>track()</script>")
        #expect(feed.recovered && feed.entries.count == 2)
    }

    @Test("A document truncated at any position returns only complete entries, or is rejected")
    func cutOff() throws {
        for sample in [FeedSamples.rss, FeedSamples.rdf, FeedSamples.atom, FeedSamples.atom03] {
            let whole = try FeedSamples.read(sample).entries
            let bytes = Array(sample.utf8)
            var sawSome = false
            for length in 1..<bytes.count {
                guard let cut = try? FeedReader.read(Array(bytes[..<length]), contentType: nil, url: nil) else {
                    continue
                }
                sawSome = true
                #expect(cut.recovered && cut.entries.count <= whole.count)
                for (part, entry) in zip(cut.entries, whole) {
                    #expect(part.id == entry.id && part.html == entry.html && part.media == entry.media)
                }
            }
            #expect(sawSome)
        }
    }

    @Test(
        "A document is decoded with its declared encoding",
        arguments: [
            ("KOI8-R", [0xF0, 0xD2, 0xC9, 0xD7, 0xC5, 0xD4] as [UInt8], "Привет"),
            ("windows-1251", [0xCF, 0xF0, 0xE8], "При"),
            ("gb2312", [0xB9, 0xE3, 0xD6, 0xDD], "广州"), ("ISO-8859-7", [0xE1, 0xE2, 0xE3], "αβγ"),
            ("iso-8859-1", [0x93, 0xE9, 0x94], "“é”"), ("Shift_JIS", [0x93, 0xFA, 0x96, 0x7B], "日本"),
        ])
    func encodings(label: String, bytes: [UInt8], read: String) throws {
        let feed = try self.read(bytes, declaration: "<?xml version='1.0' encoding='\(label)'?>")
        #expect(feed.entries.first?.title == read && !feed.recovered)
        let byHeader = try self.read(bytes, declaration: "", contentType: "text/xml; charset=\"\(label)\"")
        #expect(byHeader.entries.first?.title == read && !byHeader.recovered)
    }

    private func read(_ title: [UInt8], declaration: String, contentType: String? = nil) throws -> FeedDocument {
        let start = Array((declaration + "<rss><channel><item><title>").utf8)
        let end = Array("</title></item></channel></rss>".utf8)
        return try FeedReader.read(start + title + end, contentType: contentType, url: nil)
    }

    @Test("A document without a declared encoding that is not UTF-8 is decoded as windows-1252")
    func western() throws {
        for declaration in ["", "<?xml version='1.0'?>", "<?xml version='1.0' encoding='UTF-8'?>"] {
            let feed = try read([0x4D, 0xFC, 0x6E, 0x80], declaration: declaration)
            #expect(feed.recovered && feed.entries.first?.title == "Mün€")
        }
    }

    @Test("Single invalid bytes in UTF-8 become replacement characters")
    func wrongBytes() throws {
        let feed = try read(Array("äöü".utf8) + [0xFF] + Array("ß".utf8), declaration: "<?xml version='1.0'?>")
        #expect(feed.recovered && feed.entries.first?.title == "äöü\u{FFFD}ß")
    }

    @Test("UTF-8 is detected despite another declared encoding")
    func mislabelled() throws {
        let title = Array("Brønd – ærø".utf8)
        let header = try read(title, declaration: "<?xml version='1.0'?>", contentType: "text/xml; charset=iso-8859-1")
        #expect(header.entries.first?.title == "Brønd – ærø" && !header.recovered)
        let label = try read(title, declaration: "<?xml version='1.0' encoding='ISO-8859-1'?>")
        #expect(label.entries.first?.title == "Brønd – ærø" && label.recovered)
        let unknown = try read(title, declaration: "<?xml version='1.0' encoding='x-own'?>")
        #expect(unknown.entries.first?.title == "Brønd – ærø" && unknown.recovered)
    }

    @Test("Byte order marks are detected: UTF-8, UTF-16 and UTF-32")
    func marks() throws {
        let text = FeedSamples.rss
        #expect(
            try FeedReader.read([0xEF, 0xBB, 0xBF] + Array(text.utf8), contentType: nil, url: nil).entries.count == 2)
        let units = Array(text.utf16)
        let little: [UInt8] = [0xFF, 0xFE] + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big: [UInt8] = [0xFE, 0xFF] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        for bytes: [UInt8] in [little, big, Array(little.dropFirst(2)), Array(big.dropFirst(2))] {
            let feed = try FeedReader.read(bytes, contentType: nil, url: nil)
            #expect(feed.title == "Towpath & lock" && !feed.recovered)
        }
        let wide: [UInt8] =
            [0xFF, 0xFE, 0, 0] + text.unicodeScalars.flatMap { [UInt8($0.value & 0xFF), UInt8($0.value >> 8), 0, 0] }
        #expect(try FeedReader.read(wide, contentType: nil, url: nil).entries.count == 2)
    }

    @Test("An unknown encoding is rejected if the bytes are not UTF-8")
    func unknownEncoding() {
        let bytes = Array("<?xml version='1.0' encoding='x-own'?><rss><channel><title>".utf8) + [0xE9, 0x41]
        #expect(FeedSamples.refusal(bytes) == .encoding)
    }

    @Test("Halves of surrogate pairs and NUL in a JSON Feed are replaced, and the rest of the text is kept")
    func jsonCharacters() throws {
        func titles(_ written: String...) throws -> (titles: [String], recovered: Bool) {
            let items = written.map { #"{"id": "\#($0.count)", "title": "\#($0)", "content_html": "\#($0)"}"# }
            let feed = try FeedSamples.read(
                #"{"version": "https://jsonfeed.org/version/1", "items": [\#(items.joined(separator: ","))]}"#)
            #expect(feed.entries.map(\.html) == feed.entries.map(\.title))
            return (feed.entries.map(\.title), feed.recovered)
        }
        let broken = try titles(#"cut \ud83d"#, #"\udc26 low"#, #"a\u0000b"#, #"\ud83d\ud83d\udc26 two"#)
        #expect(broken.titles == ["cut \u{FFFD}", "\u{FFFD} low", "a\u{FFFD}b", "\u{FFFD}\u{1F426} two"])
        #expect(broken.recovered)
        let whole = try titles(#"\ud83d\udc26"#, #"\\ud83d \\u0000"#, #"\u00e9"#)
        #expect(whole.titles == ["\u{1F426}", #"\ud83d \u0000"#, "\u{E9}"] && !whole.recovered)
    }
}
