// Looks at what came in and at what went live, many at once: what is compared with others is kept, and each submission is screened.
import Domain
import FoundationEssentials
import Store

package enum ScreenSubmissions {
    /// Read and written together: requests of the same thread wait for it no longer than a moment.
    private static let atOnce = 50
    /// So often in one transaction, and in one second: deciders wait for it no longer than a moment.
    private static let portions = 6
    /// The job that accepts what the rules accept by themselves, one by one.
    package static let approveKind = "approve_trusted"

    /// Whether there may be more.
    package static func screen(_ rules: ContentRules, _ change: Change) async throws -> Bool {
        for _ in 0..<portions {
            guard try await screenPortion(rules, change) else { return false }
        }
        return true
    }

    /// Whether there may be more.
    private static func screenPortion(_ rules: ContentRules, _ change: Change) async throws -> Bool {
        let published = try await change.similarities.published(limit: atOnce)
        let arrived = try await change.similarities.unscreened(limit: atOnce)
        // Taking the markup out of a text is most of the work: both need it, so both are made of one.
        let read = try await (published.subjects + arrived).mapInTurns { row in
            let plain = rules.types[row.type].map { rules.plain(Content(fields: row.fields), in: $0) }
            return (
                similarity: similarity(row, plain, rules),
                subject: row.isEntry
                    ? nil
                    : ScreenedSubject(
                        id: row.id, type: row.type, fields: row.fields, contributor: contributor(row), rules: rules,
                        plain: plain)
            )
        }
        try await change.similarities.keep(read.compactMap(\.similarity))
        try await screen(arrived, as: read.compactMap(\.subject), change)
        return published.isFull || arrived.count == atOnce
    }

    /// Nil for a type that is gone from the configuration.
    private static func similarity(
        _ row: SubjectRow, _ plain: String?, _ rules: ContentRules
    ) -> (id: UUID, isEntry: Bool, similarity: Similarity)? {
        guard let type = rules.types[row.type], let plain else { return nil }
        let similarity = Similarity(Content(fields: row.fields), in: type, plain: plain, sourceURL: row.sourceURL)
        return (row.id, row.isEntry, similarity)
    }

    private static func screen(
        _ arrived: [SubjectRow], as subjects: [ScreenedSubject], _ change: Change
    ) async throws {
        guard !arrived.isEmpty, let version = try await change.screenings.current() else { return }
        let team = try ScreeningRules(reading: version.rules)
        let hours = try await change.spam.count(
            arrived.compactMap { row in
                guard let contributor = contributor(row), let hour = row.hour else { return nil }
                return (row.id, contributor, hour)
            })
        let known = try await ScreeningKnowledge.load(of: subjects, change)
        let found = try await subjects.mapInTurns { subject in
            let standing = known.standing(of: subject, perHour: hours[subject.id] ?? 1)
            let screening = Screening(subject.text, standing, by: team)
            return FoundScreening(
                submission: subject.id, screening: screening, inputs: inputs(subject.text, standing, screening))
        }
        try await change.screenings.keep(found, version: version.version)
        for item in found where team.approvesAutomatically(item.screening.level, trust: item.screening.trust) {
            try await change.tasks.add(
                kind: approveKind,
                payload: .object(["submission": .string(ID<Submission>(item.submission).description)]),
                maxAttempts: 3)
        }
    }

    private static func contributor(_ row: SubjectRow) -> ContributorKey? {
        guard let client = row.client, let name = row.contributor else { return nil }
        return ContributorKey(client: client, contributor: name)
    }

    private static func inputs(
        _ text: ScreenedText, _ standing: Screening.Status, _ screening: Screening
    ) -> JSONValue {
        func number(_ value: Int) -> JSONValue { .int(Int64(value)) }
        return .object([
            "links": number(text.hosts.count), "letters": number(text.letters),
            "language": text.language.map(JSONValue.string) ?? .null, "approved": number(standing.record.approved),
            "rejected": number(standing.record.rejected), "spam": number(standing.record.spam),
            "per_hour": number(standing.perHour),
            "spam_percent": standing.spamShare.map { number(Int(($0 * 100).rounded())) } ?? .null,
        ])
    }
}

/// One submission, read for screening.
struct ScreenedSubject: Sendable {
    let id: UUID
    let text: ScreenedText
    let tokens: Set<SpamToken>
    let contributor: ContributorKey?

    /// `plain`: its text without markup, where somebody has it already.
    init(
        id: UUID, type: String, fields: [String: JSONValue], contributor: ContributorKey?, rules: ContentRules,
        plain: String? = nil
    ) {
        self.id = id
        self.contributor = contributor
        guard let type = rules.types[type] ?? rules.types.all.first else {
            text = ScreenedText.none
            tokens = []
            return
        }
        let content = Content(fields: fields)
        text = ScreenedText(
            content, in: type, plain: plain ?? rules.plain(content, in: type), contributor: contributor?.contributor)
        tokens = text.tokens
    }
}

/// What past decisions say of many submissions, asked for at once.
struct ScreeningKnowledge: Sendable {
    private let totals: SpamCount
    private let counts: [SpamToken: SpamCount]
    private let records: [ContributorKey: ContributorRecord]

    static func load(of subjects: [ScreenedSubject], _ stores: some Stores) async throws -> ScreeningKnowledge {
        let totals = try await stores.spam.totals()
        // Where too little was decided, words say nothing.
        let isTaught = min(totals.spam, totals.ham) >= SpamScore.leastDecided
        let tokens = isTaught ? subjects.reduce(into: Set<SpamToken>()) { $0.formUnion($1.tokens) } : []
        return ScreeningKnowledge(
            totals: totals, counts: tokens.isEmpty ? [:] : try await stores.spam.counts(of: tokens),
            records: try await stores.spam.records(of: Set(subjects.compactMap(\.contributor))))
    }

    func standing(of subject: ScreenedSubject, perHour: Int) -> Screening.Status {
        var standing = Screening.Status()
        standing.record = subject.contributor.flatMap { records[$0] } ?? ContributorRecord()
        standing.perHour = perHour
        if let trained = SpamScore.of(subject.tokens, counts, total: totals) {
            (standing.spamShare, standing.spamWords) = trained
        }
        return standing
    }
}
