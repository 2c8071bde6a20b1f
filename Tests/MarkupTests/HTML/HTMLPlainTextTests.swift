// Tests the conversion of HTML to plain text.

import Markup
import Testing

@Suite struct HTMLPlainTextTests {
    @Test(
        "blocks become lines, white space is collapsed, references are decoded",
        arguments: [
            ("", ""),
            ("<p>Hello <b>bold</b>\n  world</p><p>next</p>", "Hello bold world\nnext"),
            ("a<br>b<hr>c", "a\nb\nc"),
            ("<ul><li>one<li>two</ul>tail", "one\ntwo\ntail"),
            ("<table><tr><td>a<td>b<tr><td>c</table>", "a b\nc"),
            ("AT&amp;T &copy; 2024&nbsp;x &lt;b&gt;", "AT&T © 2024 x <b>"),
            ("a<script>x</script><style>y</style><svg><text>z</text></svg>b", "ab"),
            ("  a\t\r\n b  ", "a b"),
            ("<div><div><p>a</p></div></div><div>b</div>", "a\nb"),
            ("x<i>y</i>z", "xyz"),
            ("a\u{0}\u{1}b\u{FEFF}", "ab"),
        ])
    func reads(html: String, expected: String) throws {
        #expect(try HTMLSanitizer.plainText(html) == expected)
    }
}
