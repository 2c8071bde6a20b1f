// The readable part of an entry's URL: lowercase words separated by hyphens.
import Localization

package enum Slug {
    /// The maximum length in code points, as PostgreSQL counts them (constraint `slug_form`).
    package static let maxLength = 80

    /// A slug for a title: lowercase letters and digits of any script, Latin and Greek letters without accents, a
    /// hyphen for each run of other characters, at most `maxLength` code points, cut between words if possible. `entry`
    /// for a title without letters or digits.
    package static func make(from title: String) -> String {
        // No title is longer; what was typed may be.
        let start = String(String.UnicodeScalarView(title.unicodeScalars.prefix(1000)))
        let words = NormalForm.composed(withoutAccents(start)).split { !isPartOfWord($0) }
        var slug = ""
        for word in words {
            let next = slug.isEmpty ? String(word) : "\(slug)-\(word)"
            guard length(next) <= maxLength else {
                // Cuts a first word that exceeds the limit by itself.
                if slug.isEmpty { slug = cut(String(word), to: maxLength) }
                break
            }
            slug = next
        }
        return slug.isEmpty ? "entry" : slug
    }

    /// The slug with a further word, cut so that both fit: `one-title` and `2` are `one-title-2`.
    package static func adding(_ word: String, to slug: String) -> String {
        var start = cut(slug, to: maxLength - length(word) - 1)
        while start.last == "-" { start.removeLast() }
        return "\(start)-\(word)"
    }

    /// The slugs to try for a new entry of this title, in this order; the last contains its id, so it is free.
    package static func candidates(from title: String, for entry: ID<Entry>) -> [String] {
        let slug = make(from: title)
        return [slug] + (["2", "3", "4", String(entry.description.suffix(12))]).map { adding($0, to: slug) }
    }

    /// Validates a slug that a person entered and returns it as stored, without zero-width characters. Same format as
    /// `make`, except that accents are allowed. Throws `Failure.invalid` with `format` or `too_long`.
    package static func check(_ text: String, pointer: String = "/fields/slug") throws(Failure) -> String {
        var scalars = NormalForm.composed(text).unicodeScalars
        scalars.removeAll { $0.properties.isDefaultIgnorableCodePoint }
        let slug = PlainText.singleLine(String(scalars))
        guard length(slug) <= maxLength else {
            let message =
                tr(
                    "A slug can have at most \(maxLength) characters (code points). Shorten it by "
                        + "\(length(slug) - maxLength).")
            throw .invalid(FieldErrors(pointer, "too_long", message))
        }
        let words = slug.split(separator: "-", omittingEmptySubsequences: false)
        guard slug == slug.lowercased(), words.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isPartOfWord) }) else {
            let message = tr("Use lowercase letters and digits with single hyphens between words: \(make(from: slug))")
            throw .invalid(FieldErrors(pointer, "format", message))
        }
        return slug
    }

    private static func length(_ text: String) -> Int { text.unicodeScalars.count }

    /// The beginning of the text with at most `limit` code points. Keeps characters of several code points whole, except
    /// a first one that exceeds the limit by itself.
    private static func cut(_ text: String, to limit: Int) -> String {
        guard length(text) > limit else { return text }
        var (start, count) = ("", 0)
        for character in text {
            count += character.unicodeScalars.count
            if count > limit { break }
            start.append(character)
        }
        return start.isEmpty ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit))) : start
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
