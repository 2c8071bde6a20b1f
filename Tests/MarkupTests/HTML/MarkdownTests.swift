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
            ("[a](javascript:x) ![b](b.png)", "Removed: href, src."), ("[a](page)", "Removed: href."),
            ("`<!-- raw HTML omitted -->`", nil),
        ] as [(String, String?)])
    func namesRemoved(source: String, sentence: String?) throws {
        #expect(try Markdown.clean(source).sentence == sentence)
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
