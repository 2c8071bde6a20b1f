// The readable part of an entry's URL: lowercase words separated by hyphens.

package enum Slug {
    /// The maximum length in characters.
    package static let maxLength = 80

    /// A slug for a title: lowercase letters and digits of any script, Latin and Greek letters without accents, a
    /// hyphen
    /// for each run of other characters, at most 80 characters, cut between words if possible. `entry` for a title
    /// without
    /// letters or digits.
    package static func make(from title: String) -> String {
        let words = NormalForm.composed(withoutAccents(title)).split { !isPartOfWord($0) }
        var slug = ""
        for word in words {
            let next = slug.isEmpty ? String(word) : "\(slug)-\(word)"
            guard next.count <= maxLength else {
                // Cuts a first word that exceeds the limit by itself.
                if slug.isEmpty { slug = String(word.prefix(maxLength)) }
                break
            }
            slug = next
        }
        return slug.isEmpty ? "entry" : slug
    }

    /// Validates a slug that a person entered and returns it as stored, without zero-width characters. Same format as
    /// `make`, except that accents are allowed. Throws `Failure.invalid` with `format` or `too_long`.
    package static func check(_ text: String, pointer: String = "/fields/slug") throws(Failure) -> String {
        var scalars = NormalForm.composed(text).unicodeScalars
        scalars.removeAll { $0.properties.isDefaultIgnorableCodePoint }
        let slug = PlainText.singleLine(String(scalars))
        guard slug.count <= maxLength else {
            throw .invalid(FieldErrors(pointer, "too_long", "A slug can have at most \(maxLength) characters."))
        }
        let words = slug.split(separator: "-", omittingEmptySubsequences: false)
        guard slug == slug.lowercased(), words.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isPartOfWord) }) else {
            let message = "Use lowercase letters and digits with single hyphens between words: \(make(from: slug))"
            throw .invalid(FieldErrors(pointer, "format", message))
        }
        return slug
    }

    /// Keeps the marks of other scripts, where they are letters, vowels or voicing marks.
    private static func withoutAccents(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        var isFolding = false
        for scalar in NormalForm.decomposed(text.lowercased()).unicodeScalars {
            if (0x300...0x36F).contains(scalar.value) {
                if isFolding { continue }
            } else {
                isFolding = scalar.properties.isAlphabetic && scalar.value < 0x400
            }
            // Removed within a word: it's -> its.
            if scalar == "'" || scalar == "\u{2019}" || scalar.properties.isDefaultIgnorableCodePoint { continue }
            scalars.append(scalar)
        }
        return String(scalars)
    }

    private static func isPartOfWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber
    }
}
