// Checks the files of the admin: helpers in Kit use no pages, and files don't depend on each other in large cycles.
import Testing

@Suite("Folders of the admin")
struct AdminFolderTests {
    /// By path: the files that declare the types it names.
    private static let uses: [String: Set<String>] = {
        let files = SourceFile.sources.filter { $0.module == "Admin" }
        let codes = files.map { ($0.path, String(decoding: SourceText($0, .swift).code, as: UTF8.self)) }
        var declared: [Substring: String] = [:]
        for (path, code) in codes {
            let declaration = /(?m)^(?:package )?(?:final )?(?:struct|enum|class) (\w+)/
            for match in code.matches(of: declaration) { declared[match.1] = path }
        }
        return Dictionary(
            uniqueKeysWithValues: codes.map { path, code in
                let names = Set(code.matches(of: /\b[A-Z]\w+/).map { $0.0 })
                return (path, Set(names.compactMap { declared[$0] }).subtracting([path]))
            })
    }()

    /// All files that a file uses, directly or by others.
    private static func reached(from path: String) -> Set<String> {
        var reached: Set<String> = []
        var pending = Array(uses[path] ?? [])
        while let next = pending.popLast() {
            if reached.insert(next).inserted { pending += uses[next] ?? [] }
        }
        return reached
    }

    @Test("Kit uses no other folder")
    func kit() {
        let kit = Self.uses.filter { $0.key.hasPrefix("Sources/Admin/Kit/") }
        #expect(kit.count > 15)
        let wrong = kit.flatMap { path, uses in
            uses.filter { !$0.hasPrefix("Sources/Admin/Kit/") }.map { "\(path) uses \($0)" }
        }
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    }

    @Test("At most six files use each other in a cycle")
    func cycles() {
        let reached = Dictionary(uniqueKeysWithValues: Self.uses.keys.map { ($0, Self.reached(from: $0)) })
        let cycles = Set(
            reached.map { path, found in found.filter { reached[$0]?.contains(path) == true }.sorted() })
        #expect(cycles.contains { !$0.isEmpty })
        #expect(cycles.allSatisfy { $0.count <= 6 }, "\(cycles.filter { $0.count > 6 })")
    }
}
