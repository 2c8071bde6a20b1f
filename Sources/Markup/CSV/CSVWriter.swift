// Writes tables with commas (RFC 4180) whose cells no spreadsheet takes for a formula (S8).

package enum CSVWriter {
    /// One line with its end.
    package static func line(_ cells: [String]) -> String {
        cells.map(cell).joined(separator: ",") + "\r\n"
    }

    /// A cell that would begin a formula (= + - @, their full-width forms, TAB, CR) is led by an apostrophe, which spreadsheets
    /// take for "this is text". A number stays a number.
    static func cell(_ text: String) -> String {
        var text = text
        if let first = text.unicodeScalars.first, starts.contains(first), !isNumber(text) { text = "'" + text }
        let isPlain = !text.utf8.contains { special.contains($0) }
        return isPlain ? text : "\"" + text.replacing("\"", with: "\"\"") + "\""
    }

    private static let special: Set<UInt8> = Set("\",\r\n\t".utf8)

    private static let starts: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"]

    /// A sign, digits, at most one point with digits behind it: nothing else.
    private static func isNumber(_ text: String) -> Bool {
        let parts = text.dropFirst().split(separator: ".", omittingEmptySubsequences: false)
        return text.first.map { "+-".contains($0) } == true && (1...2).contains(parts.count)
            && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    }
}
