// Checks that documents name what the code requires.
import Testing

@Suite("Documents")
struct DocumentTests {
    private static func lines(_ path: String) -> [Substring] { SourceFile.file(path)?.lines ?? [] }

    @Test(
        "The documents for operators name every PostgreSQL extension that the schema creates",
        arguments: ["README.md", "docs/how-to/deploy.md"])
    func extensions(document: String) {
        let prefix = "create extension if not exists "
        let names = Self.lines("Sources/Store/Migrations/core/schemas.sql").filter { $0.hasPrefix(prefix) }.map {
            String($0.dropFirst(prefix.count).dropLast())
        }
        #expect(names.count == 5)
        let text = Self.lines(document).joined(separator: "\n")
        let missing = names.filter { !text.contains("`\($0)`") }
        #expect(missing.isEmpty, "\(document) doesn't name \(missing.joined(separator: ", "))")
    }

    @Test("The configuration reference and the glossary name every environment")
    func environments() {
        let names = Self.lines("Sources/Platform/Configuration/Settings.swift")
            .drop { !$0.contains("enum Environment") }.dropFirst().prefix(1)
            .flatMap { $0.split { !$0.isLetter }.dropFirst().map(String.init) }
        #expect(names == ["production", "development", "test"])
        for document in ["docs/reference/configuration.md", "docs/glossary.md"] {
            let row = Self.lines(document).first { $0.hasPrefix("| `environment`") || $0.hasPrefix("| environment ") }
            let text = row?.lowercased() ?? ""
            #expect(names.allSatisfy(text.contains), "\(document) names not all of \(names)")
        }
    }
}
