// Texts in English and in the language of a catalog.
import FoundationEssentials
import Localization
import Testing

@Suite struct MessageTests {
    private let catalog = MessageCatalog(
        language: "pl",
        texts: [
            "Save changes": "Zapisz zmiany", "verb\u{4}Open": "Otwórz", "state\u{4}Open": "Otwarte",
            "{0} by {1}": "{1}: {0}", "''{0}' '{'x}": "„{0}” '{'x}",
            "{0, plural, one {# item} other {# items}} in {1}":
                "{0, plural, one {# element} few {# elementy} other {# elementów}} w {1}",
            "At most {0} of {1}.": "Najwyżej {0} z {1}.", "Broken {0}": "{0, plural, nonsense",
        ])

    private func inPolish(_ text: () -> String) -> String {
        MessageCatalog.$current.withValue(catalog, operation: text)
    }

    @Test func textsAreEnglishWithoutCatalog() {
        #expect(tr("Save changes") == "Save changes")
        #expect(tr("\(1, one: "# item", other: "# items") in \("A")") == "1 item in A")
        #expect(tr("\(0, one: "# item", other: "# items") in \("A")") == "0 items in A")
        #expect(tr("At most " + "\(3) of \("{0}").") == "At most 3 of {0}.")
    }

    @Test func textsAreTranslatedByTheirEnglishText() {
        #expect(inPolish { tr("Save changes") } == "Zapisz zmiany")
        #expect(inPolish { tr("Unknown text") } == "Unknown text")
        #expect(inPolish { tr("\("Title") by \("Ann")") } == "Ann: Title")
        #expect(inPolish { tr("At most " + "\(3) of " + "\(7).") } == "Najwyżej 3 z 7.")
    }

    @Test func oneWordHasOneTranslationPerContext() {
        #expect(inPolish { tr("Open", context: "verb") } == "Otwórz")
        #expect(inPolish { tr("Open", context: "state") } == "Otwarte")
        #expect(inPolish { tr("Open", context: "other") } == "Open")
    }

    @Test(arguments: [(1, "1 element w A"), (2, "2 elementy w A"), (5, "5 elementów w A"), (22, "22 elementy w A")])
    func pluralsFollowTheRulesOfTheLanguage(count: Int, text: String) {
        #expect(inPolish { tr("\(count, one: "# item", other: "# items") in \("A")") } == text)
    }

    @Test func syntaxInTextsAndArgumentsIsLiteral() {
        #expect(inPolish { tr("'\("{1} it's")' {x}") } == "„{1} it's” {x}")
        #expect(inPolish { tr("\("'{") by \("{0}")") } == "{0}: '{")
    }

    @Test func longTextsAreComplete() {
        let long = String(repeating: "ż", count: 2_000)
        #expect(inPolish { tr("\(long) by \("Ann")") } == "Ann: \(long)")
    }

    @Test func anInvalidTranslationIsEnglish() {
        #expect(inPolish { tr("Broken \(1)") } == "Broken 1")
    }

    @Test func compiledCatalogsOfGettextAreRead() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UInt64.random(in: 0...(.max))).mo").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let texts = [("", "Language: de\n"), ("Save changes", "Änderungen speichern"), ("verb\u{4}Open", "Öffnen")]
        try Data(compiled(texts)).write(to: URL(filePath: path))
        let catalog = try MessageCatalog(language: "de", path: path)
        #expect(catalog.text(of: "Save changes", context: nil) == "Änderungen speichern")
        #expect(catalog.text(of: "Open", context: "verb") == "Öffnen")
        #expect(catalog.text(of: "Open", context: nil) == nil)
        for count in [0, 4, 30, 60] {
            try Data(compiled(texts).prefix(count)).write(to: URL(filePath: path))
            #expect(throws: CatalogFault.self) { try MessageCatalog(language: "de", path: path) }
        }
    }

    /// What `msgfmt` writes: header, two tables of lengths and offsets, strings with NUL.
    private func compiled(_ texts: [(String, String)]) -> [UInt8] {
        var strings: [UInt8] = []
        let tables = 28
        let start = tables + 16 * texts.count
        func table(_ values: [String]) -> [Int] {
            values.flatMap { value in
                let entry = [value.utf8.count, start + strings.count]
                strings += Array(value.utf8) + [0]
                return entry
            }
        }
        let entries = table(texts.map(\.0)) + table(texts.map(\.1))
        let header = [0x9504_12de, 0, texts.count, tables, tables + 8 * texts.count, 0, start]
        return (header + entries).flatMap { number in (0..<4).map { UInt8(number >> (8 * $0) & 255) } } + strings
    }
}
