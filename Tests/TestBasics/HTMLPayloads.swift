// Attacks on sanitizers from OWASP's cheat sheet and the publications about mutation XSS, with a judge of the result.

package enum HTMLPayloads {
    package static let all = [
        "<script>alert(1)</script>", "<ScRiPt/x>alert(1)</sCrIpT >", "<img src=x onerror=alert(1)>",
        "<img src=`javascript:alert(1)`>", "<IMG \"\"\"><SCRIPT>alert(1)</SCRIPT>\">", "<svg onload=alert(1)>",
        "<svg><script>alert(1)</script></svg>", "<svg><a xlink:href=javascript:alert(1)>x</a></svg>",
        "<math href=javascript:alert(1)>x</math>", "<a href=javascript:alert(1)>x</a>",
        "<a href=\"java&#x09;script:alert(1)\">x</a>", "<a href=\"&#106;avascript&colon;alert(1)\">x</a>",
        "<a href=\" \u{1}javascript:alert(1)\">x</a>", "<a href=data:text/html,<script>alert(1)</script>>x</a>",
        "<a href=vbscript:msgbox(1)>x</a>", "<a href=//evil.example target=_top>x</a>",
        "<iframe src=javascript:alert(1)></iframe>", "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
        "<object data=javascript:alert(1)></object>", "<embed src=javascript:alert(1)>",
        "<video><source onerror=alert(1)></video>",
        "<video src=javascript:alert(1) poster=javascript:alert(1)></video>",
        "<audio src=x onerror=alert(1)>", "<body onload=alert(1)>", "<input autofocus onfocus=alert(1)>",
        "<select onfocus=alert(1) autofocus><option>x", "<form action=javascript:alert(1)><button>x</button></form>",
        "<button formaction=javascript:alert(1)>x</button>",
        "<details open ontoggle=alert(1)><summary>x</summary></details>",
        "<marquee onstart=alert(1)>x</marquee>", "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
        "<link rel=stylesheet href=javascript:alert(1)>", "<base href=javascript:alert(1)//>",
        "<style>@import 'javascript:alert(1)';</style>", "<p style='background:url(javascript:alert(1))'>x</p>",
        "<table background=javascript:alert(1)><td>x</table>", "<isindex action=javascript:alert(1)>",
        "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
        "<svg></p><style><a id=\"</style><img src=1 onerror=alert(1)>\">",
        "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">",
        "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
        "<xmp><p title=\"</xmp><img src=x onerror=alert(1)>\">",
        "<listing>&lt;img src=x onerror=alert(1)&gt;</listing>",
        "<a title=\"`<img src=x onerror=alert(1)>\" href=https://example.org/>x</a>",
        "<![CDATA[><img src=x onerror=alert(1)>]]>", "<!--><img src=x onerror=alert(1)>-->",
        "<a id=body href=#body>x</a><p id=cookie>y</p>", "<ruby><rt><img src=x onerror=alert(1)></rt></ruby>",
        "<bdo dir='rtl\" onclick=\"alert(1)'>x</bdo>", "<span lang='de\" onclick=\"alert(1)'>x</span>",
        "<th scope='col\" onclick=\"alert(1)'>x</th>", "<a href='tel:1\" onclick=\"alert(1)'>x</a>",
        "<iframe src='https://example.org/\" onclick=\"alert(1)' title='<img src=x onerror=alert(1)>'></iframe>",
        "<p id='x\" onclick=\"alert(1)'>x</p><a href='#x\" onclick=\"alert(1)'>y</a>",
    ]

    /// What no output may contain: an element or attribute outside the documented lists, or an address with a scheme
    /// that runs something. Ids without prefix would replace objects of a page's scripts.
    package static func faults(_ html: String) -> [String] {
        let page = HTMLPage(html)
        let urls = (page.values["href"] ?? []) + (page.values["src"] ?? [])
        let badURLs = urls.filter { url in
            !["https://", "http://", "mailto:", "tel:", "#content-"].contains { url.lowercased().hasPrefix($0) }
        }
        let badIDs = (page.values["id"] ?? []).filter { !$0.hasPrefix("content-") }
        let badClasses = (page.values["class"] ?? []).filter {
            $0.wholeMatch(of: #/(lang(uage)?-[\w+#.-]+ ?)+/#) == nil
        }
        return Array(page.tags.subtracting(tags)) + Array(page.attributes.subtracting(attributes)) + badURLs + badIDs
            + badClasses
    }

    /// As listed in `docs/reference/rich-text.md`.
    static let tags: Set<String> = [
        "p", "br", "b", "strong", "i", "em", "u", "s", "sub", "sup", "ul", "ol", "li", "dl", "dt", "dd", "blockquote",
        "pre", "code", "a", "img", "h2", "h3", "h4", "h5", "h6", "hr", "figure", "figcaption", "table", "thead",
        "tbody", "tfoot", "tr", "th", "td", "caption", "abbr", "cite", "q", "small", "del", "ins", "mark", "bdi",
        "bdo", "span", "ruby", "rt", "rp", "details", "summary", "time",
    ]
    static let attributes: Set<String> = [
        "href", "title", "rel", "src", "alt", "width", "height", "colspan", "rowspan", "start", "dir", "lang", "id",
        "scope", "type", "reversed", "value", "class", "open", "datetime",
    ]
}
