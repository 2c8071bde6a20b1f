// A naive Bayes classifier trained on past decisions: the probability that tokens belong to spam.
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

/// The occurrences of a token in spam and in approved submissions.
package struct SpamCount: Sendable, Equatable {
    package var spam: Int
    package var ham: Int

    package init(spam: Int = 0, ham: Int = 0) {
        (self.spam, self.ham) = (spam, ham)
    }
}

package enum SpamScore {
    /// The minimum number of decisions of each kind (>=).
    package static let leastDecided = 20
    /// The number of most informative tokens that count, so that long texts do not score higher than short ones.
    private static let tokenLimit = 15

    /// The probability from 0 to 1 and the strongest spam tokens; nil with too few decisions.
    package static func of(
        _ tokens: Set<SpamToken>, _ counts: [SpamToken: SpamCount], total: SpamCount
    ) -> (share: Double, terms: [String])? {
        guard min(total.spam, total.ham) >= leastDecided else { return nil }
        let odds = tokens.compactMap { token -> (text: String, odds: Double)? in
            guard let count = counts[token], count.spam + count.ham >= 2 else { return nil }
            let inSpam = (Double(count.spam) + 0.5) / (Double(total.spam) + 1)
            let inHam = (Double(count.ham) + 0.5) / (Double(total.ham) + 1)
            return (token.text, log(inSpam / inHam))
        }
        let informative = odds.sorted { (abs($0.odds), $0.text) > (abs($1.odds), $1.text) }.prefix(tokenLimit)
        let sum = informative.reduce(0) { $0 + $1.odds }
        var terms: [String] = []
        for token in informative where token.odds > 1 && terms.count < 3 && !terms.contains(token.text) {
            terms.append(token.text)
        }
        return (1 / (1 + exp(-sum)), terms)
    }
}
