// Checks that the paths of the admin are written once, in AdminURL.
import Domain
import Testing

@Suite("Paths of the admin")
struct AdminURLTests {
    @Test("Swift names a path by AdminURL")
    func swift() throws {
        let segments = Set(CodeNames.adminPatterns.values.compactMap { $0.split(separator: "/").first }).joined(
            separator: "|")
        let literal = try Regex("\"/(\(segments))[\"/?#\\\\]")
        // Paths of media and pointers into bundles begin like pages.
        let areas = ["Accounts", "Mail", "Services", "Review", "Editorial"].map { "Operations/\($0)" }
        let folders = (["Admin", "API", "Tasks", "vitrine", "Packs"] + areas).map { "Sources/\($0)/" }
        let files = SourceFile.sources.filter { file in
            folders.contains(where: file.path.hasPrefix) && !file.name.hasSuffix("URL.swift")
        }
        let wrong = files.flatMap { file in
            file.lines.filter { line in
                // A field's errors are named by a pointer, the paths of the API begin with its version, and adapters read
                // other services.
                let isPointer = ["at: \"/", "FieldErrors", "errors.add(", "pointer", "suffix: \"", "/v1/"].contains(
                    where: line.contains)
                return !isPointer && !file.path.contains("/Adapters/") && line.contains(literal)
            }.map { "\(file.path): \($0)" }
        }
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    }

    @Test("Templates name a path by {{url name}}; only static files are written out")
    func templates() {
        let literal = /(href|action|src)="\/(?!static\/)/
        let wrong = SourceFile.files(in: "Templates").filter { $0.path.hasSuffix(".html") }.flatMap { file in
            file.lines.filter { $0.contains(literal) }.map { "\(file.path): \($0)" }
        }
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    }

    @Test("Each use in Swift has as many values as the path has parameters")
    func values() {
        let counts = CodeNames.adminPatterns.mapValues { $0.count { $0 == "{" } }
        var wrong: [String] = []
        for file in SourceFile.sources {
            for use in file.text.matches(of: /(?:Admin|Places|Routes|Lists)URL\.([a-z]\w*)\(/) {
                guard let wanted = counts[String(use.1)] else { continue }
                let found = Self.values(in: file.text[use.range.upperBound...])
                if found != wanted { wrong.append("\(file.path): \(use.0) has \(found) values instead of \(wanted)") }
            }
        }
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    }

    /// Counts the unlabeled arguments up to the closing parenthesis.
    private static func values(in text: Substring) -> Int {
        var arguments = [""]
        var depth = 0
        for character in text {
            if "([{".contains(character) { depth += 1 }
            if ")]}".contains(character) { depth -= 1 }
            if depth < 0 { break }
            if character == ",", depth == 0 {
                arguments.append("")
            } else {
                arguments[arguments.count - 1].append(character)
            }
        }
        return arguments.count { argument in
            let text = argument.trimmingPrefix(while: \.isWhitespace)
            return !text.isEmpty && !text.hasPrefix("query:")
        }
    }
}
