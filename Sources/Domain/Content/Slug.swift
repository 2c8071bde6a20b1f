// The part of an address that names an entry to people: lower-case words between hyphens.

package enum Slug {
    /// In characters.
    package static let maxLength = 80

    /// A slug for a title: letters and digits of any script in lower case, Latin and Greek ones without their accents,
    /// a hyphen for each run of anything else, at most 80 characters, cut between words where that is possible.
    /// A title without letters or digits gives `entry`.
    package static func make(from title: String) -> String {
        let words = NormalForm.composed(withoutAccents(title)).split { !isPartOfWord($0) }
        var slug = ""
        for word in words {
            let next = slug.isEmpty ? String(word) : "\(slug)-\(word)"
            guard next.count <= maxLength else {
                // A first word that is too long by itself is cut.
                if slug.isEmpty { slug = String(word.prefix(maxLength)) }
                break
            }
            slug = next
        }
        return slug.isEmpty ? "entry" : slug
    }

    /// The slug as it is stored, for one that a person wrote: characters of no width are dropped, the rest must be as
    /// `make` makes them, accents allowed. Throws `Failure.invalid` with `format` or `too_long`.
    package static func check(_ text: String, pointer: String = "/fields/slug") throws(Failure) -> String {
        var scalars = NormalForm.composed(text).unicodeScalars
        scalars.removeAll { $0.properties.isDefaultIgnorableCodePoint }
        let slug = PlainText.singleLine(String(scalars))
        guard slug.count <= maxLength else {
            throw .invalid(FieldErrors(pointer, "too_long", "A slug has at most \(maxLength) characters."))
        }
        let words = slug.split(separator: "-", omittingEmptySubsequences: false)
        guard slug == slug.lowercased(), words.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isPartOfWord) }) else {
            let message = "Write lower-case letters and digits with single hyphens between words: \(make(from: slug))"
            throw .invalid(FieldErrors(pointer, "format", message))
        }
        return slug
    }

    /// Other scripts keep their marks: there they are not accents, but letters, vowels or voicing.
    private static func withoutAccents(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        var isFolding = false
        for scalar in NormalForm.decomposed(text.lowercased()).unicodeScalars {
            if (0x300...0x36F).contains(scalar.value) {
                if isFolding { continue }
            } else {
                isFolding = scalar.properties.isAlphabetic && scalar.value < 0x400
            }
            // Within a word, these leave nothing: it's -> its.
            if scalar == "'" || scalar == "\u{2019}" || scalar.properties.isDefaultIgnorableCodePoint { continue }
            scalars.append(scalar)
        }
        return String(scalars)
    }

    private static func isPartOfWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber
    }
}
