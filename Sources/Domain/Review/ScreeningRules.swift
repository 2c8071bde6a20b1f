// The team's rules by which submissions are screened: what counts how much, from which score on it is a risk, and whom they trust.

package struct ScreeningRules: Sendable, Equatable {
    /// Words that are looked for in title and text, folded; one after the other where there are several.
    package struct Words: Sendable, Equatable {
        package let words: String
        package let points: Int
    }

    /// From which record on contributors are trusted.
    package struct Trust: Sendable, Equatable {
        /// At least so many of theirs were accepted (>=).
        package let approved: Int
        /// At most so many per cent of what was decided were rejected (<=).
        package let rejectedPercent: Int
    }

    package var words: [Words]
    /// Points for more links than that (>).
    package var links: Int, linkPoints: Int
    /// Points for fewer letters of text than that (<).
    package var letters: Int, lengthPoints: Int
    /// Points where at least so many per cent of what was decided of a contributor were rejected (>=).
    package var rejectedPercent: Int, recordPoints: Int
    /// Points for more submissions of a contributor within an hour than that (>).
    package var perHour: Int, ratePoints: Int
    /// Points for a text in none of these languages; with none of them any will do, and a text that cannot be told is in none.
    package var languages: [String], languagePoints: Int
    /// Points for what past decisions say is spam for certain; less for less.
    package var learnedPoints: Int
    /// A score is medium and high from these on (>=).
    package var medium: Int, high: Int
    package var known: Trust, trusted: Trust
    /// From this level on (1 known, 2 trusted) a submission that is no medium risk is accepted by itself; nil: nobody's.
    package var approveFrom: Int?

    /// A record says something from so many decisions on (>=).
    package static let leastDecided = 4
    package static let mostWords = 200

    package func level(of score: Int) -> RiskLevel { score >= high ? .high : score >= medium ? .medium : .low }

    /// 0 new, 1 known, 2 trusted. Whoever sent spam is not trusted.
    package func trust(in record: ContributorRecord) -> Int {
        func holds(_ trust: Trust) -> Bool {
            record.spam == 0 && record.approved >= max(1, trust.approved)
                && record.rejected * 100 <= trust.rejectedPercent * record.decided
        }
        return holds(trusted) ? 2 : holds(known) ? 1 : 0
    }

    /// Never a medium or high risk.
    package func approvesAutomatically(_ level: RiskLevel, trust: Int) -> Bool {
        guard let approveFrom, level == .low else { return false }
        return trust >= approveFrom
    }
}

package enum RiskLevel: String, Sendable, CaseIterable, Codable {
    case low, medium, high
}

/// What became of a contributor's submissions, by this reference at this application.
package struct ContributorRecord: Sendable, Equatable {
    package var approved = 0
    /// Spam too.
    package var rejected = 0
    package var spam = 0

    package var decided: Int { approved + rejected }

    package init(approved: Int = 0, rejected: Int = 0, spam: Int = 0) {
        (self.approved, self.rejected, self.spam) = (approved, rejected, spam)
    }
}
