// Reads docs/glossary.md: the terms with their names, the verbs, and the exceptions.

struct Glossary {
    struct Row {
        let term: String
        let line: Int
        let types: [String]
        let tables: [String]
        let urls: [String]
        let commands: [String]
        let labels: [String]
    }

    static let path = "docs/glossary.md"
    static let current = Glossary(text: SourceFile.file(path)?.text ?? "")

    let rows: [Row]
    /// The verbs of commands, audit actions and URLs: `request_changes`.
    let verbs: Set<String>
    /// Commands that are not noun and verb; `import *` stands for all that begin so.
    let commandExceptions: Set<String>
    /// Segments of URLs that name a part of a resource.
    let segments: Set<String>

    init(text: String) {
        var rows: [Row] = []
        var section = ""
        var names: [String: Set<String>] = [:]
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("#") { section = String(line.drop { $0 == "#" || $0 == " " }) }
            let cells = Self.cells(line)
            guard let first = cells.first, !first.hasPrefix("---") else { continue }
            if cells.count == 7, first != "term" {
                rows.append(
                    Row(
                        term: first, line: index + 1, types: Self.names(cells[2]), tables: Self.names(cells[3]),
                        urls: Self.names(cells[4]), commands: Self.names(cells[5]), labels: Self.labels(cells[6])))
            } else {
                names[section, default: []].formUnion(Self.names(first))
            }
        }
        self.rows = rows
        verbs = names["Verbs", default: []]
        commandExceptions = names["Commands that are not noun and verb", default: []]
        segments = names["Parts of a resource in URLs", default: []]
    }

    /// The cells of a row of a table; none on any other line.
    private static func cells(_ line: Substring) -> [String] {
        guard line.hasPrefix("|"), line.hasSuffix("|") else { return [] }
        return line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false).map(Self.trimmed)
    }

    /// What is in backticks.
    private static func names(_ cell: String) -> [String] {
        cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
    }

    /// Labels are plain text, with commas between them.
    private static func labels(_ cell: String) -> [String] {
        cell == "–" ? [] : cell.split(separator: ",").map(Self.trimmed)
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
