// The screening rules of the team: points, risk thresholds and trust levels.

package struct ScreeningRules: Sendable, Equatable {
    /// A normalized word or phrase to find in title and text.
    package struct Term: Sendable, Equatable {
        package let text: String
        package let points: Int
    }

    /// The record that a contributor needs for a trust level.
    package struct Trust: Sendable, Equatable {
        /// The minimum number of approved submissions (>=).
        package let approved: Int
        /// The maximum percentage of rejected submissions (<=).
        package let rejectedPercent: Int
    }

    package var terms: [Term]
    /// The maximum number of links, and the points for more (>).
    package var links: Int, linkPoints: Int
    /// The minimum number of letters of text, and the points for fewer (<).
    package var letters: Int, lengthPoints: Int
    /// The percentage of a contributor's decided submissions that were rejected, and the points from it on (>=).
    package var rejectedPercent: Int, recordPoints: Int
    /// The maximum number of a contributor's submissions per hour, and the points for more (>).
    package var perHour: Int, ratePoints: Int
    /// The accepted languages, and the points for other ones. Empty accepts all; an undetected language adds no points.
    package var languages: [String], languagePoints: Int
    /// The points at a spam probability of 100 %; proportionally fewer below.
    package var learnedPoints: Int
    /// The minimum scores of medium and high risk (>=).
    package var medium: Int, high: Int
    package var known: Trust, trusted: Trust
    /// The minimum trust level (1 known, 2 trusted) for auto-approval of low-risk submissions; nil turns it off.
    package var approveFrom: Int?

    /// The minimum number of decisions for a record to count (>=).
    package static let leastDecided = 4
    package static let maxTerms = 200

    package func level(of score: Int) -> RiskLevel { score >= high ? .high : score >= medium ? .medium : .low }

    /// 0 new, 1 known, 2 trusted. A contributor with spam is trusted only by the team, and a blocked one never.
    package func trust(in record: ContributorRecord, _ status: ContributorStatus? = nil) -> Int {
        switch status {
        case .trusted: return 2
        case .blocked: return 0
        case nil: break
        }
        func isMet(_ trust: Trust) -> Bool {
            record.spam == 0 && record.approved >= max(1, trust.approved)
                && record.rejected * 100 <= trust.rejectedPercent * record.decided
        }
        return isMet(trusted) ? 2 : isMet(known) ? 1 : 0
    }

    /// Whether to approve automatically; never for medium or high risk.
    package func approvesAutomatically(_ level: RiskLevel, trust: Int) -> Bool {
        guard let approveFrom, level == .low else { return false }
        return trust >= approveFrom
    }
}

package enum RiskLevel: String, Sendable, CaseIterable, Codable {
    case low, medium, high
}

/// The decisions on a contributor's submissions, identified by client and contributor reference.
package struct ContributorRecord: Sendable, Equatable {
    package var approved = 0
    /// Includes spam.
    package var rejected = 0
    package var spam = 0

    package var decided: Int { approved + rejected }

    package init(approved: Int = 0, rejected: Int = 0, spam: Int = 0) {
        (self.approved, self.rejected, self.spam) = (approved, rejected, spam)
    }
}
