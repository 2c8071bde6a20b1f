// Tests that no cell of a table begins a formula, that numbers stay numbers, and that a reader gets back what was written.
import Testing

@testable import Markup

@Suite("Writing tables")
struct CSVWriterTests {
    @Test(
        "S8: what would begin a formula is led by an apostrophe",
        arguments: [
            "=1+1", "+cmd", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "＝1", "＋1", "－1", "＠x", "-", "+", "-.5", "-1.", "+1e3",
        ])
    func defused(text: String) {
        let cell = CSVWriter.cell(text)
        #expect(cell.hasPrefix("'") || cell.hasPrefix("\"'"))
    }

    @Test(
        "S8: numbers stay numbers, and other text stays as it is",
        arguments: ["-5", "+3.25", "0", "12.5", "a=b", "", "x@y"])
    func kept(text: String) {
        #expect(CSVWriter.cell(text) == text)
    }

    @Test("Commas, quotes and line ends are quoted, and the line ends as RFC 4180 says")
    func quoting() {
        #expect(CSVWriter.line(["a", "b,c", "d\"e", "f\ng"]) == "a,\"b,c\",\"d\"\"e\",\"f\ng\"\r\n")
        #expect(CSVWriter.cell("=\"x\"") == "\"'=\"\"x\"\"\"")
    }
}
