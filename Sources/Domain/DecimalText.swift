// Reads numbers as spreadsheets of any language write them.

package enum DecimalText {
    /// The number; a comma is a decimal point, unless it may divide thousands, as in `1,234`.
    package static func number(_ text: String) -> Double? {
        if let number = Double(text) { return number }
        guard let match = text.wholeMatch(of: #/[+-]?(\d+),(\d+)/#) else { return nil }
        if match.2.count == 3, match.1.count <= 3, match.1.first != "0" { return nil }
        return Double(text.replacing(",", with: "."))
    }

    /// The same for degrees, which have no thousands.
    package static func degrees(_ text: String) -> Double? {
        if let degrees = Double(text) { return degrees }
        return text.wholeMatch(of: #/[+-]?\d{1,3},\d+/#) == nil ? nil : Double(text.replacing(",", with: "."))
    }
}
