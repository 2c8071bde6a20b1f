// Tests how images are found in fields, texts and settings.
import Testing

@testable import Domain

@Suite("Images in content")
struct ImageUseTests {
    private static let path = "52/" + String(repeating: "a", count: 62) + ".png"

    @Test(
        "A9, A40: a path of a library file is found in any text, but never inside a longer word",
        arguments: [
            ("![Logo](PATH)", true), ("PATH", true), ("see /media/PATH.", true), ("media/PATH", true),
            ("{\"logo\": \"PATH\"}", true), ("https://cms.example.org/media/PATH", false),
            ("https://other.example/x/PATH?y", false), ("files/PATH", false),
        ])
    func paths(text: String, isRelative: Bool) {
        let images = TextImage.images(in: text.replacing("PATH", with: Self.path), of: .text)
        #expect(images == [.file(path: Self.path, isRelative: isRelative)])
    }

    @Test("No path", arguments: ["", "a/b", "x" + path, path + "x", String(path.dropLast()), path.uppercased()])
    func noPaths(text: String) {
        #expect(TextImage.images(in: text, of: .longText) == [])
    }

    @Test("A41: external images are found in rich text and Markdown; links are none")
    func external() {
        let html = #"<p><a href="https://a.example/l.png">x</a><img src="https://a.example/?x=1&amp;y=2" alt=""></p>"#
        #expect(
            TextImage.images(in: html, of: .richText) == [.external(url: "https://a.example/?x=1&y=2", path: nil)])
        let markdown = "[l](https://a.example/l.png) ![one](https://a.example/1.png \"t\") ![two](<http://b.example/2>)"
        #expect(
            TextImage.images(in: markdown, of: .markdown) == [
                .external(url: "https://a.example/1.png", path: nil), .external(url: "http://b.example/2", path: nil),
            ])
        #expect(TextImage.images(in: markdown, of: .text) == [])
        // A file of this or of another library: the database knows which.
        let url = "https://cms.example.org/media/" + Self.path
        #expect(
            TextImage.images(in: "<img src=\"\(url)\" alt=\"\">", of: .richText) == [
                .external(url: url, path: Self.path)
            ])
    }

    @Test("A41: exactly the known URLs of images are replaced")
    func replacing() {
        let html =
            #"<a href="https://a.example/1">1</a><img src="https://a.example/1" alt="x"><img src="https://b.example">"#
        let new = TextImage.replacing(html, of: .richText) { $0 == "https://a.example/1" ? Self.path : nil }
        #expect(
            new == #"<a href="https://a.example/1">1</a><img src=""# + Self.path
                + #"" alt="x"><img src="https://b.example">"#)
        #expect(TextImage.replacing("![](https://a.example/1)", of: .markdown) { _ in "p" } == "![](p)")
    }
}
