// Tests the context-dependent escaping of values.

import Markup
import TestBasics
import Testing

@Suite struct TemplateEscapeTests {
    private static let hostile = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)", "</title><script>",
        "</textarea><script>alert(1)</script>", "--><b>", "&lt;b&gt;", "&quot;", "{{name}}", "}}{{", "a\r\nb\rc\n",
        "\n\nx",
        "`x`", "\u{202E}abc", "👩‍👧‍👦", "ｓｃｒｉｐｔ", "javascript:alert(1)", "' or 1=1 --", "$(touch x)", "%00", "\\u003cb>",
        "", " ", "\t", "é́", "زز", "Ω≈ç√∫˜µ≤≥÷", "<![CDATA[", "]]>", "=cmd|' /C calc'!A0", "a=b&c=d#e?f/g", "..",
        "%2e%2e/",
    ]

    @Test("S2: any value round-trips exactly in every context", arguments: 0..<10)
    func readsBack(seed: Int) throws {
        let templates = try TemplateSet(sources: [
            "page": "<title>{{v}}</title><p title=\"{{v}}\" lang='{{v}}'>", "text": "<b>{{v}}</b>",
            "area": "<textarea>{{v}}</textarea>", "lines": "<pre>{{#if v}}{{v}}{{/if}}</pre>",
            "input": "<input value=\"a{{v}}b\" alt=\"{{#if v}}{{v}}{{else}}{{/if}}\">",
            "link": "<a href=\"/queue?at={{v}}&amp;b=1\">x</a><a href='/entries/{{v}}/edit'>y</a>",
        ])
        var soups = HTMLSoup(seed: seed)
        for value in Self.hostile + (0..<200).map({ _ in soups.text() }) {
            func page(_ name: String) throws -> HTMLPage {
                HTMLPage(String(decoding: try templates.render(name, ["v": value]), as: UTF8.self))
            }
            #expect(try page("page").text == value)
            #expect(try page("page").values["title"] == [value])
            #expect(try page("page").values["lang"] == [value])
            #expect(try page("text").text == value)
            #expect(try page("area").text == value)
            #expect(try page("lines").text == value)
            #expect(try page("input").values["value"] == ["a\(value)b"])
            #expect(try page("input").values["alt"] == [value])
            let encoded = Self.percentEncoded(value)
            #expect(try page("link").values["href"] == ["/queue?at=\(encoded)&b=1", "/entries/\(encoded)/edit"])
        }
    }

    private static func percentEncoded(_ text: String) -> String {
        text.utf8.map { byte in
            let character = Character(Unicode.Scalar(byte))
            if byte < 128, character.isLetter || character.isNumber || "-._~".contains(character) {
                return String(character)
            }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }

    @Test(
        "S2: at the start of a URL, only safe schemes and URLs of this site are kept",
        arguments: [
            ("/queue?a=1&b=2", "/queue?a=1&b=2"), ("https://example.org/", "https://example.org/"), ("?p=2", "?p=2"),
            ("#a", "#a"), ("mailto:a@example.org", "mailto:a@example.org"), ("javascript:alert(1)", "#"),
            (" java\tscript:alert(1)", "#"), ("//example.org", "#"), ("/\\example.org", "#"), ("data:text/html,x", "#"),
            ("", "#"), ("queue", "#"), ("/a\" onclick=\"alert(1)", "/a\"%20onclick=\"alert(1)"),
        ])
    func addresses(value: String, expected: String) throws {
        for attribute in ["href", "src", "action", "formaction", "poster", "xlink:href", "HREF"] {
            let html = try TemplateFixture.render("<x \(attribute)=\"{{v}}\">", ["v": .string(value)])
            #expect(HTMLPage(html).values[attribute.lowercased()] == [expected])
        }
        let further = try TemplateFixture.render("<a href='{{v}}/{{v}}?{{v}}'>", ["v": .string("/a b")])
        #expect(further == "<a href='/a%20b/%2Fa%20b?%2Fa%20b'>")
    }

    @Test("S2: safe HTML is inserted unescaped only in text")
    func safeHTML() throws {
        let fields: [String: TemplateValue] = ["v": .html(SafeHTML(trusted: "<b>x</b>"))]
        #expect(try TemplateFixture.render("<p>{{v}}</p>", fields) == "<p><b>x</b></p>")
        #expect(try TemplateFixture.render("<title>{{v}}</title>", fields) == "<title>&lt;b&gt;x&lt;/b&gt;</title>")
        #expect(try TemplateFixture.render("<p title=\"{{v}}\">", fields) == "<p title=\"&lt;b&gt;x&lt;/b&gt;\">")
        #expect(try TemplateFixture.render("<a href=\"/{{v}}\">", fields) == "<a href=\"/%3Cb%3Ex%3C%2Fb%3E\">")
    }

    @Test(
        "attributes, whole or in part, may depend on conditions",
        arguments: [
            ("<option{{#if yes}} selected{{/if}}>", "<option selected>"),
            ("<option {{#if yes}}selected{{/if}}>", "<option selected>"),
            ("<p{{#if yes}} class=\"{{v}}\"{{else}} hidden{{/if}} id='x'>", "<p class=\"a&quot;b\" id='x'>"),
            ("<input disabled{{#if yes}} checked{{/if}}/>", "<input disabled checked/>"),
            ("<p class=\"a{{#if yes}} b{{/if}}{{#unless yes}} c{{/unless}}\">", "<p class=\"a b\">"),
            ("<a href=\"{{#if yes}}/x{{else}}{{path}}{{/if}}?q={{v}}\">", "<a href=\"/x?q=a%22b\">"),
            ("<a href=\"/x?{{#each list}}i={{this}}&amp;{{/each}}\">", "<a href=\"/x?i=1&amp;i=2&amp;\">"),
            ("<p {{#each list}} data-x{{/each}}>", "<p  data-x data-x>"),
            ("<script src=\"/a.js?v={{v}}\"></script>", "<script src=\"/a.js?v=a%22b\"></script>"),
            ("<style>p > a {}</style><p>{{v}}", "<style>p > a {}</style><p>a\"b"),
            ("<script>if (a</b) {}</SCRIPT >{{v}}", "<script>if (a</b) {}</SCRIPT >a\"b"),
            ("<!-- > --><!doctype html>{{v}}", "<!-- > --><!doctype html>a\"b"),
            ("a < b </ > <> {{v}}", "a < b </ > <> a\"b"),
            ("<title></titl>{{v}}</title>{{h}}", "<title></titl>a\"b</title><i>"),
        ])
    func partsOfTags(source: String, expected: String) throws {
        let fields: [String: TemplateValue] = [
            "yes": .bool(true), "v": .string("a\"b"), "path": .string("/p"), "list": .array([.int(1), .int(2)]),
            "h": .html(SafeHTML(trusted: "<i>")),
        ]
        #expect(try TemplateFixture.render(source, fields) == expected)
    }
}
