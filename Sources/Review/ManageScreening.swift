// Makes a version of the screening rules, tries it on past decisions, and switches it on.
import Domain
import FoundationEssentials
import Store

/// What a version would have done with past decisions.
package struct ScreeningTrial: Sendable {
    /// By what people decided (accepted, rejected, spam) and the level that it would have had.
    package var counts: [String: [RiskLevel: Int]] = [:]
    /// It would have been accepted without a person; by what people decided.
    package var automatic: [String: Int] = [:]
    package var decisions = 0
    /// Those that are most surprising: accepted with a high score, spam with a low one.
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
    /// A version is tried on so many decisions, the last ones.
    package static let tried = 10_000
    private static let chunk = 500
    private static let sampled = 10

    private let database: Database
    private let rules: ContentRules

    package init(database: Database, rules: ContentRules) {
        self.database = database
        self.rules = rules
    }

    /// Keeps the rules as a version and tries it; it does not count before it is switched on.
    package func add(_ written: JSONValue, note: String, by actor: Actor) async throws -> Int {
        try actor.require(.publish, "change the screening rules")
        var errors = FieldErrors()
        let read = errors.collect { () throws(Failure) in try ScreeningRules(reading: written) }
        let note = PlainText.singleLine(note)
        if note.isEmpty { errors.add("/note", "required", "Say what changes and why.") }
        if note.unicodeScalars.count > 500 { errors.add("/note", "too_long", "At most 500 characters.") }
        try errors.throwIfAny()
        guard let team = read else { throw Failure.invalid(errors) }
        let event = AuditEvent("screening.create", on: "screening", detail: ["note": .string(note)])
        let version = try await database.change(by: actor, event) { change in
            try await change.screenings.add(team, note: note, by: actor)
        }
        try await self.try(version, team, by: actor)
        return version
    }

    /// Switches a version on: from now on what comes in is screened by it. The database refuses one that was not tried.
    package func activate(_ version: Int, by actor: Actor) async throws {
        try actor.require(.publish, "change the screening rules")
        guard try await database.screenings.find(version: version) != nil else { throw Failure.missing("version") }
        let event = AuditEvent("screening.activate", on: "screening", String(version))
        try await database.change(by: actor, event) { try await $0.screenings.activate(version, by: actor) }
    }

    private func `try`(_ version: Int, _ team: ScreeningRules, by actor: Actor) async throws {
        let trial = try await trial(of: team)
        try await database.work(as: actor) { change in
            try await change.screenings.add(trial: trial.json, decisions: trial.decisions, of: version)
        }
    }

    /// What the rules would have found in what people decided last, with the records and the words that are known now.
    package func trial(of team: ScreeningRules) async throws -> ScreeningTrial {
        var trial = ScreeningTrial()
        var place: UUID?
        while trial.decisions < Self.tried {
            let part = try await database.spam.decided(before: place, limit: Self.chunk)
            guard let last = part.last else { break }
            place = last.decision
            let subjects = try await part.mapInTurns { part in
                ScreenedSubject(
                    id: part.sample.id, type: part.sample.type, fields: part.sample.fields,
                    contributor: part.sample.contributor, rules: rules)
            }
            let known = try await ScreeningKnowledge.load(of: subjects, database)
            for (subject, sample) in zip(subjects, part.map(\.sample)) {
                let screening = Screening(subject.text, known.standing(of: subject, perHour: 1), by: team)
                note(screening, subject, sample, team, &trial)
            }
            if part.count < Self.chunk { break }
        }
        return trial
    }

    private func note(
        _ screening: Screening, _ subject: ScreenedSubject, _ sample: TrainingSampleRow, _ team: ScreeningRules,
        _ trial: inout ScreeningTrial
    ) {
        let verdict = sample.verdict ?? "rejected"
        trial.decisions += 1
        trial.counts[verdict, default: [:]][screening.level, default: 0] += 1
        if team.approvesAutomatically(screening.level, trust: screening.trust) { trial.automatic[verdict, default: 0] += 1 }
        let isSurprising =
            verdict == "approved" ? screening.level != .low : verdict == "spam" && screening.level == .low
        guard isSurprising, trial.samples.count < Self.sampled else { return }
        trial.samples.append(
            ScreeningTrial.Sample(
                submission: ID(sample.id), title: String(subject.text.title.joined(separator: " ").prefix(120)),
                verdict: verdict, score: screening.score, level: screening.level,
                why: screening.reasons.map(\.words).joined(separator: "; ")))
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

    /// As it was kept.
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
