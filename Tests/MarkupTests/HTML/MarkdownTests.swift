// Tests the conversion of Markdown to sanitized HTML.

import Markup
import TestBasics
import Testing

@Suite struct MarkdownTests {
    @Test(
        "CommonMark becomes HTML, raw HTML and dangerous links do not",
        arguments: [
            ("# Title\n\nA *b* **c** `d`", "<h2>Title</h2>\n<p>A <em>b</em> <strong>c</strong> <code>d</code></p>\n"),
            ("1. a\n2. b", "<ol><li>a</li><li>b</li></ol>\n"),
            ("> q", "<blockquote>\n<p>q</p>\n</blockquote>\n"),
            (
                "[a](https://example.org/)",
                "<p><a href=\"https://example.org/\" rel=\"nofollow ugc noopener\">a</a></p>\n"
            ),
            ("[a](javascript:alert(1))", "<p>a</p>\n"),
            ("a <b onclick=x>b</b>", "<p>a b</p>\n"),
            ("<script>alert(1)</script>", "\n"),
            ("```swift\nlet a = 1\n```", "<pre><code class=\"language-swift\">let a = 1\n</code></pre>\n"),
            ("|a|b|\n|-|-|\n|c|d|", "<p>|a|b|\n|-|-|\n|c|d|</p>\n"),
            ("a < b & c", "<p>a &lt; b &amp; c</p>\n"),
            ("", ""),
        ])
    func converts(source: String, expected: String) throws {
        #expect(try Markdown.html(source).html == expected)
    }

    @Test(
        "B61: what the conversion drops is named",
        arguments: [
            ("**a** `<b>` <!-- raw", nil), ("a <b>b</b>", "Removed: HTML tags."),
            ("<script>\nx", "Removed: HTML tags."),
            ("[a](javascript:x) ![b](b.png)", "Removed from the HTML: href, src."),
            ("[a](page) <b>x</b>", "Removed: HTML tags. Removed from the HTML: href."),
            ("`<!-- raw HTML omitted -->`", nil),
        ] as [(String, String?)])
    func namesRemoved(source: String, sentence: String?) throws {
        #expect(try Markdown.clean(source).sentence == sentence)
    }

    @Test(
        "B61: the source loses HTML tags and nothing else",
        arguments: [
            ("a <script>alert(1)</script> b", "a alert(1) b"), ("<script>\nalert(1)\n</script>\n\nb *c*", "\n\nb *c*"),
            ("`<b>` \\<b> &lt;b> <b>x</b>", "`<b>` \\<b> &lt;b> x"), ("```\n<b>\n```\n<b>", "```\n<b>\n```\n"),
            ("{a_b} <i>*x*</i>  \ny", "{a_b} *x*  \ny"), ("> <div>\n> a\n> </div>\n\nb", "> \n\nb"),
            ("- one <br>\n  two <b\n  title=\"x\">three</b>\n- four", "- one \n  two three\n- four"),
            ("é <b>ü</b> 🐦 <i>x</i>", "é ü 🐦 x"), ("a <!-- b --> c", "a  c"),
            ("<scr<b>ipt>x</scr</b>ipt>", "\\<script\\>x\\</script\\>\n"),
            ("*\n- <scr<a\nb></b><div>\n", "  - \n[//]: #\n\n  - \\<scr\n"),
            ("<https://example.org/> <a@example.org> a < b > c", nil), ("[a](<b c>) ![x](y '<b>')", nil),
        ] as [(String, String?)])
    func stripsTags(source: String, expected: String?) throws {
        let cleaned = try Markdown.clean(source)
        #expect(cleaned.source == expected)
        guard let stripped = cleaned.source else { return }
        #expect(try Markdown.clean(stripped).source == nil)
        let words = try [source, stripped].map { try HTMLSanitizer.plainText(Markdown.html($0).html) }
        #expect(words[0] == words[1], "both render to the same words")
    }

    @Test("B61: whatever the source, no HTML tag is left in it", arguments: TestScale.seeds(1 as UInt64, 2))
    func leavesNoTags(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "<b>", "</b>", "<div>\n", "\n", "\n\n", "> ", "- ", "    ", "`", "```\n", "x", " ", "<!--", "-->", "<scr",
            "ipt>", "é",
            "*", "<a\nb>", "<?x?>", "\\", "[", "](", ")", "&lt;",
        ]
        for _ in 0..<TestScale.count(4000) {
            let source = (0..<Int.random(in: 1...20, using: &random)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }.joined()
            guard let stripped = try Markdown.clean(source).source else { continue }
            #expect(
                try Markdown.clean(stripped).source == nil, "\(source.debugDescription) \(stripped.debugDescription)")
        }
    }

    @Test("B61: HTML inside Markdown is shown by no construct", arguments: HTMLPayloads.all)
    func dropsPayloads(payload: String) throws {
        for source in [
            payload, "> \(payload)", "- \(payload)", "# \(payload)", "`\(payload)`", "```\n\(payload)\n```",
            "[\(payload)](\(payload))", "![\(payload)](\(payload))", "[x]: \(payload)\n[x]", "<\(payload)>",
        ] {
            let html = try Markdown.html(source).html
            #expect(HTMLPayloads.faults(html).isEmpty, "\(source.debugDescription) became \(html.debugDescription)")
        }
    }

    @Test(
        "Sanitized HTML is written as CommonMark that says the same",
        arguments: [
            "<p>One <em>two</em> *three* <strong>four</strong></p><h3>Five</h3><p>1. six</p>",
            "<ul><li><p>a</p></li><li><p>b</p><ol><li><p>c</p></li></ol></li></ul><hr><p>d<br>e</p>",
            "<ol start=\"3\"><li>a</li><li>b <b>c</b></li></ol>",
            "<ul><li><p>a</p><p>b</p></li><li><p>c</p></li></ul>", "<blockquote><p>q <code>a`b</code></p></blockquote>",
            "<p><a href=\"https://example.org/?a=1&amp;b=(2)\" rel=\"nofollow ugc noopener\" title=\"T\">x</a></p>",
            "<p><img src=\"https://example.org/a.png\" alt=\"A [path]\"> &lt;b&gt;</p>", "",
        ])
    func writesSource(text: String) throws {
        let html = try SafeHTML(sanitizing: text).html
        let source = try #require(Markdown.source(of: html), "\(html)")
        #expect(try Markdown.clean(source).source == nil, "no HTML: \(source)")
        let words = try [html, Markdown.html(source).html].map { try HTMLSanitizer.plainText($0) }
        #expect(words[0] == words[1])
    }

    @Test(
        "What CommonMark can't say has no source",
        arguments: [
            "<table><tbody><tr><td>x</td></tr></tbody></table>", "<p lang=\"fr\">x</p>", "<p><u>x</u></p>",
            "<figure><img src=\"https://example.org/a.png\" alt=\"\"></figure>", "<p id=\"note\">x</p>",
            "<ul><li>a</li></ul><ul><li>b</li></ul>",
        ])
    func hasNoSource(html: String) {
        #expect(Markdown.source(of: html) == nil)
    }

    @Test("64 KiB are accepted, one more byte is rejected")
    func limitsLength() throws {
        let text = String(repeating: "a", count: 64 * 1024)
        #expect(try Markdown.html(text).html == "<p>\(text)</p>\n")
        #expect(throws: HTMLRefusal.tooLong(limit: 64 * 1024)) { try Markdown.html(text + "a") }
    }

    @Test(
        "malicious repetition is accepted or rejected without a crash",
        arguments: [">", "[", "*a _", "- ", "`", "![", "<"])
    func hostile(piece: String) {
        let source = String(repeating: piece, count: 64 * 1024 / piece.utf8.count)
        do {
            #expect(try !Markdown.html(source).html.contains("<script"))
        } catch {
            #expect(error == .tooManyTags)
        }
    }
}
