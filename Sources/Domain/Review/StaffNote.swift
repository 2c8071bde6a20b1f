// Validates internal notes and finds mentions in them.
import Localization

package enum StaffNote {
    /// The maximum length in characters.
    package static let maxLength = 2000

    /// The trimmed text. Throws `Failure.invalid` if it is empty or too long.
    package static func check(
        _ written: String, pointer: String = "/text", message: String = tr("Enter a note.")
    ) throws(Failure) -> String {
        guard !PlainText.containsNUL(written) else {
            throw .invalid(FieldErrors(pointer, "control_characters", tr("NUL characters are not allowed.")))
        }
        guard !PlainText.isBlank(written) else { throw .invalid(FieldErrors(pointer, "required", message)) }
        let text = trimmed(PlainText.withLineFeeds(written))
        guard !PlainText.isLonger(text, than: maxLength), text.unicodeScalars.count <= maxLength else {
            throw .invalid(FieldErrors(pointer, "too_long", tr("At most \(maxLength) characters are allowed.")))
        }
        return text
    }

    /// The people that a text mentions: `@` and the full name, or a first name that is unique.
    package static func mentioned<Person>(in text: String, among people: [(person: Person, name: String)]) -> [Person] {
        let text = text.lowercased()
        let firstWords = people.map { String($0.name.lowercased().prefix { $0 != " " }) }
        return people.enumerated().filter { index, person in
            let name = person.name.lowercased()
            if contains("@" + name, text) { return true }
            let first = firstWords[index]
            let isOnly = firstWords.count { $0 == first } == 1
            return isOnly && contains("@" + first, text)
        }.map(\.element.person)
    }

    /// The mentions in a text that name nobody, such as `@Bob`, or a first name that several share. An email address is
    /// no mention.
    package static func unknownMentions(in text: String, among names: [String]) -> [String] {
        var unknown: [String] = []
        var previous: Character = " "
        for index in text.indices {
            defer { previous = text[index] }
            guard text[index] == "@", !previous.isLetter, !previous.isNumber else { continue }
            let rest = text[index...]
            let word = rest.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
            guard word.first?.isLetter == true else { continue }
            let people = names.map { (person: $0, name: $0) }
            // A full name of several words may begin here.
            let line = String(rest.prefix { !$0.isNewline })
            let isFullName = names.contains { name in
                line.lowercased().hasPrefix("@" + name.lowercased())
                    && contains("@" + name.lowercased(), line.lowercased())
            }
            if !isFullName, mentioned(in: "@" + word, among: people).isEmpty { unknown.append("@" + word) }
        }
        return unknown.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// Whether `text` contains the mention, not followed by a letter or digit.
    private static func contains(_ mention: String, _ text: String) -> Bool {
        text.ranges(of: mention).contains { range in
            guard range.upperBound < text.endIndex else { return true }
            let next = text[range.upperBound]
            return !next.isLetter && !next.isNumber
        }
    }

    private static func trimmed(_ text: String) -> String {
        var text = Substring(text)
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }
}
