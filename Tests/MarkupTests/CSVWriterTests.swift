// Tests that no cell starts a formula, that numbers stay numbers, and that written CSV can be parsed.
import Testing

@testable import Markup

@Suite("Writing CSV")
struct CSVWriterTests {
    @Test(
        "S8: a cell that would start a formula gets an apostrophe",
        arguments: [
            "=1+1", "+cmd", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "＝1", "＋1", "－1", "＠x", "-", "+", "-.5", "-1.", "+1e3",
        ])
    func defused(text: String) {
        let cell = CSVWriter.cell(text)
        #expect(cell.hasPrefix("'") || cell.hasPrefix("\"'"))
    }

    @Test(
        "S8: numbers and other text are unchanged",
        arguments: ["-5", "+3.25", "0", "12.5", "a=b", "", "x@y"])
    func kept(text: String) {
        #expect(CSVWriter.cell(text) == text)
    }

    @Test("Commas, quotes and line breaks are quoted, and lines end as in RFC 4180")
    func quoting() {
        #expect(CSVWriter.line(["a", "b,c", "d\"e", "f\ng"]) == "a,\"b,c\",\"d\"\"e\",\"f\ng\"\r\n")
        #expect(CSVWriter.cell("=\"x\"") == "\"'=\"\"x\"\"\"")
    }
}
