// The allowlist of HTML elements in untrusted text.

import CGumbo

enum ElementPolicy {
    /// Removed with its content.
    case dropped
    /// A player of another site: replaced by a link to what it plays.
    case embed
    /// Removed, keeping its content. Also for unknown elements.
    case through
    /// Removed, with its content separated from the surroundings in paragraphs.
    case division
    /// Contains only text and inline elements.
    case paragraph(String)
    case inline(String)
    /// Contains anything: a quotation, a figure.
    case container(String)
    /// Contains only specific children: a list, a table.
    case structure(String)
    /// Allowed only as a direct child of one of `parents`.
    case child(String, parents: [String])
    case rule, lineBreak, image

    static func of(_ tag: GumboTag) -> ElementPolicy {
        switch tag {
        case GUMBO_TAG_P: .paragraph("p")
        case GUMBO_TAG_H1, GUMBO_TAG_H2: .paragraph("h2")
        case GUMBO_TAG_H3: .paragraph("h3")
        case GUMBO_TAG_H4: .paragraph("h4")
        case GUMBO_TAG_H5: .paragraph("h5")
        case GUMBO_TAG_H6: .paragraph("h6")
        case GUMBO_TAG_PRE, GUMBO_TAG_LISTING: .paragraph("pre")

        case GUMBO_TAG_A: .inline("a")
        case GUMBO_TAG_B: .inline("b")
        case GUMBO_TAG_STRONG: .inline("strong")
        case GUMBO_TAG_I: .inline("i")
        case GUMBO_TAG_EM: .inline("em")
        case GUMBO_TAG_U: .inline("u")
        case GUMBO_TAG_S, GUMBO_TAG_STRIKE: .inline("s")
        case GUMBO_TAG_DEL: .inline("del")
        case GUMBO_TAG_INS: .inline("ins")
        case GUMBO_TAG_MARK: .inline("mark")
        case GUMBO_TAG_BDI: .inline("bdi")
        case GUMBO_TAG_BDO: .inline("bdo")
        case GUMBO_TAG_RUBY: .inline("ruby")
        case GUMBO_TAG_RT: .inline("rt")
        case GUMBO_TAG_RP: .inline("rp")
        // Only with a language or writing direction.
        case GUMBO_TAG_SPAN: .inline("span")
        case GUMBO_TAG_SUB: .inline("sub")
        case GUMBO_TAG_SUP: .inline("sup")
        case GUMBO_TAG_CODE, GUMBO_TAG_KBD, GUMBO_TAG_SAMP, GUMBO_TAG_TT: .inline("code")
        case GUMBO_TAG_ABBR, GUMBO_TAG_ACRONYM: .inline("abbr")
        case GUMBO_TAG_CITE: .inline("cite")
        case GUMBO_TAG_Q: .inline("q")
        case GUMBO_TAG_SMALL: .inline("small")
        case GUMBO_TAG_TIME: .inline("time")

        case GUMBO_TAG_BLOCKQUOTE: .container("blockquote")
        case GUMBO_TAG_FIGURE: .container("figure")
        case GUMBO_TAG_FIGCAPTION: .child("figcaption", parents: ["figure"])
        case GUMBO_TAG_DETAILS: .container("details")
        case GUMBO_TAG_SUMMARY: .child("summary", parents: ["details"])

        case GUMBO_TAG_HR: .rule
        case GUMBO_TAG_BR: .lineBreak
        case GUMBO_TAG_IMG: .image

        default: ofStructure(tag) ?? ofUnwritten(tag)
        }
    }

    /// Lists and tables.
    private static func ofStructure(_ tag: GumboTag) -> ElementPolicy? {
        switch tag {
        case GUMBO_TAG_UL, GUMBO_TAG_MENU, GUMBO_TAG_DIR: .structure("ul")
        case GUMBO_TAG_OL: .structure("ol")
        case GUMBO_TAG_LI: .child("li", parents: ["ul", "ol"])
        case GUMBO_TAG_DL: .structure("dl")
        case GUMBO_TAG_DT: .child("dt", parents: ["dl"])
        case GUMBO_TAG_DD: .child("dd", parents: ["dl"])

        case GUMBO_TAG_TABLE: .structure("table")
        case GUMBO_TAG_CAPTION: .child("caption", parents: ["table"])
        case GUMBO_TAG_THEAD: .child("thead", parents: ["table"])
        case GUMBO_TAG_TBODY: .child("tbody", parents: ["table"])
        case GUMBO_TAG_TFOOT: .child("tfoot", parents: ["table"])
        case GUMBO_TAG_TR: .child("tr", parents: ["thead", "tbody", "tfoot"])
        case GUMBO_TAG_TD: .child("td", parents: ["tr"])
        case GUMBO_TAG_TH: .child("th", parents: ["tr"])
        default: nil
        }
    }

    /// Elements that are never written themselves.
    private static func ofUnwritten(_ tag: GumboTag) -> ElementPolicy {
        switch tag {
        case GUMBO_TAG_DIV, GUMBO_TAG_SECTION, GUMBO_TAG_ARTICLE, GUMBO_TAG_HEADER, GUMBO_TAG_FOOTER,
            GUMBO_TAG_MAIN, GUMBO_TAG_NAV, GUMBO_TAG_ASIDE, GUMBO_TAG_ADDRESS, GUMBO_TAG_CENTER, GUMBO_TAG_HGROUP,
            GUMBO_TAG_FORM, GUMBO_TAG_FIELDSET, GUMBO_TAG_LEGEND:
            .division

        case GUMBO_TAG_IFRAME, GUMBO_TAG_VIDEO, GUMBO_TAG_AUDIO, GUMBO_TAG_OBJECT, GUMBO_TAG_EMBED: .embed

        case GUMBO_TAG_SCRIPT, GUMBO_TAG_STYLE, GUMBO_TAG_TEMPLATE, GUMBO_TAG_NOSCRIPT, GUMBO_TAG_TITLE,
            GUMBO_TAG_FRAME, GUMBO_TAG_FRAMESET, GUMBO_TAG_NOFRAMES, GUMBO_TAG_NOEMBED, GUMBO_TAG_APPLET,
            GUMBO_TAG_PARAM, GUMBO_TAG_CANVAS, GUMBO_TAG_MAP, GUMBO_TAG_SVG, GUMBO_TAG_MATH,
            GUMBO_TAG_TEXTAREA, GUMBO_TAG_SELECT, GUMBO_TAG_DATALIST, GUMBO_TAG_OPTGROUP, GUMBO_TAG_OPTION,
            GUMBO_TAG_XMP, GUMBO_TAG_PLAINTEXT, GUMBO_TAG_COLGROUP:
            .dropped

        default: .through
        }
    }

    /// Elements whose removal changes nothing but the looks, so that it is not reported.
    static func isNeutral(_ tag: GumboTag) -> Bool {
        switch tag {
        case GUMBO_TAG_HTML, GUMBO_TAG_HEAD, GUMBO_TAG_BODY, GUMBO_TAG_SPAN, GUMBO_TAG_FONT, GUMBO_TAG_BIG,
            GUMBO_TAG_NOBR, GUMBO_TAG_WBR, GUMBO_TAG_LABEL, GUMBO_TAG_RB, GUMBO_TAG_RTC, GUMBO_TAG_SOURCE,
            GUMBO_TAG_TRACK, GUMBO_TAG_PARAM,
            GUMBO_TAG_COLGROUP, GUMBO_TAG_COL, GUMBO_TAG_BASEFONT, GUMBO_TAG_BLINK, GUMBO_TAG_META,
            GUMBO_TAG_LINK:
            true
        default: false
        }
    }
}
