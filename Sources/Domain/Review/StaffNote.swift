// The words that the staff writes to each other about a submission.

package enum StaffNote {
    /// In characters.
    package static let maxLength = 2000

    /// The text without blanks around it. Throws `Failure.invalid` where it is empty or too long.
    package static func check(
        _ written: String, pointer: String = "/text", needed: String = "Write something."
    ) throws(Failure) -> String {
        guard !PlainText.holdsNUL(written) else {
            throw .invalid(FieldErrors(pointer, "control_characters", "NUL characters are not allowed."))
        }
        guard !PlainText.isBlank(written) else { throw .invalid(FieldErrors(pointer, "required", needed)) }
        let text = trimmed(written.replacing("\r\n", with: "\n"))
        guard !PlainText.isLonger(text, than: maxLength), text.unicodeScalars.count <= maxLength else {
            throw .invalid(FieldErrors(pointer, "too_long", "At most \(maxLength) characters are allowed."))
        }
        return text
    }

    /// Which of these people a text names: `@` and the whole name, or the first word of a name that nobody else has.
    package static func mentioned<Person>(in text: String, among people: [(person: Person, name: String)]) -> [Person] {
        let text = text.lowercased()
        let firstWords = people.map { String($0.name.lowercased().prefix { $0 != " " }) }
        return people.enumerated().filter { index, person in
            let name = person.name.lowercased()
            if holds("@" + name, text) { return true }
            let first = firstWords[index]
            let isOnly = firstWords.count { $0 == first } == 1
            return isOnly && holds("@" + first, text)
        }.map(\.element.person)
    }

    /// Whether `text` holds the words with no letter or digit behind them.
    private static func holds(_ words: String, _ text: String) -> Bool {
        text.ranges(of: words).contains { range in
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
