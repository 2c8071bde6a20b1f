// The screening result of a submission: its score, risk level and reasons.
import Localization

package struct Screening: Sendable, Equatable {
    package struct Reason: Sendable, Equatable {
        /// The rule: terms, links, length, record, rate, language, learned or damaged.
        package let rule: String
        package let points: Int
        /// For people: "5 links; more than 3".
        package let message: String
    }

    /// The context of a submission beyond its content.
    package struct Context: Sendable, Equatable {
        package var record = ContributorRecord()
        /// What the team has decided about its contributor.
        package var status: ContributorStatus?
        /// The number of submissions of its contributor within the hour, including this one.
        package var perHour = 1
        package var spamShare: Double?
        package var spamTerms: [String] = []
        /// Why its content can't be read; nil if it can.
        package var damage: String?

        package init() {}
    }

    /// From 0 to 100.
    package let score: Int
    package let level: RiskLevel
    /// Sorted by points, descending.
    package let reasons: [Reason]
    /// 0 new, 1 known, 2 trusted.
    package let trust: Int

    package init(_ text: ScreenedText, _ context: Context, by rules: ScreeningRules) {
        var reasons: [Reason] = []
        func add(_ rule: String, _ points: Int, _ message: String) {
            if points > 0 { reasons.append(Reason(rule: rule, points: points, message: message)) }
        }
        for rule in rules.terms where text.contains(rule.text) {
            add("terms", rule.points, tr("contains “\(rule.text)”", context: "context"))
        }
        if text.hosts.count > rules.links {
            add("links", rules.linkPoints, tr("\(text.hosts.count) links; more than \(rules.links)"))
        }
        if text.letters < rules.letters {
            add("length", rules.lengthPoints, tr("\(text.letters) letters of text; fewer than \(rules.letters)"))
        }
        let record = context.record
        if record.decided >= ScreeningRules.leastDecided,
            record.rejected * 100 >= rules.rejectedPercent * record.decided
        {
            add(
                "record", rules.recordPoints,
                tr("\(record.rejected) of \(record.decided) of this contributor's submissions were rejected"))
        }
        if context.perHour > rules.perHour {
            add(
                "rate", rules.ratePoints,
                tr("\(context.perHour) submissions within an hour; more than \(rules.perHour)"))
        }
        if let language = text.language, !rules.languages.isEmpty, !rules.languages.contains(language) {
            add("language", rules.languagePoints, tr("language appears to be “\(language)”"))
        }
        if let share = context.spamShare {
            let percent = Int((share * 100).rounded())
            let terms = context.spamTerms.isEmpty ? "" : ": " + context.spamTerms.joined(separator: ", ")
            // A probability of at most 50 % adds no points.
            if percent > 50 {
                add(
                    "learned", (rules.learnedPoints * (percent - 50) + 25) / 50,
                    tr("\(percent) % similar to past spam\(terms)"))
            }
        }
        if let damage = context.damage {
            reasons.append(Reason(rule: "damaged", points: 0, message: damage))
        }
        self.reasons = reasons.sorted { ($0.points, $1.rule) > ($1.points, $0.rule) }
        score = min(100, reasons.reduce(0) { $0 + $1.points })
        level = rules.level(of: score)
        trust = rules.trust(in: record, context.status)
    }
}
