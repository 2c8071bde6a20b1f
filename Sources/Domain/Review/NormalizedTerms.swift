// Splits text into normalized words: without case, accents and punctuation.

package enum NormalizedTerms {
    /// At most `limit` words; a word is a run of letters, digits and their marks.
    package static func of(_ text: String, limit: Int = .max) -> [String] {
        var words: [String] = []
        var word = String.UnicodeScalarView()
        func close() {
            if !word.isEmpty { words.append(String(word)) }
            word = String.UnicodeScalarView()
        }
        for scalar in NormalForm.decomposed(text.lowercased()).unicodeScalars {
            if words.count >= limit { return words }
            if isAccent(scalar) { continue }
            // Apostrophes are dropped: "it's" equals "its".
            if scalar == "'" || scalar == "\u{2019}" { continue }
            if isPart(scalar) { word.append(scalar) } else { close() }
        }
        if words.count < limit { close() }
        return words
    }

    /// Accents of Latin, Greek and Cyrillic letters; marks of other scripts are kept as letters.
    private static func isAccent(_ scalar: Unicode.Scalar) -> Bool { (0x300...0x36F).contains(scalar.value) }

    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            return (0x30...0x39).contains(scalar.value) || (0x61...0x7A).contains(scalar.value)
        }
        switch scalar.properties.generalCategory {
        case .lowercaseLetter, .uppercaseLetter, .titlecaseLetter, .otherLetter, .modifierLetter, .decimalNumber,
            .nonspacingMark, .spacingMark:
            return true
        default: return false
        }
    }
}
