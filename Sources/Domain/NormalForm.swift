// The two Unicode normal forms that the rules need: composed to store, decomposed to fold accents.

// The standard library normalizes every string that it compares, but offers the result only behind an underscore;
// Foundation offers it in the open, but brings ICU. This is the only file that knows.
@_spi(_Unicode) import Swift

enum NormalForm {
    /// NFC, in which everything is stored.
    static func composed(_ text: String) -> String {
        if text.isASCII(within: 0..<0x80) { return text }
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: text._nfc)
        return String(scalars)
    }

    /// NFD: letters first, their accents behind them.
    static func decomposed(_ text: String) -> String {
        if text.isASCII(within: 0..<0x80) { return text }
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: text._nfd)
        return String(scalars)
    }
}
