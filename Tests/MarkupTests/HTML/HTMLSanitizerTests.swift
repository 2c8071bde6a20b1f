// Tests HTML sanitizing: allowed, removed, repaired and rejected markup.

import FoundationEssentials
import Markup
import Testing

@Suite struct HTMLSanitizerTests {
    @Test(
        "S3: allowed markup is kept",
        arguments: [
            "<p>Hello <b>bold</b> and <i>it</i></p>",
            "<h2>A</h2><h3>B</h3><h4>C</h4><h5>D</h5><h6>E</h6>",
            "<ul><li>one</li><li>two<ol start=\"3\"><li>three</li></ol></li></ul>",
            "<dl><dt>term</dt><dd>meaning</dd></dl>",
            "<blockquote><p>quoted</p></blockquote>",
            "<pre>a\n  b <code>if (a &lt; b) {}</code></pre>",
            "<table><caption>c</caption><thead><tr><th>h</th></tr></thead>"
                + "<tbody><tr><td colspan=\"2\" rowspan=\"3\">d</td></tr></tbody></table>",
            "<figure><img src=\"https://example.org/p.png\" alt=\"A\" title=\"B\" width=\"10\" height=\"20\">"
                + "<figcaption>c</figcaption></figure>",
            "a<br>b<hr>c",
            "<em>e</em><strong>s</strong><u>u</u><s>s</s><sub>1</sub><sup>2</sup><q>q</q><cite>c</cite><small>s</small>",
            "<abbr title=\"World Wide Web\">WWW</abbr>",
            "5 &lt; 6 and 7 &gt; 3, AT&amp;T",
            "café 日本語 👨‍👩‍👧 مرحبا",
        ])
    func keepsAllowed(html: String) throws {
        #expect(try HTMLSanitizer.sanitize(html) == html)
    }

    @Test(
        "S3: active content is removed with its fallback",
        arguments: [
            ("<script>alert(1)</script>a", "a"),
            ("<style>p{}</style>a", "a"),
            ("a<iframe src='https://example.org/'>b</iframe>", "a"),
            ("a<object data=x>b</object><embed src=x>", "a"),
            ("a<svg><a href='https://example.org/'>b</a><script>1</script></svg>c", "ac"),
            ("a<math><mi>b</mi></math>c", "ac"),
            ("a<template><b>b</b></template>c", "ac"),
            ("a<textarea><b>b</textarea>c", "ac"),
            ("a<select><option>b</select>c", "ac"),
            ("a<xmp><b></xmp>c", "ac"),
            ("a<noscript>b</noscript>c", "ac"),
            ("a<plaintext>b<p>c", "a"),
            ("a<!-- b -->c<!DOCTYPE x>", "ac"),
            ("<p onclick=alert(1) id=a class=b style=c name=d>x</p>", "<p>x</p>"),
            ("<img src=x onerror=alert(1)>", ""),
            ("<form action=x>a<input name=b><button>c</button></form>", "<p>ac</p>"),
            ("<marquee><blink>a</blink></marquee>", "a"),
        ])
    func dropsForbidden(html: String, expected: String) throws {
        #expect(try HTMLSanitizer.sanitize(html) == expected)
    }

    @Test(
        "misnested, unclosed and misplaced elements are repaired",
        arguments: [
            ("<p>one<p>two", "<p>one</p><p>two</p>"),
            ("<b>x<i>y</b>z</i>", "<b>x<i>y</i></b><i>z</i>"),
            ("<div>a<div>b</div>c</div>", "<p>a</p><p>b</p><p>c</p>"),
            ("<span>a</span>", "a"),
            ("<h1>a</h1>", "<h2>a</h2>"),
            ("<b><p>a</p></b>", "<p><b>a</b></p>"),
            ("<ul>text<li>a</ul>", "<ul><li>text</li><li>a</li></ul>"),
            ("<ul><ul><li>a</ul></ul>", "<ul><li><ul><li>a</li></ul></li></ul>"),
            ("<li>a</li>", "<p>a</p>"),
            ("<table><tr><td>a<td>b</table>", "<table><tbody><tr><td>a</td><td>b</td></tr></tbody></table>"),
            ("<table>a<tr><td>b</table>", "a<table><tbody><tr><td>b</td></tr></tbody></table>"),
            ("<h2>a<div>b</div>c</h2>", "<h2>a</h2><p>b</p><h2>c</h2>"),
            ("<pre>\n\nx</pre>", "<pre>\n\nx</pre>"),
            ("<p> </p><p></p><div><br></div>", ""),
            ("<b><b>a</b></b>", "<b>a</b>"),
            ("a\u{0}\u{1}\u{FEFF}&#xFFFF;b&#13;c", "ab\nc"),
            ("", ""),
        ])
    func repairs(html: String, expected: String) throws {
        #expect(try HTMLSanitizer.sanitize(html) == expected)
    }

    @Test("links get rel attributes, and relative links require a base")
    func links() throws {
        let marked = #"<a href="https://example.org/b?x=1&amp;y=2" title="t" rel="nofollow ugc noopener">a</a>"#
        #expect(
            try HTMLSanitizer.sanitize("<a href='https://example.org/b?x=1&y=2' title=t rel=opener target=_top>a</a>")
                == marked)
        #expect(try HTMLSanitizer.sanitize("<a href='b?x=1&y=2'>a</a><img src=p.png>") == "a")
        // The path of a library image is relative, and only an image may have it.
        let path = "52/" + String(repeating: "a", count: 62) + ".png"
        for written in [path, "/media/" + path] {
            #expect(try HTMLSanitizer.sanitize("<img src='\(written)'>") == #"<img src="\#(path)" alt="">"#)
            #expect(try HTMLSanitizer.sanitize("<a href='\(written)'>a</a>") == "a")
        }
        #expect(try HTMLSanitizer.sanitize("<img src='x/\(path)'><img src='\(path)?a'>") == "")
        #expect(
            SafeHTML.withMediaURL(
                "https://m.example/", in: #"<img src="\#(path)" alt=""><img src="https://a.example/">"#)
                == #"<img src="https://m.example/\#(path)" alt=""><img src="https://a.example/">"#)
        let base = try #require(URL(string: "https://example.org/a/c"))
        #expect(
            try HTMLSanitizer.sanitize("<a href='../b?x=1&y=2' title=t>a</a><img src=//cdn.example/p.png>", base: base)
                == marked + #"<img src="https://cdn.example/p.png" alt="">"#)
        #expect(
            try HTMLSanitizer.sanitize(
                "<a href='https://a.example/'>a<object><a href='https://b.example/'>b</a></object></a>")
                == #"<a href="https://a.example/" rel="nofollow ugc noopener">a</a>"#)
    }

    @Test(
        "numbers in attributes are kept only within limits",
        arguments: [
            ("<ol start=32767><li>a</ol>", "<ol start=\"32767\"><li>a</li></ol>"),
            ("<ol start=32768><li>a</ol>", "<ol><li>a</li></ol>"),
            ("<ol start='1e3'><li>a</ol>", "<ol><li>a</li></ol>"),
            ("<table><td colspan=100>a</table>", "<table><tbody><tr><td colspan=\"100\">a</td></tr></tbody></table>"),
            ("<table><td colspan=101>a</table>", "<table><tbody><tr><td>a</td></tr></tbody></table>"),
        ])
    func numbers(html: String, expected: String) throws {
        #expect(try HTMLSanitizer.sanitize(html) == expected)
    }

    @Test("S3: sanitizing is idempotent for 20,000 soups", arguments: 0..<20)
    func isIdempotent(seed: Int) throws {
        var soups = HTMLSoup(seed: seed)
        for _ in 0..<1000 {
            let soup = soups.soup()
            guard let once = try? HTMLSanitizer.sanitize(soup) else { continue }
            let twice = try HTMLSanitizer.sanitize(once)
            #expect(twice == once, "from \(soup.debugDescription)")
        }
    }

    @Test("S3: no soup results in an element or attribute outside the allowlist", arguments: 0..<20)
    func leavesOnlyAllowed(seed: Int) throws {
        var soups = HTMLSoup(seed: 1000 + seed)
        let allowedTags: Set<String> = [
            "p", "br", "b", "strong", "i", "em", "u", "s", "sub", "sup", "ul", "ol", "li", "dl", "dt", "dd",
            "blockquote",
            "pre", "code", "a", "img", "h2", "h3", "h4", "h5", "h6", "hr", "figure", "figcaption", "table", "thead",
            "tbody", "tr", "th", "td", "caption", "abbr", "cite", "q", "small",
        ]
        let allowedAttributes: Set<String> = [
            "href", "title", "rel", "src", "alt", "width", "height", "colspan", "rowspan", "start",
        ]
        for _ in 0..<500 {
            let soup = soups.soup()
            guard let clean = try? HTMLSanitizer.sanitize(soup) else { continue }
            let page = HTMLPage(clean)
            #expect(page.tags.isSubset(of: allowedTags), "from \(soup.debugDescription)")
            #expect(page.attributes.isSubset(of: allowedAttributes), "from \(soup.debugDescription)")
        }
    }

    @Test(
        "S3: mutation XSS is prevented",
        arguments: [
            "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
            "<svg></p><style><a id=\"</style><img src=1 onerror=alert(1)>\">",
            "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">",
            "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
            "<math><annotation-xml encoding=\"text/html\"><style><img src=x onerror=alert(1)></style></annotation-xml>",
            "<svg><style>&lt;img src=x onerror=alert(1)&gt;</style></svg>",
            "<xmp><p title=\"</xmp><img src=x onerror=alert(1)>\">",
            "<listing>&lt;img src=x onerror=alert(1)&gt;</listing>",
            "<a title=\"`<img src=x onerror=alert(1)>\" href=\"https://example.org/\">x</a>",
            "<![CDATA[><img src=x onerror=alert(1)>]]>",
            "<table><caption><svg><title><table><td><img src=x onerror=alert(1)>",
        ])
    func surviveMutation(html: String) throws {
        let clean = try HTMLSanitizer.sanitize(html)
        let page = HTMLPage(clean)
        #expect(page.tags.isDisjoint(with: ["img", "svg", "math", "style", "script", "xmp", "form"]))
        #expect(!page.attributes.contains("onerror"))
        #expect(try HTMLSanitizer.sanitize(clean) == clean)
    }

    @Test("S51: 1 MiB is accepted, one more byte is rejected")
    func limitsLength() throws {
        let text = String(repeating: "a", count: 1 << 20)
        #expect(try HTMLSanitizer.sanitize(text) == text)
        #expect(throws: HTMLRefusal.tooLong(limit: 1 << 20)) { try HTMLSanitizer.sanitize(text + "a") }
        #expect(throws: HTMLRefusal.tooLong(limit: 1 << 20)) { try HTMLSanitizer.plainText(text + "a") }
    }

    @Test("S51: 20,000 tags are accepted, one more is rejected")
    func limitsTags() throws {
        let tags = String(repeating: "<p>a</p>", count: 10_000)
        #expect(try HTMLSanitizer.sanitize(tags) == tags)
        #expect(throws: HTMLRefusal.tooManyTags) { try HTMLSanitizer.sanitize(tags + "<p>") }
        #expect(throws: HTMLRefusal.tooManyTags) {
            try HTMLSanitizer.sanitize(String(repeating: "<div>", count: 100_000))
        }
    }

    @Test("S51: 256 attributes of a tag are accepted, one more is rejected")
    func limitsAttributes() throws {
        let attributes = (1...256).map { " x\($0)" + ($0 % 2 == 0 ? "='>'" : "") }.joined()
        #expect(try HTMLSanitizer.sanitize("<p\(attributes)>a</p>") == "<p>a</p>")
        #expect(throws: HTMLRefusal.tooManyTags) { try HTMLSanitizer.sanitize("<p\(attributes) y>a</p>") }
    }

    @Test("S51: deep nesting is flattened and its text kept")
    func flattens() throws {
        for tag in ["div", "blockquote", "ul", "b", "table><td", "a href='https://example.org/'", "svg", "font"] {
            let html = String(repeating: "<\(tag)>", count: 5000) + "text"
            let clean = try HTMLSanitizer.sanitize(html)
            if tag != "svg" { #expect(clean.contains("text"), "\(tag)") }
            #expect(HTMLPage(clean).depth <= 48, "\(tag)")
            #expect(try HTMLSanitizer.sanitize(clean) == clean, "\(tag)")
            #expect(try HTMLSanitizer.plainText(html) == (tag == "svg" ? "" : "text"))
        }
    }

    @Test("S51: tags whose repair would multiply them are rejected")
    func refusesMultiplication() {
        let html = "<p>" + (0..<2000).map { "<b id=\($0)>" }.joined() + String(repeating: "<p>x", count: 2000)
        #expect(throws: HTMLRefusal.tooTangled) { try HTMLSanitizer.sanitize(html) }
    }

    @Test(
        "S51: text that fails an assertion of the parser is rejected, and the next one is parsed",
        arguments: [
            "<table><svg><desc><![CDATA[x]]>y", "<table><svg><select><title><select><th>",
            "<svg><html><title><select><select></body>",
        ])
    func survivesAssertions(html: String) throws {
        #expect(throws: HTMLRefusal.tooTangled) { try HTMLSanitizer.sanitize(html) }
        #expect(try HTMLSanitizer.sanitize("<p>a</p>") == "<p>a</p>")
    }

    @Test("S51: length and tags together are bounded")
    func limitsProduct() throws {
        let text = String(repeating: "a", count: 1_000_000 - 3 * 2000)
        let atLimit = String(repeating: "<p>", count: 2000) + text
        #expect(try HTMLSanitizer.sanitize(atLimit) == "<p>\(text)</p>")
        #expect(throws: HTMLRefusal.tooManyTags) { try HTMLSanitizer.sanitize(atLimit + "a") }
    }

    @Test("S51: long runs of one character are accepted", arguments: ["a", "<", "&", "\"", "</", "<!", "<a ", "&#"])
    func readsRuns(piece: String) throws {
        let html = String(repeating: piece, count: piece == "<a " ? 10_000 : 100_000)
        do {
            let clean = try HTMLSanitizer.sanitize(html)
            #expect(try HTMLSanitizer.sanitize(clean) == clean)
        } catch HTMLRefusal.tooManyTags {
            #expect(piece == "<a ")
        }
    }
}
