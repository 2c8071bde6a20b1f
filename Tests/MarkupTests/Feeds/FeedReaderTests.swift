// Tests the fields of documents and entries for each format.

import Testing

@testable import Markup

struct FeedReaderTests {
    @Test("An RSS 2.0 document returns all its fields")
    func rss() throws {
        let feed = try FeedSamples.read(FeedSamples.rss, url: "https://canal.example/feed.xml")
        #expect(feed.format == .rss && !feed.recovered)
        #expect(feed.title == "Towpath & lock")
        #expect(feed.link == "https://canal.example/news/")
        try #require(feed.entries.count == 2)
        let first = feed.entries[0]
        #expect(first.id == "canal-12")
        #expect(first.title == "Lock 12 reopens")
        #expect(first.url == "https://canal.example/news/lock-12")
        #expect(first.published == "2024-03-10T17:15:00Z" && first.updated == nil)
        #expect(first.html == "<p>Boats pass <em>again</em> &amp; again.</p>")
        #expect(first.summary == "Boats pass again.")
        #expect(first.author == "Ada Keeper")
        #expect(first.categories == ["Locks", "Boats"])
        let sound = FeedMedia(
            url: "https://canal.example/sound/12.mp3?a=1&b=2", type: "audio/mpeg", length: 1024, kind: .enclosure,
            seconds: 3723)
        #expect(first.media == [sound])
    }

    @Test("An entry without title and ID gets the first words of its text and a stable hash")
    func missing() throws {
        let entry = try #require(try FeedSamples.read(FeedSamples.rss).entries.last)
        #expect(entry.title == "No title here, only a text.")
        #expect(entry.id.hasPrefix("hash:") && entry.id.count == 21)
        #expect(try FeedSamples.read(FeedSamples.rss).entries.last?.id == entry.id)
        #expect(entry.url == nil && entry.published == nil && entry.author == nil && entry.media.isEmpty)
    }

    @Test("An RSS 1.0 document returns its items, which are next to the channel")
    func rdf() throws {
        let feed = try FeedSamples.read(FeedSamples.rdf)
        #expect(feed.format == .rdf && feed.title == "Towpath" && feed.link == "https://canal.example/")
        #expect(feed.entries.map(\.id) == ["https://canal.example/1", "https://canal.example/2"])
        #expect(feed.entries.map(\.url) == ["https://canal.example/1", "https://canal.example/2"])
        #expect(feed.entries.first?.published == "2024-03-10T17:15:00Z")
        #expect(feed.entries.first?.author == "Ada" && feed.entries.first?.html == "One")
    }

    @Test("An Atom 1.0 document returns all its fields, with URLs resolved by xml:base")
    func atom() throws {
        let feed = try FeedSamples.read(FeedSamples.atom)
        #expect(feed.format == .atom && !feed.recovered)
        #expect(feed.title == "Towpath & lock" && feed.link == "https://canal.example/blog/")
        try #require(feed.entries.count == 2)
        let first = feed.entries[0]
        #expect(first.id == "tag:canal.example,2024:1" && first.title == "Use of <template>")
        #expect(first.url == "https://canal.example/blog/2024/one.html")
        #expect(first.base == "https://canal.example/blog/2024/")
        #expect(first.published == "2024-03-10T17:15:00Z" && first.updated == "2024-03-10T23:30:00Z")
        #expect(first.html.hasPrefix("See"))
        #expect(first.html.hasSuffix("<a href=\"https://canal.example/blog/2024/two.html\">two</a><br>1 &lt; 2"))
        #expect(first.summary == "Plain & short" && first.author == "Feed Author")
        #expect(first.categories == ["Locks", "boats"])
        let sound = FeedMedia(
            url: "https://canal.example/blog/2024/one.ogg", type: "audio/ogg", length: 77, kind: .enclosure,
            title: "Sound")
        #expect(first.media == [sound])
        let second = feed.entries[1]
        #expect(second.html == "1 &lt; 2 &amp; 3" && second.author == "Ada, Bo")
        #expect(second.published == nil && second.updated == "2024-03-12T00:00:00Z")
    }

    @Test("An Atom 0.3 document is parsed with its modes and date elements")
    func atom03() throws {
        let feed = try FeedSamples.read(FeedSamples.atom03)
        let entry = try #require(feed.entries.first)
        #expect(feed.format == .atom && feed.entries.count == 1)
        #expect(entry.html == "<p>Hello</p>" && entry.url == "http://canal.example/e")
        #expect(entry.published == "2004-06-04T17:00:00Z" && entry.updated == "2004-06-05T17:00:00Z")
    }

    @Test("A JSON Feed returns all its fields, even if some values have the wrong type")
    func json() throws {
        let feed = try FeedSamples.read(FeedSamples.json)
        #expect(feed.format == .json && feed.title == "Towpath" && feed.link == "https://canal.example/")
        try #require(feed.entries.count == 2)
        let first = feed.entries[0]
        #expect(first.id == "17" && first.url == "https://canal.example/17" && first.title == "Seventeen")
        #expect(first.published == "2024-03-10T17:15:00Z" && first.updated == "2024-03-11T18:15:00Z")
        #expect(first.html == "<p>Hi</p>" && first.summary == "Short" && first.author == "Feed Author")
        #expect(first.categories == ["lock", "boat"])
        let sound = FeedMedia(
            url: "https://canal.example/17.mp3", type: "audio/mpeg", length: 99, kind: .enclosure, seconds: 61,
            title: "Sound")
        #expect(first.media == [sound, FeedMedia(url: "https://canal.example/17.jpg", kind: .image)])
        #expect(feed.entries[1].html == "1 &lt; 2<br>\nand more" && feed.entries[1].author == "Ada, Bo")
        #expect(feed.entries[1].title == "1 < 2 and more")
    }

    @Test("Namespaces count, not prefixes; an undeclared prefix counts as the usual one")
    func namespaces() throws {
        let other = FeedSamples.channel(
            "<item><q:encoded>Long</q:encoded><description>Short</description></item>",
            root: " xmlns:q=\"http://purl.org/rss/1.0/modules/content/\"")
        #expect(try FeedSamples.read(other).entries.first?.html == "Long")
        let undeclared = FeedSamples.channel("<item><content:encoded>Long</content:encoded></item>")
        #expect(try FeedSamples.read(undeclared).entries.first?.html == "Long")
        let foreign = FeedSamples.channel(
            "<item><title>Own</title><x:title>Foreign</x:title></item>", root: " xmlns:x=\"urn:other\"")
        #expect(try FeedSamples.read(foreign).entries.first?.title == "Own")
    }

    @Test("An item is found at any position, even nested in another one")
    func nested() throws {
        let inside = "<item><title>Outer</title><item><title>Inner</title></item><link>http://a.example/</link></item>"
        let feed = try FeedSamples.read(
            "<rss><channel><title>T</title>\(inside)</channel><item><title>Beside</title></item></rss>")
        #expect(feed.entries.map(\.title) == ["Outer", "Inner", "Beside"])
        #expect(feed.entries.map(\.url) == ["http://a.example/", nil, nil])
        #expect(!feed.recovered)
    }

    @Test("Entries with the same ID get stable distinct IDs")
    func sharedIDs() throws {
        let text = FeedSamples.channel(
            "<item><guid>g</guid><title>A</title></item><item><guid>g</guid><title>B</title></item>"
                + "<item><guid>g</guid><title>B</title></item><item><guid>g</guid><title>B</title></item>")
        let ids = try FeedSamples.read(text).entries.map(\.id)
        #expect(ids.allSatisfy { $0.hasPrefix("g#hash:") } && Set(ids).count == 4)
        #expect(try FeedSamples.read(text).entries.map(\.id) == ids)
        let entries = try FeedSamples.read(text).entries
        #expect(entries.map(\.ownID) == ["g", "g", "g", "g"])
        #expect(entries.map(\.isRepeated) == [false, false, true, true])
        // In another order, and with another one before them.
        let other = FeedSamples.channel(
            "<item><guid>g</guid><title>C</title></item><item><guid>g</guid><title>B</title></item>"
                + "<item><guid>g</guid><title>A</title></item>")
        let others = try FeedSamples.read(other).entries.map(\.id)
        #expect(others.dropFirst() == [ids[1], ids[0]])
        let alone = try FeedSamples.read(FeedSamples.channel("<item><guid>g</guid><title>A</title></item>")).entries
        #expect(alone.map(\.id) == ["g"] && alone.map(\.contentID) == [ids[0]])
    }

    @Test("Atom entries with the same ID but neither the same URL nor the same title are different ones")
    func sharedAtomIDs() throws {
        func entry(_ title: String, _ path: String) -> String {
            "<entry><id>a</id><title>\(title)</title><link href=\"https://a.example/\(path)\"/></entry>"
        }
        func titles(_ entries: String...) throws -> [String] {
            try FeedSamples.read(
                "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>T</title>\(entries.joined())</feed>"
            ).entries.map(\.title)
        }
        #expect(try titles(entry("One", "1"), entry("Two", "2")) == ["One", "Two"])
        #expect(try titles(entry("One", "1"), entry("Two", "1")) == ["One"])
        #expect(try titles(entry("One", "1"), entry("One", "2")) == ["One"])
        #expect(try titles(entry("", "1"), entry("", "2")).count == 2)
    }

    @Test(
        "Atom entries with the same ID are versions of one; the most recently updated one is kept, at its first place")
    func atomVersions() throws {
        func entry(_ id: String, _ title: String, _ updated: String) -> String {
            "<entry><id>\(id)</id><title>\(title)</title><updated>\(updated)</updated></entry>"
        }
        let text =
            "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>T</title>"
            + entry("a", "old", "2024-03-10T12:00:00Z") + entry("b", "other", "2024-03-10T12:00:00Z")
            + entry("a", "new", "2024-03-10T13:00:00+00:30") + entry("a", "same", "2024-03-10T12:30:00Z") + "</feed>"
        let entries = try FeedSamples.read(text).entries
        #expect(entries.map(\.id) == ["a", "b"] && entries.map(\.title) == ["new", "other"])
    }

    @Test("References to windows-1252 bytes are read as in HTML, in texts and attributes")
    func windowsReferences() throws {
        let text = FeedSamples.channel(
            "<item><title>don&#146;t &#x93;go&#x94;</title><description>&lt;p&gt;a&#150;b&#133;&lt;/p&gt;</description>"
                + "<enclosure url=\"https://a.example/&#146;.mp3\" type=\"audio/mpeg\"/></item>")
        let entry = try #require(try FeedSamples.read(text).entries.first)
        #expect(entry.title == "don’t “go”" && entry.html == "<p>a–b…</p>")
        #expect(entry.media.first?.url == "https://a.example/’.mp3")
        let atom = "<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry><title>don&#146;t</title></entry></feed>"
        #expect(try FeedSamples.read(atom).entries.first?.title == "don’t")
    }

    @Test("An item with only a dc:description has it as text and summary")
    func dublinCoreDescription() throws {
        let item = "<item><title>A</title><dc:description>&lt;p&gt;Only this&lt;/p&gt;</dc:description></item>"
        let entry = try #require(try FeedSamples.read(FeedSamples.channel(item)).entries.first)
        #expect(entry.html == "<p>Only this</p>" && entry.summary == "Only this")
        let both = FeedSamples.channel("<item><description>Own</description><dc:description>DC</dc:description></item>")
        #expect(try FeedSamples.read(both).entries.first?.html == "Own")
    }

    @Test(
        "A link relation may be written as the URL that the IANA gives it",
        arguments: [
            ("alternate", true), ("Alternate", true), ("http://www.iana.org/assignments/relation/alternate", true),
            ("https://www.iana.org/assignments/relation/alternate", true), ("", true),
            ("http://www.iana.org/assignments/relation/self", false), ("https://other.example/alternate", false),
            ("self", false),
        ])
    func linkRelations(relation: String, isPage: Bool) throws {
        let text =
            "<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry><title>A</title>"
            + "<link rel=\"\(relation)\" href=\"https://a.example/1\"/></entry></feed>"
        #expect(try FeedSamples.read(text).entries.first?.url == (isPage ? "https://a.example/1" : nil))
    }

    @Test("The base of a text is the nearest xml:base, also of the element that contains it")
    func baseOfText() throws {
        let atom =
            "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:base=\"https://a.example/\"><entry><title>A</title>"
            + "<content type=\"html\" xml:base=\"b/\">&lt;a href=\"c\">c&lt;/a></content></entry></feed>"
        let entry = try #require(try FeedSamples.read(atom).entries.first)
        #expect(entry.base == "https://a.example/b/" && entry.html == "<a href=\"c\">c</a>")
        let rss = FeedSamples.channel(
            "<link>https://page.example/p/</link><item><description>x</description></item>")
        #expect(try FeedSamples.read(rss).entries.first?.base == "https://page.example/p/")
    }

    @Test(
        "Only http and https URLs are accepted as URL of an entry",
        arguments: [
            ("https://a.example/x y", "https://a.example/x%20y"), ("javascript:alert(1)", nil),
            ("ftp://a.example/", nil),
            ("http:///path", nil), ("//b.example/z", "https://b.example/z"), ("?q=1", "https://a.example/d/f?q=1"),
            ("../up", "https://a.example/up"), ("../../../up", "https://a.example/up"), ("data:text/html,x", nil),
            ("#top", "https://a.example/d/f#top"), ("HTTP://A.example/", "HTTP://A.example/"),
        ])
    func addresses(written: String, read: String?) {
        #expect(FeedURL.web(written, against: "https://a.example/d/f") == read)
    }

    @Test("Relative URLs use xml:base, then the page of the feed, then the URL of the document")
    func bases() throws {
        let item = "<item><link>x</link></item>"
        let url = "https://host.example/dir/feed.xml"
        let plain = try FeedSamples.read(FeedSamples.channel(item), url: url)
        #expect(plain.entries.first?.url == "https://host.example/dir/x")
        let page = try FeedSamples.read(FeedSamples.channel("<link>https://page.example/p/</link>" + item), url: url)
        #expect(page.entries.first?.url == "https://page.example/p/x")
        let based = FeedSamples.channel(
            "<link>https://page.example/p/</link>" + item, root: " xml:base=\"https://base.example/\"")
        #expect(try FeedSamples.read(based, url: url).entries.first?.url == "https://base.example/x")
        #expect(try FeedSamples.read(FeedSamples.channel(item)).entries.first?.url == nil)
    }

    @Test("A long title is cut after a word, one of the maximum length is not")
    func titleLength() throws {
        let most = String(repeating: "four ", count: FeedLimits.titleCharacters / 5).dropLast() + "s"
        #expect(most.count == FeedLimits.titleCharacters)
        for (title, expected) in [(String(most), String(most)), (most + "x", nil)] {
            let read = try FeedSamples.read(FeedSamples.channel("<item><title>\(title)</title></item>"))
            let found = try #require(read.entries.first?.title)
            #expect(found.count <= FeedLimits.titleCharacters)
            if let expected { #expect(found == expected) } else { #expect(found.hasSuffix("four…")) }
        }
    }

    @Test("Plain text drops markup, keeps literal tags in titles, and decodes entities")
    func plainText() {
        #expect(
            FeedText.plain("a <b>b</b> <template> &lt;c&gt; &#8217;&#150;&hellip;&nope; &", without: .inline)
                == "a b <template> <c> ’–…&nope; &")
        #expect(FeedText.plain("<p>a</p><p>b<!-- c --></p><script>d</script>e", without: .all) == "a b e")
        #expect(FeedText.plain("1 < 2 <", without: .all) == "1 < 2 <")
    }
}
