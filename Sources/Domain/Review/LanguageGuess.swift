// Guesses the language of a text by its most frequent function words, well enough to flag languages that the team does
// not read.

package enum LanguageGuess {
    private static let small: [String: Set<String>] = [
        "en": [
            "the", "and", "of", "to", "in", "is", "that", "it", "for", "was", "with", "on", "are", "this", "you", "at",
        ],
        "de": [
            "der", "die", "und", "das", "ist", "nicht", "ein", "eine", "mit", "auf", "fur", "den", "von", "zu", "sich",
        ],
        "fr": [
            "le", "la", "les", "et", "des", "est", "un", "une", "que", "pour", "dans", "qui", "pas", "sur", "du", "au",
        ],
        "es": ["el", "la", "los", "y", "que", "es", "en", "un", "una", "por", "con", "para", "las", "del", "se", "al"],
        "it": [
            "il", "la", "che", "di", "e", "un", "una", "per", "non", "con", "sono", "gli", "della", "si", "nel", "piu",
        ],
        "pt": ["o", "a", "os", "que", "e", "do", "da", "em", "um", "uma", "para", "com", "nao", "por", "mais", "ao"],
        "nl": [
            "de", "het", "een", "en", "van", "is", "dat", "niet", "op", "te", "met", "voor", "zijn", "er", "aan", "ook",
        ],
        "pl": ["w", "i", "na", "z", "nie", "sie", "do", "to", "jest", "ze", "a", "o", "jak", "po", "co", "ale"],
        "ru": ["и", "в", "не", "на", "что", "с", "я", "по", "это", "как", "он", "к", "но", "из", "а", "за"],
        "uk": ["і", "в", "не", "на", "що", "з", "у", "та", "до", "це", "як", "він", "але", "за", "є", "про"],
    ]

    package static var known: [String] { small.keys.sorted() }

    /// The languages of each word.
    private static let languages = small.reduce(into: [String: [String]]()) { all, one in
        for word in one.value { all[word, default: []].append(one.key) }
    }

    /// The minimum number of words (>=).
    private static let minWords = 20

    /// Nil if the text is too short, in none of these languages, or ambiguous. `words` are normalized.
    package static func of(_ words: [String]) -> String? {
        guard words.count >= minWords else { return nil }
        var counts: [String: Int] = [:]
        for word in words {
            for language in languages[word] ?? [] { counts[language, default: 0] += 1 }
        }
        let ranked = counts.sorted { ($0.value, $1.key) > ($1.value, $0.key) }
        guard let best = ranked.first else { return nil }
        let next = ranked.dropFirst().first?.value ?? 0
        return best.value * 10 >= words.count && best.value * 4 >= next * 5 ? best.key : nil
    }
}
