// Tests the type for safe HTML.

import FoundationEssentials
import Markup
import Testing

@Suite struct SafeHTMLTests {
    @Test("HTML is safe if sanitized or a literal, and is encoded as a JSON string")
    func makes() throws {
        #expect(try SafeHTML(sanitizing: "<b onclick=x>a").html == "<b>a</b>")
        #expect(SafeHTML(trusted: "<hr>").html == "<hr>")
        let json = try JSONEncoder().encode([SafeHTML(trusted: "<hr>")])
        #expect(String(decoding: json, as: UTF8.self) == #"["<hr>"]"#)
        #expect(throws: HTMLRefusal.self) {
            try SafeHTML(sanitizing: String(repeating: "<p>", count: 30_000))
        }
    }

    @Test(
        "A paragraph with only a link to a video or a sound of a known provider is a card",
        arguments: [
            ("https://www.youtube.com/watch?v=aB-3_x", "YouTube"), ("https://youtu.be/aB?t=30", "YouTube"),
            ("https://www.youtube.com/watch?v=", nil), ("https://www.youtube.com/about", nil),
            ("http://vimeo.com/77", "Vimeo"), ("https://vimeo.com/77/ab", "Vimeo"), ("https://vimeo.com/about", nil),
            ("https://dai.ly/x7", "Dailymotion"), ("https://open.spotify.com/track/7q", "Spotify"),
            ("https://open.spotify.com/7q", nil), ("https://example.org/youtube.com/watch?v=a", nil),
            ("https://notyoutube.com/watch?v=a", nil), ("https://youtube.com.example.org/watch?v=a", nil),
            ("mailto:vimeo.com/77", nil), ("https://m.youtube.com/watch?v=a", "YouTube"),
            ("https://www.m.youtube.com/watch?v=a", "YouTube"), ("https://mm.youtube.com/watch?v=a", nil),
            ("https://www.youtube.com/embed/a", nil),
        ] as [(String, String?)])
    func cards(url: String, provider: String?) throws {
        let html = try SafeHTML(sanitizing: "<p dir=ltr> <a href=\"\(url)\">A &lt;film&gt;</a> </p>").withEmbeds().html
        #expect(html.contains("class=\"embed\"") == (provider != nil), "\(html)")
        if let provider { #expect(html.hasPrefix("<p class=\"embed\" data-provider=\"\(provider)\" dir=\"ltr\">")) }
        #expect(html.contains("target=\"_blank\"") == (provider != nil) && html.contains(">A &lt;film&gt;</a>"))
    }

    @Test("A link among other text is no card, and a card's URL stays escaped")
    func links() throws {
        for text in ["See <a href='https://vimeo.com/7'>it</a>", "<a href='https://vimeo.com/7'><b>it</b></a>"] {
            let html = try SafeHTML(sanitizing: "<p>\(text)</p>")
            #expect(html.withEmbeds() == html)
        }
        let html = try SafeHTML(sanitizing: "<p><a href='https://youtu.be/a?b=1&c=\"><script>'>x</a></p>").withEmbeds()
            .html
        #expect(!html.contains("<script"))
        #expect(try SafeHTML(sanitizing: html).withEmbeds().html == html)
    }
}
