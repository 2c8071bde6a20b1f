// What screening finds in one submission: its score, how much of a risk that is, and why.

package struct Screening: Sendable, Equatable {
    package struct Reason: Sendable, Equatable {
        /// words, links, length, record, rate, language or learned.
        package let rule: String
        package let points: Int
        /// For people: "5 links; more than 3".
        package let words: String
    }

    /// What is known of a submission beside what it holds.
    package struct Status: Sendable, Equatable {
        package var record = ContributorRecord()
        /// Submissions of its contributor within that hour, with this one.
        package var perHour = 1
        package var spamShare: Double?
        package var spamWords: [String] = []

        package init() {}
    }

    /// From 0 to 100.
    package let score: Int
    package let level: RiskLevel
    /// Those that count most first.
    package let reasons: [Reason]
    /// 0 new, 1 known, 2 trusted.
    package let trust: Int

    package init(_ text: ScreenedText, _ standing: Status, by rules: ScreeningRules) {
        var reasons: [Reason] = []
        func add(_ rule: String, _ points: Int, _ words: String) {
            if points > 0 { reasons.append(Reason(rule: rule, points: points, words: words)) }
        }
        for words in rules.words where text.holds(words.words) { add("words", words.points, "holds “\(words.words)”") }
        if text.hosts.count > rules.links {
            add("links", rules.linkPoints, "\(text.hosts.count) links; more than \(rules.links)")
        }
        if text.letters < rules.letters {
            add("length", rules.lengthPoints, "\(text.letters) letters of text; fewer than \(rules.letters)")
        }
        let record = standing.record
        if record.decided >= ScreeningRules.leastDecided,
            record.rejected * 100 >= rules.rejectedPercent * record.decided
        {
            add(
                "record", rules.recordPoints,
                "\(record.rejected) of \(record.decided) of this contributor's were rejected")
        }
        if standing.perHour > rules.perHour {
            add("rate", rules.ratePoints, "\(standing.perHour) within an hour; more than \(rules.perHour)")
        }
        if let language = text.language, !rules.languages.isEmpty, !rules.languages.contains(language) {
            add("language", rules.languagePoints, "seems to be in “\(language)”")
        }
        if let share = standing.spamShare {
            let percent = Int((share * 100).rounded())
            let words = standing.spamWords.isEmpty ? "" : ": " + standing.spamWords.joined(separator: ", ")
            // What is more likely none adds nothing.
            if percent > 50 {
                add("learned", (rules.learnedPoints * (percent - 50) + 25) / 50, "\(percent) % like past spam\(words)")
            }
        }
        self.reasons = reasons.sorted { ($0.points, $1.rule) > ($1.points, $0.rule) }
        score = min(100, reasons.reduce(0) { $0 + $1.points })
        level = rules.level(of: score)
        trust = rules.trust(in: record)
    }
}
