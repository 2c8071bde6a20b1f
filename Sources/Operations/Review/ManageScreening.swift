// Creates a version of the screening rules, tests it on past decisions, and activates it.
import Domain
import FoundationEssentials
import Localization
import Store

/// The result of testing a version on past decisions.
package struct ScreeningTrial: Sendable {
    /// By verdict (approved, rejected, spam) and the risk level the version assigns.
    package var counts: [String: [RiskLevel: Int]] = [:]
    /// Submissions the version would have approved automatically, by verdict.
    package var automatic: [String: Int] = [:]
    package var decisions = 0
    /// The most surprising ones: approved with a high score, or spam with a low one.
    package var samples: [Sample] = []

    package struct Sample: Sendable {
        package let submission: ID<Submission>
        package let title: String
        package let verdict: String
        package let score: Int
        package let level: RiskLevel
        package let why: String
    }
}

package struct ManageScreening: Sendable {
    /// A version is tested on this many of the latest decisions.
    package static let testedDecisions = 10_000
    private static let chunkSize = 500
    private static let sampleSize = 10

    let database: Database
    let rules: ContentRules

    /// Saves the rules as a version and tests it. The version has no effect until it is activated.
    package func create(_ written: JSONValue, note: String, by actor: Actor) async throws -> Int {
        try actor.require(.publish, tr("change the screening rules"))
        var errors = FieldErrors()
        let read = errors.collect { () throws(Failure) in try ScreeningRules(reading: written) }
        let note = PlainText.singleLine(note)
        if note.isEmpty { errors.add("/note", "required", tr("Describe what changes and why.")) }
        if note.unicodeScalars.count > 500 { errors.add("/note", "too_long", tr("At most 500 characters.")) }
        try errors.throwIfAny()
        guard let screeningRules = read else { throw Failure.invalid(errors) }
        let event = AuditEvent("screening.create", on: "screening", detail: ["note": .string(note)])
        let version = try await database.transaction(by: actor, event) { transaction in
            try await transaction.screenings.add(screeningRules, note: note, by: actor)
        }
        try await test(version, screeningRules, by: actor)
        return version
    }

    /// Activates a version for submissions received from now on. The database rejects a version that was not tested.
    package func activate(_ version: Int, by actor: Actor) async throws {
        try actor.require(.publish, tr("change the screening rules"))
        guard try await database.screenings.find(version: version) != nil else { throw Failure.missing("version") }
        let event = AuditEvent("screening.activate", on: "screening", String(version))
        try await database.transaction(by: actor, event) { try await $0.screenings.activate(version, by: actor) }
    }

    private func test(_ version: Int, _ screeningRules: ScreeningRules, by actor: Actor) async throws {
        let trial = try await trial(of: screeningRules)
        try await database.work(as: actor) { transaction in
            try await transaction.screenings.add(trial: trial.json, decisions: trial.decisions, of: version)
        }
    }

    /// Screens the submissions that people decided last, with the contributor records and spam counts of today.
    package func trial(of screeningRules: ScreeningRules) async throws -> ScreeningTrial {
        var trial = ScreeningTrial()
        var cursor: UUID?
        while trial.decisions < Self.testedDecisions {
            let chunk = try await database.spam.decided(before: cursor, limit: Self.chunkSize)
            guard let last = chunk.last else { break }
            cursor = last.decision
            let subjects = try await chunk.cooperativeMap { decided in
                try await ScreenedSubject(
                    id: decided.sample.id, type: decided.sample.type, fields: decided.sample.fields,
                    contributor: decided.sample.contributor, rules: rules)
            }
            let history = try await ScreeningHistory.load(of: subjects, database)
            for (subject, sample) in zip(subjects, chunk.map(\.sample)) {
                let screening = Screening(subject.text, history.status(of: subject, perHour: 1), by: screeningRules)
                count(screening, subject, sample, screeningRules, in: &trial)
            }
            if chunk.count < Self.chunkSize { break }
        }
        return trial
    }

    private func count(
        _ screening: Screening, _ subject: ScreenedSubject, _ sample: TrainingSampleRow,
        _ screeningRules: ScreeningRules, in trial: inout ScreeningTrial
    ) {
        let verdict = sample.verdict ?? "rejected"
        trial.decisions += 1
        trial.counts[verdict, default: [:]][screening.level, default: 0] += 1
        if screeningRules.approvesAutomatically(screening.level, trust: screening.trust) {
            trial.automatic[verdict, default: 0] += 1
        }
        let isSurprising =
            verdict == "approved" ? screening.level != .low : verdict == "spam" && screening.level == .low
        guard isSurprising, trial.samples.count < Self.sampleSize else { return }
        trial.samples.append(
            ScreeningTrial.Sample(
                submission: ID(sample.id), title: String(subject.text.title.joined(separator: " ").prefix(120)),
                verdict: verdict, score: screening.score, level: screening.level,
                why: screening.reasons.map(\.message).joined(separator: "; ")))
    }
}

extension ScreeningTrial {
    package var json: JSONValue {
        func number(_ value: Int) -> JSONValue { .int(Int64(value)) }
        return .object([
            "counts": .object(
                counts.mapValues { levels in
                    .object(Dictionary(uniqueKeysWithValues: levels.map { ($0.rawValue, number($1)) }))
                }),
            "automatic": .object(automatic.mapValues(number)),
            "samples": .array(
                samples.map { sample in
                    .object([
                        "submission": .string(sample.submission.description), "title": .string(sample.title),
                        "verdict": .string(sample.verdict), "score": number(sample.score),
                        "level": .string(sample.level.rawValue), "why": .string(sample.why),
                    ])
                }),
        ])
    }

    /// Reads a stored trial.
    package init(reading value: JSONValue, decisions: Int) {
        self.decisions = decisions
        for (verdict, levels) in value["counts"]?.objectValue ?? [:] {
            for level in RiskLevel.allCases {
                counts[verdict, default: [:]][level] = levels[level.rawValue]?.integerValue.map(Int.init)
            }
        }
        automatic = (value["automatic"]?.objectValue ?? [:]).mapValues { Int($0.integerValue ?? 0) }
        samples = (value["samples"]?.arrayValue ?? []).compactMap { sample in
            guard let id = sample["submission"]?.stringValue.flatMap({ ID<Submission>($0) }) else { return nil }
            return Sample(
                submission: id, title: sample["title"]?.stringValue ?? "",
                verdict: sample["verdict"]?.stringValue ?? "", score: Int(sample["score"]?.integerValue ?? 0),
                level: RiskLevel(rawValue: sample["level"]?.stringValue ?? "") ?? .low,
                why: sample["why"]?.stringValue ?? "")
        }
    }
}
