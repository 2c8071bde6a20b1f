// Checks that what the security checklist names exists: files, types with their members, test suites and tests.
import Testing

@Suite("Evidence of the security checklist")
struct EvidenceTests {
    private static let document = SourceFile.file("docs/explanation/security.md")
    private static let tests = SourceFile.swift(in: "Tests")

    /// What else is in backticks: values of other programs, and patterns.
    private static let others: Set = ["Origin", "webhooks.*"]

    private static let programs =
        ["Sources", "Tests", "Config", "Templates", "scripts", "docs/reference"]
        .flatMap(SourceFile.files(in:))
        + ["deploy/nginx.conf", "deploy/vitrine.service", "Makefile"].compactMap(SourceFile.file)

    /// The ids of requirements that the name of a test begins with.
    private static func ids(_ name: Substring) -> Set<String> {
        guard let colon = name.firstIndex(of: ":") else { return [] }
        return Set(name[..<colon].split { !$0.isLetter && !$0.isNumber }.map(String.init))
    }

    /// The ids in the names of the tests of a file.
    private static func ids(in file: SourceFile) -> Set<String> {
        file.text.matches(of: /@Test\(\s*"([^"]*)"/).reduce(into: []) { $0.formUnion(ids($1.1)) }
    }

    private static let declarations = [
        "struct ", "class ", "enum ", "actor ", "protocol ", "extension ", "typealias ",
    ]

    @Test("S22: the example of a proxy asks browsers to use HTTPS for a year, subdomains included")
    func strictTransport() throws {
        let text = try #require(SourceFile.file("deploy/nginx.conf")).text
        let header = try #require(
            text.firstMatch(of: #/Strict-Transport-Security "max-age=(\d+); includeSubDomains" always;/#))
        #expect(Int(header.1).map { $0 >= 31_536_000 } == true)
    }

    @Test("Every name in backticks and every suite exists")
    func names() throws {
        let text = try #require(Self.document).text
        let declared = Self.programs.reduce(into: Set<String>()) { found, file in
            for line in file.lines where Self.declarations.contains(where: line.contains) {
                let words = line.split(separator: " ")
                for (keyword, name) in zip(words, words.dropFirst()) where Self.declarations.contains("\(keyword) ") {
                    found.insert(String(name.prefix { $0.isLetter || $0.isNumber || $0 == "_" }))
                }
            }
        }
        var missing = text.matches(of: /\b\w+Tests\b/).map { String($0.0) }.filter { name in
            !declared.contains(name) && !Self.tests.contains { $0.path.hasPrefix("Tests/\(name)/") }
        }
        for match in text.matches(of: /`([^`\n]+)`/) where !Self.others.contains(String(match.1)) {
            if !Self.exists(String(match.1), declared) { missing.append(String(match.1)) }
        }
        #expect(missing.isEmpty, "\(missing)")
    }

    /// A file, with or without its folder `Sources` and its ending; a type and its member; otherwise any text of the programs.
    private static func exists(_ name: String, _ declared: Set<String>) -> Bool {
        // A command's own name, without its options and arguments.
        let name = name.split(separator: " ").first { $0 != "vitrine" && $0 != "make" }.map(String.init) ?? name
        if name.contains("/"),
            ["", "Sources/"].contains(where: { folder in
                ["", ".swift"].contains { SourceFile.file(folder + name + $0) != nil }
            })
        {
            return true
        }
        let parts = name.split(separator: ".").map(String.init)
        if parts.count <= 2, let type = parts.first, type.first?.isUppercase == true, declared.contains(type) {
            guard let member = parts.dropFirst().first else { return true }
            return programs.contains { file in
                ["func \(member)", "var \(member)", "let \(member)", "case \(member)"].contains(where: file.contains)
            }
        }
        return programs.contains { $0.contains(name) }
    }

    @Test("Every row that names the tests of a module has one there, and so does every suite with ids of rows")
    func rows() throws {
        var missing: [String] = []
        for line in try #require(Self.document).lines where line.hasPrefix("| ") {
            for match in line.matches(of: /(\w+Tests): ((?:[A-Z]\d+(?:, )?)+)/) {
                let found = Self.tests.filter { $0.name == match.1 + ".swift" }.reduce(into: Set<String>()) {
                    $0.formUnion(Self.ids(in: $1))
                }
                let wanted = match.2.split(separator: ", ").map(String.init)
                missing += wanted.filter { !found.contains($0) }.map { "\(match.1): \($0)" }
            }
            guard let row = line.prefixMatch(of: #/\| ([RSW]\d+) /#) else { continue }
            for match in line.matches(of: /[Tt]est \(([^()]*)\)/) {
                let modules = match.1.prefix { $0 != ":" }.split(separator: ",").map { $0.drop { $0 == " " } }
                for module in modules where module.first?.isUppercase == true && !module.contains(" ") {
                    let files = Self.tests.filter { $0.path.hasPrefix("Tests/\(module)Tests/") }
                    if !files.contains(where: { Self.ids(in: $0).contains(String(row.1)) }) {
                        missing.append("\(row.1) in \(module)")
                    }
                }
            }
        }
        #expect(missing.isEmpty, "\(missing)")
    }
}
