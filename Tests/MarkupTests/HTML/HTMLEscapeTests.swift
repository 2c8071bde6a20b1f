// Tests the escaping of text in elements and attributes.

import Markup
import TestBasics
import Testing

@Suite struct HTMLEscapeTests {
    @Test("S2: only markup characters are escaped")
    func escapes() {
        #expect(HTMLEscape.text("a & b <c> \"d\" 'e' é") == "a &amp; b &lt;c&gt; \"d\" 'e' é")
        #expect(HTMLEscape.attribute("a & b <c> \"d\" 'e' é") == "a &amp; b &lt;c&gt; &quot;d&quot; &#39;e&#39; é")
        #expect(HTMLEscape.text("") == "")
        #expect(HTMLEscape.text("a\r\nb\u{0}") == "a&#13;\nb\u{FFFD}")
    }

    @Test("S2: any text round-trips", arguments: 0..<10)
    func readsBack(seed: Int) {
        var soups = HTMLSoup(seed: seed)
        for _ in 0..<500 {
            let text = soups.text()
            #expect(HTMLPage("<p>\(HTMLEscape.text(text))</p>").text == text)
            #expect(HTMLPage("<p title=\"\(HTMLEscape.attribute(text))\">").values["title"] == [text])
            #expect(HTMLPage("<p title='\(HTMLEscape.attribute(text))'>").values["title"] == [text])
        }
    }
}
