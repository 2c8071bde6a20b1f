// Tests numbers with decimal commas.
import Domain
import Testing

@Suite struct DecimalTextTests {
    @Test(
        "A comma is a decimal point, unless it may divide thousands",
        arguments: [
            ("1.5", 1.5), ("1,5", 1.5), ("-0,125", -0.125), ("0,125", 0.125), ("1,234", nil), ("1234,567", 1234.567),
            ("12,3456", 12.3456), ("1,2,3", nil), ("1.234,5", nil), (",5", nil), ("5,", nil), ("a,5", nil), ("", nil),
        ] as [(String, Double?)])
    func number(text: String, number: Double?) {
        #expect(DecimalText.number(text) == number)
    }

    @Test(
        "Degrees have no thousands",
        arguments: [("51,504", 51.504), ("-0,153", -0.153), ("151,5", 151.5), ("1234,5", nil), ("51,", nil)]
            as [(String, Double?)])
    func degrees(text: String, degrees: Double?) {
        #expect(DecimalText.degrees(text) == degrees)
    }
}
