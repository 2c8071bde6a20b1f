// Tests numbers with decimal points and commas, and how the beginning of a table shows which of them it has.
import Markup
import Testing

@Suite("Numbers of tables")
struct DecimalTextTests {
    @Test(
        "A comma is a decimal separator, unless it may divide thousands",
        arguments: [
            ("1.5", 1.5), ("1,5", 1.5), ("-0,125", -0.125), ("0,125", 0.125), ("1,234", nil), ("1234,567", 1234.567),
            ("12,3456", 12.3456), ("1.234", 1.234), ("+7", 7), ("-.5", -0.5), ("1,5e3", 1500), ("1,234E+03", 1234),
            ("2.5E-1", 0.25), ("1,2,3", nil), ("1.234,5", nil), (",5", nil), ("5,", nil), ("5.", nil), ("a,5", nil),
            ("", nil), ("-", nil), (".", nil), ("1e", nil), ("1 000", nil), ("١٢", nil),
        ] as [(String, Double?)])
    func number(text: String, number: Double?) {
        #expect(DecimalText.number(text, hasDecimalCommas: false) == number)
    }

    @Test(
        "In a table with decimal commas, a point may divide thousands, too",
        arguments: [
            ("1.234", nil), ("-12.345", nil), ("123.456", nil), ("1,234", nil), ("1,5", 1.5), ("1.5", 1.5),
            ("0.125", 0.125), ("1.2345", 1.2345), ("1234.567", 1234.567), (".125", 0.125), ("7", 7),
        ] as [(String, Double?)])
    func decimalCommas(text: String, number: Double?) {
        #expect(DecimalText.number(text, hasDecimalCommas: true) == number)
    }

    @Test(
        "Only decimal notation is a number",
        arguments: [
            "0x1F", "0x1p4", "nan", "NaN", "-nan", "inf", "-Inf", "infinity", "1e999", "1_000", "1.5f", " 1", "1\n",
        ])
    func notations(text: String) {
        #expect(DecimalText.number(text, hasDecimalCommas: false) == nil)
        #expect(DecimalText.number(text, hasDecimalCommas: true) == nil)
        #expect(DecimalText.degrees(text) == nil)
    }

    @Test(
        "Degrees have no thousands",
        arguments: [
            ("51,504", 51.504), ("51.504", 51.504), ("-0,153", -0.153), ("151,5", 151.5), ("1234,5", nil), ("51,", nil),
        ] as [(String, Double?)])
    func degrees(text: String, degrees: Double?) {
        #expect(DecimalText.degrees(text) == degrees)
    }

    @Test(
        "A table separated by semicolons has decimal commas unless its numbers have points; others show them",
        arguments: [
            ("a;b\n1,5;2\n", true), ("a;b\n1.234;2\n", true), ("a;b\n1;2\n", true), ("a;b\n1.5;2\n", false),
            ("a;b\n1.234;51.5041\n", false), ("a;b\n1.5;2,5\n", true), ("a;b\nx;1,5", true), ("1.5;b\nx;y\n", true),
            ("a,b\n1.234,2\n", false), ("a,b\n\"1,5\",2\n", true), ("a,b\n\"1,234\",2\n", false),
            ("a\tb\n1,5\t2\n", true), ("a\tb\n1,5\t2.5\n", false), ("a|b\n1.5|2\n", false), ("a\n1.234\n", false),
            ("sep=;\na;b\n1,5;2\n", true), ("", false),
        ] as [(String, Bool)])
    func tables(text: String, hasDecimalCommas: Bool) throws {
        var reader = TableReader()
        _ = try reader.read(Array(text.utf8))
        _ = try reader.finish()
        #expect(reader.hasDecimalCommas == hasDecimalCommas)
    }

    @Test("A number that the beginning of a table cuts off shows nothing")
    func longTable() throws {
        let beginning = 64 << 10
        let rows = String(repeating: "x;y\n", count: beginning / 4 - 2)
        let bytes = Array("a;b\n\(rows);2.504\n".utf8)
        var reader = TableReader()
        var records = try reader.read(Array(bytes.prefix(beginning)))
        records += try reader.read(Array(bytes.dropFirst(beginning)))
        records += try reader.finish()
        #expect(String(decoding: bytes.prefix(beginning).suffix(4), as: UTF8.self) == ";2.5")
        #expect(records.last?.fields == ["", "2.504"] && reader.hasDecimalCommas)
    }
}
