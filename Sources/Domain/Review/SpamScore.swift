// A naive Bayes over past decisions: how likely it is that something with these tokens is rejected as spam.
import Glibc

package struct SpamToken: Sendable, Hashable {
    package enum Field: String, Sendable, CaseIterable {
        case title, text, link, contributor
    }

    package let field: Field
    package let text: String

    package init(field: Field, text: String) {
        (self.field, self.text) = (field, text)
    }
}

/// How often something was seen in spam, and in what was accepted.
package struct SpamCount: Sendable, Equatable {
    package var spam: Int
    package var ham: Int

    package init(spam: Int = 0, ham: Int = 0) {
        (self.spam, self.ham) = (spam, ham)
    }
}

package enum SpamScore {
    /// Of each kind so many must have been decided before anything is said (>=).
    package static let leastDecided = 20
    /// The tokens that say most decide, so that a long text is no surer than a short one.
    private static let telling = 15

    /// From 0 to 1, with the tokens that speak most for spam; nil where too little was decided yet.
    package static func of(
        _ tokens: Set<SpamToken>, _ counts: [SpamToken: SpamCount], total: SpamCount
    ) -> (share: Double, words: [String])? {
        guard min(total.spam, total.ham) >= leastDecided else { return nil }
        let odds = tokens.compactMap { token -> (text: String, odds: Double)? in
            guard let count = counts[token], count.spam + count.ham >= 2 else { return nil }
            let inSpam = (Double(count.spam) + 0.5) / (Double(total.spam) + 1)
            let inHam = (Double(count.ham) + 0.5) / (Double(total.ham) + 1)
            return (token.text, log(inSpam / inHam))
        }
        let telling = odds.sorted { (abs($0.odds), $0.text) > (abs($1.odds), $1.text) }.prefix(telling)
        let sum = telling.reduce(0) { $0 + $1.odds }
        var words: [String] = []
        for token in telling where token.odds > 1 && words.count < 3 && !words.contains(token.text) {
            words.append(token.text)
        }
        return (1 / (1 + exp(-sum)), words)
    }
}
