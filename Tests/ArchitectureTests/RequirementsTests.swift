// Checks the table of requirements: every row has a text and a source, and finished rows have a test that names them.
import Testing

@Suite("Requirements")
struct RequirementsTests {
    private struct Row {
        let id: String
        let phase: String
        let classes: String
        let source: String
        let text: String
    }

    /// The phases that are finished; a row of one of them without a test fails.
    private static let finished: Set<String> = ["pipeline", "lists"]

    private static let rows: [Row] =
        SourceFile.file("Tests/requirements.tsv")?.lines.dropFirst().compactMap { line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard columns.count == 5, !columns[0].isEmpty else { return nil }
            return Row(id: columns[0], phase: columns[1], classes: columns[2], source: columns[3], text: columns[4])
        } ?? []

    /// A file and line, and the ids that a test title there begins with: `"A2, A3: a submission …"` names A2 and A3.
    private static let titles: [(location: String, ids: [String])] = SourceFile.files(in: "Tests")
        .filter { $0.path.hasSuffix("Tests.swift") || $0.path.hasSuffix(".py") }
        .flatMap { file in
            file.lines.enumerated().compactMap { index, line in
                ids(line).map { ("\(file.path):\(index + 1)", $0) }
            }
        }

    /// The ids before the colon of the first quoted text that begins with nothing else.
    private static func ids(_ line: Substring) -> [String]? {
        line.split(separator: "\"", omittingEmptySubsequences: false).dropFirst().lazy.compactMap { text in
            guard let colon = text.prefix(60).firstIndex(of: ":") else { return nil }
            let ids = text[..<colon].split { $0 == "," || $0 == " " }.map(String.init)
            return !ids.isEmpty && ids.allSatisfy(isID) ? ids : nil
        }.first
    }

    /// One letter and up to three digits.
    private static func isID(_ text: String) -> Bool {
        guard let first = text.utf8.first, UInt8(ascii: "A")...UInt8(ascii: "Z") ~= first else { return false }
        let digits = text.utf8.dropFirst()
        return (1...3).contains(digits.count) && digits.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }

    @Test("Every row has an id, a phase and a class, once")
    func table() {
        let rows = Self.rows
        let counts = Dictionary(grouping: rows) { String($0.id.prefix(1)) }.mapValues(\.count)
        #expect(counts == ["A": 46, "B": 68, "C": 31, "D": 35, "K": 20, "R": 38, "S": 53, "W": 4, "F": 28])
        #expect(Set(rows.map(\.id)).count == rows.count)
        #expect(rows.allSatisfy { !$0.phase.isEmpty && !$0.classes.isEmpty })
    }

    @Test("Every row has a requirement and its source")
    func texts() {
        let lines = SourceFile.file("Tests/requirements.tsv")?.lines ?? []
        #expect(lines.first == "id\tphase\tclass\tsource\trequirement")
        #expect(lines.dropFirst().filter { !$0.isEmpty }.count == Self.rows.count)
        let wrong = Self.rows.filter { row in
            !Self.isID(row.id) || row.source.isEmpty || row.text.count < 5 || !".?)".contains(row.text.last ?? " ")
        }.map(\.id)
        #expect(wrong.isEmpty, "no text or no source: \(wrong.joined(separator: ", "))")
    }

    @Test("Every row of a finished phase has a test that names it")
    func coverage() {
        let named = Set(Self.titles.flatMap(\.ids))
        let missing = Self.rows.filter { Self.finished.contains($0.phase) && !named.contains($0.id) }.map(\.id)
        #expect(missing.isEmpty, "no test names \(missing.joined(separator: ", "))")
    }

    /// Tests that use only the API, the pages or the command line.
    private static let outside = ["Tests/APITests/", "Tests/AdminTests/", "Tests/journeys/"]

    @Test("Every row of a finished phase has a test that exercises it from outside")
    func outside() {
        let named = Set(
            Self.titles.filter { title in Self.outside.contains { title.location.hasPrefix($0) } }.flatMap(\.ids))
        let missing = Self.rows.filter { Self.finished.contains($0.phase) && !named.contains($0.id) }.map(\.id)
        #expect(missing.isEmpty, "only inner tests name \(missing.joined(separator: ", "))")
    }

    @Test("Every id that a test title names is in the table")
    func titlesResolve() {
        let known = Set(Self.rows.map(\.id))
        // "T12:" of a time is no id.
        let wrong = Self.titles.filter { $0.ids != ["T12"] }.flatMap { title in
            title.ids.filter { !known.contains($0) }.map { "\(title.location) names \($0)" }
        }
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
    }
}
