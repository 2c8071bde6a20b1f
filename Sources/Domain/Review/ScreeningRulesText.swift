// Reads and writes the screening rules as JSON, the format of stored versions, the form and the command line.
import Localization

extension ScreeningRules {
    /// Throws `Failure.invalid` with all errors at once, at pointers such as `/links`.
    package init(reading value: JSONValue) throws(Failure) {
        var errors = FieldErrors()
        func number(_ name: String, _ range: ClosedRange<Int>, _ label: String) -> Int {
            guard let number = value[name]?.integerValue.map(Int.init), range.contains(number) else {
                errors.add(
                    "/\(name)", value[name] == nil ? "required" : "range",
                    tr("\(label): enter a whole number from \(range.lowerBound) to \(range.upperBound)."))
                return range.lowerBound
            }
            return number
        }
        let points = 0...100
        links = number("links", 0...1000, tr("Links, more than"))
        linkPoints = number("link_points", points, tr("Points for too many links"))
        letters = number("letters", 0...100_000, tr("Text shorter than"))
        lengthPoints = number("length_points", points, tr("Points for a short text"))
        rejectedPercent = number("rejected_percent", 1...100, tr("Rejected, at least (%)"))
        recordPoints = number("record_points", points, tr("Points for a rejection rate"))
        perHour = number("per_hour", 1...100_000, tr("Submissions per hour, more than"))
        ratePoints = number("rate_points", points, tr("Points for too many submissions"))
        languagePoints = number("language_points", points, tr("Points for other languages"))
        learnedPoints = number("learned_points", points, tr("Maximum points for past spam"))
        medium = number("medium", 1...100, tr("Medium from"))
        high = number("high", 1...100, tr("High from"))
        known = Trust(
            approved: number("known_approved", 1...1_000_000, tr("Known: approved, at least")),
            rejectedPercent: number("known_rejected_percent", points, tr("Known: rejected, at most (%)")))
        trusted = Trust(
            approved: number("trusted_approved", 1...1_000_000, tr("Trusted: approved, at least")),
            rejectedPercent: number("trusted_rejected_percent", points, tr("Trusted: rejected, at most (%)")))
        approveFrom = nil
        switch value["approve_from"] {
        case nil, .null: break
        case .some(let level):
            if let level = level.integerValue, (1...2).contains(level) {
                approveFrom = Int(level)
            } else {
                errors.add("/approve_from", "choice", tr("Auto-approve: choose off, known or trusted contributors."))
            }
        }
        languages = []
        for (index, language) in (value["languages"]?.arrayValue ?? []).enumerated() {
            if let language = language.stringValue, LanguageGuess.known.contains(language) {
                languages.append(language)
            } else {
                errors.add(
                    "/languages/\(index)", "choice",
                    tr("Choose one of: \(LanguageGuess.known.joined(separator: ", "))."))
            }
        }
        terms = Self.terms(value, &errors)
        if medium > high { errors.add("/high", "too_small", tr("High can't be less than medium.")) }
        try errors.throwIfAny()
    }

    private static func terms(_ value: JSONValue, _ errors: inout FieldErrors) -> [Term] {
        var terms: [Term] = []
        let given = value["terms"]?.arrayValue ?? []
        if given.count > maxTerms {
            errors.add("/terms", "too_many", tr("Enter at most \(maxTerms) lines."))
        }
        for (index, line) in given.prefix(maxTerms).enumerated() {
            let text = NormalizedTerms.of(line["term"]?.stringValue ?? "").joined(separator: " ")
            guard let number = line["points"]?.integerValue, (0...100).contains(number), !text.isEmpty,
                text.count <= 100
            else {
                errors.add(
                    "/terms/\(index)", "format",
                    tr("Line \(index + 1): enter a term, = and points from 0 to 100, such as free prize = 30."))
                continue
            }
            terms.append(Term(text: text, points: Int(number)))
        }
        return terms
    }

    package var json: JSONValue {
        func number(_ value: Int) -> JSONValue { .int(Int64(value)) }
        return .object([
            "terms": .array(terms.map { .object(["term": .string($0.text), "points": number($0.points)]) }),
            "links": number(links), "link_points": number(linkPoints), "letters": number(letters),
            "length_points": number(lengthPoints), "rejected_percent": number(rejectedPercent),
            "record_points": number(recordPoints), "per_hour": number(perHour), "rate_points": number(ratePoints),
            "languages": .array(languages.map(JSONValue.string)), "language_points": number(languagePoints),
            "learned_points": number(learnedPoints), "medium": number(medium), "high": number(high),
            "known_approved": number(known.approved), "known_rejected_percent": number(known.rejectedPercent),
            "trusted_approved": number(trusted.approved),
            "trusted_rejected_percent": number(trusted.rejectedPercent),
            "approve_from": approveFrom.map(number) ?? .null,
        ])
    }
}
