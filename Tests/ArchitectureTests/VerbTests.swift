// Checks that commands, audit actions and URLs use only the verbs of the glossary, and the files of commands.
import Testing

@Suite("Verbs")
struct VerbTests {
    private static let glossary = Glossary.current

    private static func isVerb(_ text: Substring) -> Bool {
        glossary.verbs.contains(String(text.map { $0 == "-" ? "_" : $0 }))
    }

    @Test("Every audit action is a noun and a verb of the glossary")
    func auditActions() {
        #expect(CodeNames.auditActions.count > 80)
        let wrong = CodeNames.auditActions.filter { !Self.isVerb($0.name[...].drop { $0 != "." }.dropFirst()) }
            .map { "\($0.location) \($0.name)" }
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
        // Verdicts and bulk actions are the verbs of "submission.…" and "bulk_action.…".
        #expect(CodeNames.composedVerbs.count >= 8)
        let composed = CodeNames.composedVerbs.filter { !Self.isVerb($0.name[...]) }.map { "\($0.location) \($0.name)" }
        #expect(composed.isEmpty, "\(composed.joined(separator: "\n"))")
    }

    @Test("Every audit action has a sentence for pages")
    func sentences() throws {
        let file = try #require(SourceFile.swift(in: "Sources/Admin/Kit").first { $0.name == "AuditSentence.swift" })
        let said = Set(
            file.text.matches(of: #/case "([a-z_]+\.[a-z_]+)"|, "([a-z_]+\.[a-z_]+)"/#).compactMap { $0.1 ?? $0.2 })
        let composed = CodeNames.composedVerbs.map { verb in
            let noun = verb.location.contains("/Verdict.swift") ? "submission" : "bulk_action"
            return CodeNames.Found(name: "\(noun).\(verb.name)", location: verb.location)
        }
        let silent = (CodeNames.auditActions + composed).filter { !said.contains($0.name[...]) }
            .map { "\($0.location) \($0.name)" }
        #expect(silent.isEmpty, "\(silent.joined(separator: "\n"))")
    }

    @Test("Every command is a noun and a verb of the glossary, or an exception that it names")
    func commands() {
        let exceptions = Self.glossary.commandExceptions
        let wrong = CodeNames.commands.filter { command in
            let parts = command.name.split(separator: " ")
            if exceptions.contains(command.name) || exceptions.contains("\(parts[0]) *") { return false }
            return parts.count < 2 || !Self.isVerb(parts[1])
        }.map { "\($0.location) \($0.name)" }
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
        let unused = exceptions.filter { exception in
            exception != "help" && !exception.hasSuffix("*") && CodeNames.commands.allSatisfy { $0.name != exception }
        }
        #expect(unused.isEmpty, "no such commands: \(unused.sorted())")
    }

    @Test("Every command is in a file that its first word names")
    func commandFiles() {
        let wrong = CodeNames.commands.filter { command in
            let word = command.name.prefix { $0 != " " }.filter { $0 != "-" }
            let file = command.location.split(separator: "/").last?.lowercased() ?? ""
            return !file.contains(word)
        }.map { "\($0.location) \($0.name)" }
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    }

    @Test("Every segment of an admin URL is a resource, a part of it that the glossary names, or a verb")
    func urls() {
        let paths = CodeNames.adminPaths
        #expect(paths.count > 100)
        let wrong = paths.filter { path in
            path.name.split(separator: "/").dropFirst().contains { segment in
                segment.first != "{" && !Self.isVerb(segment) && !Self.glossary.segments.contains(String(segment))
            }
        }.map { "\($0.location) \($0.name)" }
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
        let used = Set(paths.flatMap { $0.name.split(separator: "/").map(String.init) })
        let unused = Self.glossary.segments.subtracting(used)
        #expect(unused.isEmpty, "no such segments: \(unused.sorted())")
    }
}
