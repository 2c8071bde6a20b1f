// Tests what styles mean, and what attributes mean something.
import Markup
import Testing

@Suite("Styles and attributes of rich text")
struct HTMLStyleTests {
    @Test(
        "Google Docs, Word and Pages write bold and the like as styles",
        arguments: [
            // The wrapper of Google Docs, which is not bold.
            (
                "<meta charset=utf-8><b style=\"font-weight:normal;\" id=docs-internal-guid-0><p dir=ltr style=\"line-height:1.38\">"
                    + "<span style=\"font-size:11pt;font-weight:400;font-style:normal\">The lock opens at </span>"
                    + "<span style=\"font-weight:700;font-style:normal\">nine</span>"
                    + "<span style=\"font-weight:400;font-style:italic\"> on weekdays.</span></p></b>",
                "<p dir=\"ltr\">The lock opens at <strong>nine</strong><em> on weekdays.</em></p>"
            ),
            ("<strong style='font-weight: 400'>a</strong> <i style=font-style:normal>b</i>", "a b"),
            ("<u style=text-decoration:none>a</u> <s style='text-decoration: none'>b</s>", "a b"),
            ("<b>a<span style=font-weight:normal>b</span>c</b>", "<b>a</b>b<b>c</b>"),
            ("<b>a<span style=font-weight:normal>b<b>c</b></span></b>", "<b>a</b>b<b>c</b>"),
            ("<em>a<b>b<i style=font-style:normal>c</i></b>d</em>", "<em>a<b>b</b></em><b>c</b><em>d</em>"),
            ("<span style='FONT-WEIGHT : Bold !important'>a</span>", "<strong>a</strong>"),
            ("<span style=font-weight:600>a</span><span style=font-weight:599>b</span>", "<strong>a</strong>b"),
            (
                "<span style='text-decoration: underline line-through'>a</span>", "<u><s>a</s></u>"
            ),
            ("<span style='text-decoration-line:line-through'>a</span>", "<s>a</s>"),
            ("<span style='text-decoration: underline wavy red'>a</span>", "a"),
            (
                "<p>H<span style=vertical-align:sub>2</span>O<span style='vertical-align: super'>1</span>",
                "<p>H<sub>2</sub>O<sup>1</sup></p>"
            ),
            ("<font style='font:italic bold 12px/30px Georgia, serif'>a</font>", "<strong><em>a</em></strong>"),
            ("<b><span style='font:12px Georgia'>a</span></b>", "a"),
            ("<b><span style='font:inherit'>a</span></b>", "<b>a</b>"),
            ("<div style=font-weight:bold>a<p>b</div>", "<p><strong>a</strong></p><p><strong>b</strong></p>"),
            (
                "<ul style=font-style:italic><li>a<li style=font-style:normal>b</ul>",
                "<ul><li><em>a</em></li><li>b</li></ul>"
            ),
            ("<span style=\"x:url(';font-weight:bold');font-style:italic\">a</span>", "<em>a</em>"),
            // Twice is once.
            ("<b style=font-weight:bold><span style=font-weight:700>a</span></b>", "<b>a</b>"),
            (
                "<i><span style=font-style:italic>a</span></i><cite style=font-style:italic>b</cite>",
                "<i>a</i><cite>b</cite>"
            ),
            // Headings are bold anyway, and links have a line.
            ("<div style=font-weight:bold><h2>a</h2>b</div>", "<h2>a</h2><p><strong>b</strong></p>"),
            ("<h1 style=font-weight:bold><span style=font-weight:700>a</span></h1>", "<h2>a</h2>"),
            (
                "<table><tr><th><span style=font-weight:700>a</span><td><span style=font-weight:700>b</span></table>",
                "<table><tbody><tr><th>a</th><td><strong>b</strong></td></tr></tbody></table>"
            ),
            (
                "<span style=text-decoration:underline>a <a href='https://example.org/'>b</a></span>",
                "<u>a </u><a href=\"https://example.org/\" rel=\"nofollow ugc noopener\">b</a>"
            ),
            (
                "<a href='https://example.org/' style=text-decoration:none><span style=text-decoration:underline>b</span></a>",
                "<a href=\"https://example.org/\" rel=\"nofollow ugc noopener\">b</a>"
            ),
        ])
    func styles(html: String, expected: String) throws {
        #expect(try HTMLSanitizer.sanitize(html) == expected)
        #expect(try HTMLSanitizer.sanitize(expected) == expected)
    }

    @Test(
        "A style is named if it says more than what is kept",
        arguments: [
            ("<span style='font-weight:bold;text-decoration:none;vertical-align:baseline'>a</span>", nil),
            ("<span style=''>a</span>", nil), ("<span style='font-weight:bold;color:red'>a</span>", "Removed: style."),
            ("<td style=vertical-align:middle>a", nil),
            ("<table><td style=vertical-align:middle>a</table>", "Removed: style."),
            ("<span style='font:bold 12px x'>a</span>", "Removed: style."),
        ] as [(String, String?)])
    func namesStyles(html: String, sentence: String?) throws {
        #expect(try HTMLSanitizer.clean(html).sentence == sentence)
    }

    @Test(
        "Times, languages of code and open details are kept",
        arguments: [
            (
                "<time datetime=2026-11-20T18:00+01:00>Friday</time>",
                "<time datetime=\"2026-11-20T18:00+01:00\">Friday</time>"
            ),
            ("<time datetime='P2DT3H'>two days</time>", "<time datetime=\"P2DT3H\">two days</time>"),
            ("<time>Friday</time>", "<time>Friday</time>"),
            (
                "<pre class='hljs language-c++'><code class=\"lang-c++ x\">a</code></pre>",
                "<pre class=\"language-c++\"><code class=\"lang-c++\">a</code></pre>"
            ),
            ("<p class=language-c>a", "<p>a</p>"), ("<code class='language-'>a</code>", "<code>a</code>"),
            (
                "<details open=open><summary>a</summary>b</details>",
                "<details open=\"\"><summary>a</summary>b</details>"
            ),
        ])
    func keeps(html: String, expected: String) throws {
        #expect(try HTMLSanitizer.sanitize(html) == expected)
        #expect(try HTMLSanitizer.clean(expected).sentence == nil && HTMLSanitizer.sanitize(expected) == expected)
    }

    @Test(
        "Every attribute that means something and is removed is named",
        arguments: [
            ("<time datetime='<next week>'>a</time>", "Removed: datetime."),
            ("<ins datetime=2026>a</ins>", "Removed: datetime."),
            (
                "<img src=https://example.org/a.jpg srcset='b.jpg 2x' sizes=100vw usemap=#m loading=lazy>",
                "Removed: srcset, usemap."
            ),
            (
                "<picture><source srcset=a.webp type=image/webp><img src=https://example.org/a.jpg></picture>",
                "Removed: srcset."
            ),
            ("<code class=brush>a</code>", "Removed: class."),
            ("<p class=a data-x=1 role=note align=left itemprop=x>a", nil),
            ("<p title=t>a", "Removed: title."),
            ("<blockquote cite=https://example.org/>a</blockquote>", "Removed: cite."),
            ("<table summary=s><tr><td headers=h colspan=1>a</table>", "Removed: summary, headers."),
            ("<table><tr><td colspan=999>a</table>", "Removed: colspan."),
            ("<p lang=en_US dir=up>a", "Removed: lang, dir."),
            ("<a href=https://example.org/ download ping=x target=_blank rel=me>a</a>", "Removed: download, ping."),
            ("<p hidden>a", "Removed: hidden."),
            ("<ol type=x start=a><li value=b>c</ol>", "Removed: type, start, value."),
            ("<var>x</var> <dfn>y</dfn> <data value=1>z</data>", "Removed: <var>, <dfn>, <data>."),
            ("<li>a</li><figcaption>b</figcaption>", "Removed: <li>, <figcaption>."),
        ] as [(String, String?)])
    func namesAttributes(html: String, sentence: String?) throws {
        #expect(try HTMLSanitizer.clean(html).sentence == sentence)
    }
}
