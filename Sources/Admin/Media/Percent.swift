// Numbers from 0 to 100 in the forms of images.
import Domain
import FoundationEssentials

enum Percent {
    /// Thousandths as percent: 33.3.
    static func text(_ thousandths: Int) -> String {
        thousandths % 10 == 0 ? String(thousandths / 10) : "\(thousandths / 10).\(thousandths % 10)"
    }

    /// Nil unless it is a number from 0 to 100.
    static func thousandths(_ text: String) -> Int? {
        let text = PlainText.singleLine(text).replacing(",", with: ".")
        guard let number = Double(text), (0...100).contains(number) else { return nil }
        return Int((number * 10).rounded())
    }
}
