// Checks that no word of Tests/banned_words.tsv is in copy, comments, identifiers or audit actions.
import Testing

@Suite("Banned words")
struct BannedWordsTests {
    private let rows = BannedWord.rows()
    private var words: [BannedWord] { rows.compactMap { $0 } }

    @Test("Every row of the table is a pattern with a literal part, a scope, a replacement and a reason")
    func table() {
        #expect(SourceFile.file("Tests/banned_words.tsv")?.lines.first == "pattern\tscope\treplacement\treason")
        let wrong = rows.enumerated().filter { $0.element == nil }.map { "line \($0.offset + 2)" }
        #expect(wrong.isEmpty, "not a row: \(wrong.joined(separator: ", "))")
        #expect(words.count >= 120)
        #expect(Set(words.map { "\($0.pattern) \($0.scope)" }).count == words.count)
        let slow = words.filter { $0.scope != .auditAction && $0.literal.count < 4 }.map(\.pattern)
        #expect(slow.isEmpty, "no three letters that every match contains: \(slow.joined(separator: ", "))")
        #expect(words.allSatisfy { word in !word.matches(word.replacement) })
    }

    @Test("A file is split into code, strings and comments")
    func splitting() {
        let swift = #"""
            let one = "two \(three("four")) five" // six
            let seven = #"eight "nine" \(ten)"# /* eleven */
            """#
        let split = SourceText(SourceFile(path: "a.swift", text: swift), .swift)
        #expect(Self.tokens(split.code) == ["let", "one", "=", "three(", ")", "let", "seven", "="])
        #expect(Self.tokens(split.strings) == ["two", "…", "four", "five", "eight", "\"nine\"", "\\(ten)"])
        #expect(Self.tokens(split.comments) == ["//", "six", "/*", "eleven", "*/"])
        #expect(split.strings.count { $0 == UInt8(ascii: "\n") } == 1)

        let store = "let sql = \"\"\"\n  select a from b where c = 'd' and e = \\(f)\n  \"\"\""
        let embedded = SourceText(SourceFile(path: "a.swift", text: store), .swiftWithSQL)
        #expect(Self.tokens(embedded.strings) == ["d'…"])
        #expect(Self.tokens(embedded.code).contains("select"))

        let sql = SourceText(SourceFile(path: "a.sql", text: "select 'it''s' -- why\nfrom b"), .sql)
        #expect(Self.tokens(sql.code) == ["select", "from", "b"])
        #expect(Self.tokens(sql.strings) == ["it", "s"])
        #expect(Self.tokens(sql.comments) == ["--", "why"])

        let page = SourceText(SourceFile(path: "a.html", text: "<p>{{name}} said</p><!-- no -->"), .template)
        #expect(Self.tokens(page.code) == ["{{name}}"])
        #expect(Self.tokens(page.strings) == ["<p>…", "said</p>-->"])
    }

    private static func tokens(_ bytes: [UInt8]) -> [String] {
        String(decoding: bytes, as: UTF8.self).split { " \n\t".contains($0) }.map(String.init)
    }

    @Test("No banned word is in copy or comments", .timeLimit(.minutes(5)))
    func copy() {
        let code = Self.code + Self.pages
        let found =
            found([.copy, .text], code + Self.documents, \.strings) + found([.text], code, \.comments)
        #expect(found.count == 0, "\(found.sorted().joined(separator: "\n"))")
    }

    @Test("No banned word is an identifier", .timeLimit(.minutes(5)))
    func identifiers() {
        let found = found([.identifier], Self.code + Self.pages + Self.documents, \.code)
        #expect(found.count == 0, "\(found.sorted().joined(separator: "\n"))")
    }

    @Test("No banned word is an audit action")
    func auditActions() {
        let words = words.filter { $0.scope == .auditAction }
        let found = CodeNames.auditActions.flatMap { action in
            words.filter { $0.matches(action.name) }.map { Self.message(action.location, action.name, $0) }
        }
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
    }

    // MARK: What is read

    private static let code = SourceFile.files(in: "Sources").compactMap { file -> SourceText? in
        if file.path.hasSuffix(".sql") { return SourceText(file, .sql) }
        if file.path.hasSuffix(".json") { return SourceText(file, .document) }
        guard file.path.hasSuffix(".swift") else { return nil }
        return SourceText(file, ["Store", "Postgres"].contains(file.layer) ? .swiftWithSQL : .swift)
    }

    private static let pages = SourceFile.files(in: "Templates").filter { !$0.path.hasSuffix(".css") }
        .map { SourceText($0, $0.path.hasSuffix(".html") ? .template : .document) }

    private static let documents =
        (SourceFile.files(in: "Config") + SourceFile.files(in: "docs").filter { $0.path.hasSuffix(".md") }
        + ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].compactMap(SourceFile.file))
        .map { SourceText($0, .document) }

    private func found(
        _ scopes: [BannedWord.Scope], _ texts: [SourceText], _ part: KeyPath<SourceText, [UInt8]>
    ) -> [String] {
        let words = words.filter { scopes.contains($0.scope) }
        return texts.flatMap { text in
            let bytes = text[keyPath: part] + [0]
            let lowercased = bytes.map(BannedWord.lowercase)
            return words.flatMap { word in
                word.matches(in: bytes, lowercased: lowercased).map {
                    Self.message("\(text.path):\($0.line)", $0.text, word)
                }
            }
        }
    }

    private static func message(_ location: String, _ match: String, _ word: BannedWord) -> String {
        "\(location): “\(match)” → \(word.replacement) (\(word.pattern), \(word.reason))"
    }
}
