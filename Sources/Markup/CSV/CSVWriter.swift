// Writes CSV (RFC 4180) with cells that spreadsheets do not interpret as formulas (S8).

package enum CSVWriter {
    /// One line with its line ending.
    package static func line(_ cells: [String]) -> String {
        cells.map(cell).joined(separator: ",") + "\r\n"
    }

    /// Prefixes a cell that would start a formula (= + - @, their full-width forms, TAB, CR) with an apostrophe, which
    /// marks
    /// text in spreadsheets. Numbers are unchanged.
    static func cell(_ text: String) -> String {
        var text = text
        if let first = text.unicodeScalars.first, starts.contains(first), !isNumber(text) { text = "'" + text }
        let isPlain = !text.utf8.contains { special.contains($0) }
        return isPlain ? text : "\"" + text.replacing("\"", with: "\"\"") + "\""
    }

    private static let special: Set<UInt8> = Set("\",\r\n\t".utf8)

    private static let starts: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"]

    /// A sign, digits, and an optional fraction.
    private static func isNumber(_ text: String) -> Bool {
        let parts = text.dropFirst().split(separator: ".", omittingEmptySubsequences: false)
        return text.first.map { "+-".contains($0) } == true && (1...2).contains(parts.count)
            && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    }
}
