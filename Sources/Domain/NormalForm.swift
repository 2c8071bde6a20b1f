// The two Unicode normal forms in use: composed for storage, decomposed for accent folding.

// The standard library normalizes strings for comparison but exposes the result only as underscored SPI; Foundation has
// public API but adds a dependency on ICU. Only this file uses the SPI.
@_spi(_Unicode) import Swift

package enum NormalForm {
    /// NFC, the form of all stored text. Some keyboards and file systems send the other one.
    package static func composed(_ text: String) -> String {
        if text.isASCII(within: 0..<0x80) { return text }
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: text._nfc)
        return String(scalars)
    }

    /// NFD: base letters followed by their accents.
    static func decomposed(_ text: String) -> String {
        if text.isASCII(within: 0..<0x80) { return text }
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: text._nfd)
        return String(scalars)
    }
}
