// Checks that every name in the glossary exists in the code, and that the glossary has a row for every noun.
import Testing

@Suite("Glossary")
struct GlossaryTests {
    private static let glossary = Glossary.current

    /// What the rows name and `exists` denies.
    private static func missing(
        _ sort: String, _ names: KeyPath<Glossary.Row, [String]>, _ exists: (String) -> Bool
    ) -> [String] {
        glossary.rows.flatMap { row in
            row[keyPath: names].filter { !exists($0) }.map {
                "\(Glossary.path):\(row.line) \(row.term): no \(sort) \($0)"
            }
        }
    }

    /// A path without the names of its parameters.
    private static func shape(_ path: String) -> String { path.replacing(#/\{[^}]*\}/#, with: "{}") }

    @Test("The table is complete: terms are unique and every row names something or says why not")
    func table() {
        let rows = Self.glossary.rows
        #expect(rows.count > 80)
        #expect(Set(rows.map(\.term)).count == rows.count)
        #expect(Self.glossary.verbs.count > 50)
    }

    @Test("Every type of the glossary is declared")
    func types() {
        let wrong = Self.missing("type", \.types) { CodeNames.types.contains($0) }
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    }

    @Test("Every table of the glossary is created by a migration")
    func tables() {
        #expect(CodeNames.tables.count > 80)
        let wrong = Self.missing("table", \.tables) { CodeNames.tables.contains($0) }
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    }

    @Test("Every URL of the glossary is an endpoint")
    func urls() {
        let paths = Set(
            (CodeNames.adminPaths + ["API", "Packs"].flatMap(CodeNames.paths(in:))).map { Self.shape($0.name) })
        let wrong = Self.missing("endpoint", \.urls) { paths.contains(Self.shape($0)) }
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    }

    @Test("Every command of the glossary is registered, and every command's noun is in the glossary")
    func commands() {
        let names = CodeNames.commands.map(\.name)
        #expect(names.count > 80)
        let wrong = Self.missing("command", \.commands) { command in
            names.contains { $0 == command || $0.hasPrefix("\(command) ") }
        }
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
        func noun(_ command: String) -> Substring { command.prefix { $0 != " " } }
        let known = Set(Self.glossary.rows.flatMap(\.commands).map(noun))
            .union(Self.glossary.commandExceptions.map(noun))
        let unknown = CodeNames.commands.filter { !known.contains(noun($0.name)) }
            .map { "\($0.location) \($0.name): no row of the glossary has a command of \(noun($0.name))" }
        #expect(unknown.isEmpty, "\(unknown.joined(separator: "\n"))")
    }

    // MARK: One word

    /// The words that differ, by term, and why.
    private static let exceptions: [String: (words: Set<String>, reason: String)] = [
        "queue": (["queue", "queue-item"], "a row of the table is one item of the queue"),
        "stage": (["stage", "review-stage"], "the command is short; only reviews have stages"),
        "screening rules": (["screening", "screening-rules"], "the page shows what the rules do, too"),
        "publication": (["publication", "publish"], "`publish` is a verb: it publishes many entries at once"),
        "tombstone": (["resolve", "tombstone"], "clients resolve an id or slug, whatever became of it"),
        "redirect": (["resolve", "redirect"], "clients resolve an id or slug, whatever became of it"),
        "import": (["import", "external-id"], "an import leaves entries and the ids that they had elsewhere"),
        "catalog": (["catalog", "catalog-item"], "a catalog is a file of the configuration; only its items are rows"),
        "onboarding set": (["onboarding", "onboarding-set"], "the page shows all sets"),
        "search": (
            ["search", "entry-search", "submission-search", "queue-search"], "each table has the words of one kind"
        ),
        "audit event": (["audit", "audit-event"], "the page and the command are about all events"),
    ]

    private static func singular(_ word: Substring) -> String {
        if word.hasSuffix("ies") { return word.dropLast(3) + "y" }
        return String(word.hasSuffix("s") ? word.dropLast() : word)
    }

    @Test("A term has one word in its URL, command and table, apart from exceptions with a reason")
    func words() {
        var compared = 0
        var differing: [String: Set<String>] = [:]
        for row in Self.glossary.rows {
            let paths = row.urls.map { $0.split(separator: "/").drop { $0 == "v1" } }
            let urls = paths.filter { $0.count == 1 }.flatMap { $0.map(Self.singular) }
            guard !urls.isEmpty else { continue }
            compared += 1
            // `import places` is named by its verb.
            let commands = row.commands.filter { !$0.hasPrefix("import ") }.map { String($0.prefix { $0 != " " }) }
            let tables = row.tables.map { $0.drop { $0 != "." }.dropFirst().map { $0 == "_" ? "-" : $0 } }
            let words = Set(urls + commands + tables.map { String($0) })
            if words.count > 1 { differing[row.term] = words }
        }
        #expect(compared > 30)
        #expect(differing == Self.exceptions.mapValues(\.words))
    }

    @Test("A folder of the admin and the folder of its templates have the first word of their URLs")
    func folders() {
        let urls = Set(CodeNames.adminPaths.compactMap { $0.name.split(separator: "/").first })
        func folders(_ parent: String) -> Set<String> {
            Set(
                SourceFile.files(in: parent).map { $0.path.dropFirst(parent.count + 1).split(separator: "/") }
                    .filter { $0.count > 1 }.map { Self.dashed($0[0]) })
        }
        // Kit and Fields are parts of pages; Review has the stages, Status the pages of `/s`, SignIn those of `/login`, Home that of `/`.
        let others: Set = ["fields", "home", "kit", "review", "sign-in", "status"]
        let code = folders("Sources/Admin")
        #expect(code.count > 20)
        #expect(code.filter { !urls.contains($0[...]) } == others)
        // Its pages are a part of SignIn.
        #expect(folders("Templates/admin").subtracting(code) == ["second-factor"])
    }

    /// `SignIn` as in URLs: `sign-in`.
    private static func dashed(_ name: Substring) -> String {
        name.reduce(into: "") { dashed, letter in
            if letter.isUppercase, !dashed.isEmpty { dashed.append("-") }
            dashed += letter.lowercased()
        }
    }

    @Test("Every label of the glossary is on a page")
    func labels() {
        let pages =
            ["Templates", "Config/content-types"].flatMap(SourceFile.files(in:)).map { SourceText($0, .template) }
            + ["Sources/Admin", "Sources/Domain"].flatMap(SourceFile.swift(in:)).map { SourceText($0, .swift) }
        let texts = pages.map { SourceFile(path: $0.path, text: String(decoding: $0.strings, as: UTF8.self)) }
        let wrong = Self.missing("text on a page", \.labels) { label in texts.contains { $0.contains(label) } }
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    }

    @Test("The noun of every audit action is a term of the glossary")
    func nouns() {
        // "API client" is also found by "client", "audit event" by "audit".
        let terms = Self.glossary.rows.map {
            "_\($0.term.lowercased().map { " -".contains($0) ? "_" : $0 }.map(String.init).joined())_"
        }
        let wrong = CodeNames.auditActions.filter { action in
            let noun = action.name.prefix { $0 != "." }
            return !terms.contains { $0.hasPrefix("_\(noun)_") || $0.hasSuffix("_\(noun)_") }
        }.map { "\($0.location) \($0.name): no term of the glossary" }
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    }
}
