// Holds the table of requirements: a row of a finished phase has a test that names it.
import Testing

@Suite("Requirements")
struct RequirementsTests {
    private struct Row {
        let id: String
        let phase: String
        let classes: String
    }

    /// The phases that are finished; a row of one of them without a test fails.
    private static let finished: Set<String> = ["line", "lists"]

    private static func rows() -> [Row] {
        SourceFile.files(in: "Tests").first { $0.path == "Tests/requirements.tsv" }?.lines.dropFirst().compactMap {
            line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard columns.count >= 3, !columns[0].isEmpty else { return nil }
            return Row(id: columns[0], phase: columns[1], classes: columns[2])
        } ?? []
    }

    /// The ids at the beginning of test names: `"A2, A3: a submission …"` names A2 and A3.
    private static func named() -> Set<String> {
        var ids: Set<String> = []
        for file in SourceFile.files(in: "Tests") where file.path.hasSuffix("Tests.swift") || file.path.hasSuffix(".py")
        {
            for line in file.lines {
                guard let quote = line.firstIndex(of: "\"") else { continue }
                let name = line[line.index(after: quote)...]
                guard let colon = name.firstIndex(of: ":"), name.distance(from: name.startIndex, to: colon) < 60 else {
                    continue
                }
                ids.formUnion(name[..<colon].split { $0 == "," || $0 == " " }.map(String.init))
            }
        }
        return ids
    }

    @Test("Every row has an id, a phase and a class, once")
    func table() {
        let rows = Self.rows()
        #expect(rows.count == 200)
        #expect(Set(rows.map(\.id)).count == rows.count)
        #expect(rows.allSatisfy { !$0.phase.isEmpty && !$0.classes.isEmpty })
    }

    @Test("Every row of a finished phase has a test that names it")
    func coverage() {
        let named = Self.named()
        let missing = Self.rows().filter { Self.finished.contains($0.phase) && !named.contains($0.id) }.map(\.id)
        #expect(missing.isEmpty, "no test names \(missing.joined(separator: ", "))")
    }
}
