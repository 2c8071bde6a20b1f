// Tests the comparison of two versions of rich text: words, blocks, formatting, images, and its limits.
import FoundationEssentials
import Markup
import TestBasics
import Testing

@Suite struct HTMLDiffTests {
    private func html(_ diff: HTMLDiff) -> [String] { diff.blocks.map { "\($0.kind.rawValue): \($0.html)" } }

    private func diff(_ old: String, _ new: String) throws -> HTMLDiff {
        let diff = try HTMLDiff(from: old, to: new)
        try expectVersions(diff, old, new)
        return diff
    }

    /// Without what was added it is the old text, without what was removed the new one; and the sanitizer keeps it as it is.
    private func expectVersions(_ diff: HTMLDiff, _ old: String, _ new: String) throws {
        let whole = diff.blocks.map(\.html.html).joined()
        #expect(try HTMLSanitizer.sanitize(whole) == whole)
        #expect(try text(whole.replacing(#/<ins>.*?<\/ins>/#.dotMatchesNewlines(), with: "")) == text(shown(old)))
        #expect(try text(whole.replacing(#/<del>.*?<\/del>/#.dotMatchesNewlines(), with: "")) == text(shown(new)))
    }

    /// The text's own `ins` and `del` are no changes.
    private func shown(_ html: String) throws -> String {
        try HTMLSanitizer.sanitize(html).replacing("<ins>", with: "<u>").replacing("</ins>", with: "</u>").replacing(
            "<del>", with: "<s>"
        ).replacing("</del>", with: "</s>")
    }

    /// Words in order: where blocks end is not compared.
    private func text(_ html: String) throws -> String {
        let text = try HTMLSanitizer.plainText(html.replacing("<ins>", with: "<u>").replacing("</ins>", with: "</u>"))
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    // MARK: Words

    @Test("B2: words that changed are marked in the text as it is shown")
    func words() throws {
        let changed = try diff("<p>The <b>quick</b> fox.</p>", "<p>The <b>slow</b> fox jumps.</p>")
        #expect(
            html(changed) == [
                "changed: <p>The <del><b>quick</b></del><ins><b>slow</b></ins> fox<ins> jumps</ins>.</p>"
            ])
        #expect(try !diff("<p>Same</p>", "<p>Same</p>").hasChanges)
        #expect(try !diff("<p>Same  text</p>\n<p>b</p>", "<p>Same text</p><p>b</p>").hasChanges)
        #expect(try diff("", "").blocks.isEmpty)
        #expect(try html(diff("", "<p>New</p>")) == ["added: <p><ins>New</ins></p>"])
        #expect(try html(diff("Bare text", "Bare words")) == ["changed: Bare <del>text</del><ins>words</ins>"])
        // Consecutive words are one change; a space is never one by itself.
        #expect(
            try html(diff("<p>one two three four</p>", "<p>one 2 3 four</p>")) == [
                "changed: <p>one <del>two three</del><ins>2 3</ins> four</p>"
            ])
        #expect(
            try html(diff("<p>long foot ball game</p>", "<p>long football game</p>")) == [
                "changed: <p>long <del>foot ball</del><ins>football</ins> game</p>"
            ])
        _ = try diff("<p>a - b c d e f</p>", "<p>a -b c d e f</p>")
        _ = try diff("<p>one two three<br>four five</p>", "<p>one two<br>three four five</p>")
    }

    @Test("B2: emoji, combining characters, right-to-left text and text without spaces keep their characters")
    func scripts() throws {
        let family = try diff("<p>We are 👨‍👩‍👧 here today</p>", "<p>We are 👨‍👩‍👦 here today</p>")
        #expect(html(family) == ["changed: <p>We are <del>👨‍👩‍👧</del><ins>👨‍👩‍👦</ins> here today</p>"])
        let accent = try diff("<p>cafe\u{301} au lait ici</p>", "<p>cafe au lait ici</p>")
        #expect(html(accent) == ["changed: <p><del>cafe\u{301}</del><ins>cafe</ins> au lait ici</p>"])
        let arabic = try diff(
            "<p dir=\"rtl\" lang=\"ar\">مرحبا بالعالم اليوم</p>", "<p dir=\"rtl\" lang=\"ar\">مرحبا بالقمر اليوم</p>")
        #expect(
            html(arabic) == [
                "changed: <p lang=\"ar\" dir=\"rtl\">مرحبا <del>بالعالم</del><ins>بالقمر</ins> اليوم</p>"
            ])
        let japanese = try diff("<p>今日は天気がいいです。</p>", "<p>今日は気分がいいです。</p>")
        #expect(html(japanese) == ["changed: <p>今日は<del>天</del>気<ins>分</ins>がいいです。</p>"])
        let bidi = try diff("<p>See <bdo dir=\"rtl\">abc</bdo> now</p>", "<p>See <bdo dir=\"rtl\">abd</bdo> now</p>")
        #expect(bidi.blocks[0].html.html.contains("<ins><bdo dir=\"rtl\">abd</bdo></ins>"))
    }

    // MARK: Formatting

    @Test("B2: changes of formatting, links and structure alone are said in words")
    func marks() throws {
        func marks(_ old: String, _ new: String) throws -> [String] {
            let diff = try diff(old, new)
            #expect(diff.blocks.count == 1 && diff.hasChanges)
            #expect(!diff.blocks[0].html.html.contains("<ins>"))
            return diff.blocks[0].marks
        }
        #expect(try marks("<h2>About us</h2>", "<h3>About us</h3>") == ["Heading 2 → Heading 3"])
        #expect(try marks("<p>About us</p>", "<h3>About us</h3>") == ["Paragraph → Heading 3"])
        #expect(try marks("<p>About us</p>", "<blockquote><p>About us</p></blockquote>") == ["Paragraph → Quotation"])
        #expect(
            try marks("<ul><li>a</li><li>b</li></ul>", "<ol><li>a</li><li>b</li></ol>") == [
                "Bulleted list → Numbered list"
            ])
        #expect(
            try marks("<ol><li>a</li></ol>", "<ol start=\"3\"><li>a</li></ol>") == [
                "Numbered list, start: none → 3"
            ])
        #expect(try marks("<p>very big cat</p>", "<p>very <b>big</b> cat</p>") == ["Bold added to “big”"])
        #expect(
            try marks("<p>very <i>big</i> cat</p>", "<p>very <b>big</b> cat</p>") == [
                "Italic removed from “big”", "Bold added to “big”",
            ])
        #expect(
            try marks(
                "<p>a <a href=\"https://a.example/\">link</a></p>", "<p>a <a href=\"https://b.example/\">link</a></p>")
                == ["Link of “link”: https://a.example/ → https://b.example/"])
        #expect(
            try marks("<p>my link</p>", "<p>my <a href=\"https://b.example/\">link</a></p>") == [
                "Link added to “link”: https://b.example/"
            ])
        #expect(try marks("<p>a <ins>b</ins> c</p>", "<p>a b c</p>") == ["Mark of inserted text removed from “b”"])
        #expect(try marks("<p>a <del>b</del> <i>c</i></p>", "<p>a <del>b</del> c</p>") == ["Italic removed from “c”"])
    }

    @Test("B2: footnotes keep their words; the ids of both versions are never on one page")
    func footnotes() throws {
        let old = """
            <p>Claim<sup><a id="r1" href="#n1">1</a></sup> and more text.</p><ol><li id="n1">Source <a href="#r1">back</a></li></ol>
            """
        let new = """
            <p>Claim<sup><a id="r1" href="#n1">1</a></sup> and more words.</p><ol><li id="n1">A source <a href="#r1">back</a></li></ol>
            """
        let changed = try diff(old, new)
        #expect(changed.blocks.map(\.kind) == [.changed, .changed])
        #expect(changed.blocks.allSatisfy { !$0.html.html.contains("id=") && !$0.html.html.contains("href=") })
        #expect(changed.blocks[1].html.html == "<ol><li><del>Source</del><ins>A source</ins> back</li></ol>")
    }

    // MARK: Blocks

    @Test("B2: blocks are added, removed and moved; long unchanged runs are folded")
    func blocks() throws {
        let text = (1...10).map { "<p>Paragraph number \($0) of this text</p>" }
        let added = try diff(text.joined(), (text[..<5] + ["<h2>Fresh</h2>"] + text[5...]).joined())
        #expect(added.blocks.map(\.kind) == [.folded, .unchanged, .added, .unchanged, .folded])
        #expect(added.blocks.map(\.count) == [4, 1, 1, 1, 4])
        #expect(added.blocks[2].name == "Heading 2")
        let short = try diff(text[..<3].joined(), (text[..<2] + ["<p>Something else entirely</p>"]).joined())
        #expect(short.blocks.map(\.kind) == [.unchanged, .removed, .added])
        let moved = try diff(text.joined(), (text[1...] + [text[0]]).joined())
        #expect(moved.blocks.map(\.kind) == [.movedAway, .unchanged, .folded, .unchanged, .moved])
    }

    @Test("B2: lists, tables and figures are compared item by item")
    func structures() throws {
        let list = try diff(
            "<ul><li>Milk</li><li>Bread and butter</li></ul>",
            "<ul><li>Milk</li><li>Bread and jam</li><li>Tea</li></ul>")
        #expect(
            html(list) == [
                "changed: <ul><li>Milk</li><li>Bread and <del>butter</del><ins>jam</ins></li><li><ins>Tea</ins></li></ul>"
            ])
        #expect(list.blocks[0].marks == ["Added: List item (1)"])
        let table = try diff(
            "<table><tbody><tr><td>Mon</td><td>5</td></tr><tr><td>Tue</td><td>6</td></tr></tbody></table>",
            "<table><tbody><tr><td>Mon</td><td>7</td></tr><tr><td>Wed</td><td>8</td></tr></tbody></table>")
        #expect(
            table.blocks[0].html.html
                == "<table><tbody><tr><td>Mon</td><td><del>5</del><ins>7</ins></td></tr>"
                + "<tr><td><del>Tue</del></td><td><del>6</del></td></tr><tr><td><ins>Wed</ins></td><td><ins>8</ins></td></tr>"
                + "</tbody></table>")
        let column = try diff(
            "<table><tbody><tr><td>Mon</td><td>5</td></tr></tbody></table>",
            "<table><tbody><tr><td>Mon</td><td>x</td><td>5</td></tr></tbody></table>")
        #expect(column.blocks[0].marks == ["Added: Table cell (1)"])
        let nested = try diff(
            "<blockquote><ul><li>one fine day<ol><li>a b c</li></ol></li></ul></blockquote>",
            "<blockquote><ul><li>one fine day<ol><li>a b d</li></ol></li></ul></blockquote>")
        #expect(nested.blocks[0].html.html.contains("<li>a b <del>c</del><ins>d</ins></li>"))
    }

    @Test("B2: images that changed are listed with alternative text and size, and unchanged ones stay in the text")
    func images() throws {
        func figure(_ name: String, _ caption: String, _ alt: String = "A view") -> String {
            "<figure><img src=\"https://i.example/\(name).jpg\" alt=\"\(alt)\" width=\"640\" height=\"480\">"
                + "<figcaption>\(caption)</figcaption></figure>"
        }
        let replaced = try diff(figure("a", "The pier"), figure("b", "The pier"))
        func names(_ diff: HTMLDiff, _ index: Int) -> [String] {
            diff.blocks[index].images.map { change in
                let names = [change.old, change.new].map { $0?.url.suffix(5) ?? "none" }
                return "\(names[0]) → \(names[1])"
            }
        }
        #expect(names(replaced, 0) == ["a.jpg → b.jpg"])
        let image = replaced.blocks[0].images.first?.new
        #expect(image?.alt == "A view" && image?.width == 640 && image?.height == 480)
        #expect(!replaced.blocks[0].html.html.contains("<img"))
        let caption = try diff(figure("a", "The pier"), figure("a", "The old pier"))
        #expect(caption.blocks[0].images.isEmpty && caption.blocks[0].html.html.contains("<img "))
        let alt = try diff(figure("a", "The pier"), figure("a", "The pier", "A pier"))
        #expect(alt.blocks[0].marks == ["Alternative text of the image: “A view” → “A pier”"])
        let added = try diff("<p>a</p>", "<p>a</p>" + figure("a", "The pier"))
        #expect(names(added, 1) == ["none → a.jpg"])
    }

    // MARK: Safety and limits

    @Test("S3: what is compared is sanitized, and so is the result")
    func safety() throws {
        let evil = try diff(
            "<p onclick=x>Hello <script>alert(1)</script>world</p>",
            "<p>Hello <img src=x onerror=alert(1)><a href=\"javascript:alert(1)\">moon</a> &lt;ins&gt;</p>")
        let html = evil.blocks.map(\.html.html).joined()
        for part in ["onclick", "script", "onerror", "javascript"] { #expect(!html.contains(part), "\(part)") }
        #expect(html.contains("&lt;ins&gt;"))
    }

    @Test("B2: random edits of random markup give both versions again")
    func property() throws {
        for seed in stride(from: 0, to: 600, by: TestScale.step) {
            var soup = HTMLSoup(seed: seed)
            let pieces = (0..<Int.random(in: 1...12, using: &soup)).map { _ in soup.soup() }
            var edited = pieces
            for _ in 0..<Int.random(in: 0...4, using: &soup) {
                let index = edited.indices.randomElement(using: &soup)
                switch Int.random(in: 0..<4, using: &soup) {
                case 0: edited.insert(soup.soup(), at: index ?? 0)
                case 1: if let index { edited.remove(at: index) }
                case 2: edited.shuffle(using: &soup)
                default: if let index { edited[index] += "<p>some words and more" }
                }
            }
            let (old, new) = (pieces.joined(), edited.joined())
            guard let found = try? HTMLDiff(from: old, to: new) else { continue }
            let whole = found.blocks.map(\.html.html).joined()
            #expect(
                try letters(whole.replacing(#/<ins>.*?<\/ins>/#.dotMatchesNewlines(), with: "")) == letters(shown(old)),
                "seed \(seed)")
            #expect(
                try letters(whole.replacing(#/<del>.*?<\/del>/#.dotMatchesNewlines(), with: "")) == letters(shown(new)),
                "seed \(seed)")
            for block in found.blocks {
                #expect(try HTMLSanitizer.sanitize(block.html.html) == block.html.html, "seed \(seed)")
            }
        }
    }

    /// Without white space, which random markup puts between blocks.
    private func letters(_ html: String) throws -> String { try text(html).replacing(" ", with: "") }

    @Test("B2: a block of more words than the limit is replaced as a whole")
    func boundary() throws {
        let limit = HTMLDiff.maximumWords
        let within = try HTMLDiff(
            from: "<p>" + String(repeating: "a ", count: limit / 2 - 1) + "b!</p>",
            to: "<p>" + String(repeating: "a ", count: limit / 2 - 1) + "c!</p>")
        #expect(within.blocks[0].html.html.hasSuffix("a <del>b</del><ins>c</ins>!</p>"))
        let beyond = try HTMLDiff(
            from: "<p>" + String(repeating: "a ", count: limit / 2) + "b</p>",
            to: "<p>" + String(repeating: "a ", count: limit / 2) + "c</p>")
        #expect(beyond.blocks[0].html.html.hasPrefix("<p><del>a a "))
    }

    @Test("B2: a list whose marks are too many tags is shown in both versions without them")
    func manyMarks() throws {
        func list(_ count: Int, _ word: String) -> String {
            "<ul>" + (0..<count).map { "<li>item \($0) \(word)</li>" }.joined() + "</ul>"
        }
        let marked = try HTMLDiff(from: list(500, "old"), to: list(500, "new"))
        #expect(marked.blocks.map(\.kind) == [.changed] && marked.blocks[0].html.html.contains("<ins>new</ins>"))
        let whole = try HTMLDiff(from: list(8_000, "old"), to: list(8_000, "new"))
        #expect(whole.blocks.map(\.kind) == [.removed, .added])
        #expect(
            whole.blocks.allSatisfy { $0.marks == ["Too many changes to mark each"] && !$0.html.html.contains("<ins>") }
        )
    }

    @Test("B2: hostile texts take bounded time", arguments: TestScale.sample(Array(0..<5), every: 2))
    func hostile(_ kind: Int) throws {
        let count = [1, 4].contains(kind) ? 9_000 : 19_000
        func numbers(_ offset: Int, _ text: (Int) -> String) -> String {
            (0..<count).map { text($0 &* 2_654_435_761 % 1_000_003 + offset) }.joined()
        }
        let (old, new): (String, String) =
            switch kind {
            case 0: ("<p>" + numbers(0) { "\($0) " } + "</p>", "<p>" + numbers(1) { "\($0) " } + "</p>")
            case 1: (numbers(0) { "<p>\($0)" }, numbers(1) { "<p>\($0)" })
            case 2: (numbers(0) { "<hr>\($0 % 3)" }, numbers(2) { "<hr>\($0 % 3)" })
            case 3:
                (
                    String(repeating: "<blockquote>", count: 60) + numbers(0) { "\($0 % 7) " },
                    String(repeating: "<blockquote>", count: 60) + numbers(3) { "\($0 % 7) " }
                )
            default:
                (
                    "<ul>" + numbers(0) { "<li>a b c \($0 % 97)" } + "</ul>",
                    "<ul>" + numbers(5) { "<li>a b c \($0 % 97)" } + "</ul>"
                )
            }
        let start = ContinuousClock.now
        let diff = try HTMLDiff(from: old, to: new)
        let time = start.duration(to: .now)
        print("hostile \(kind): \(time), \(diff.blocks.count) blocks")
        #expect(diff.hasChanges && time < .seconds(60))
    }
}
