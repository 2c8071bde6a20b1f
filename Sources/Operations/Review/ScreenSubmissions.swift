// Screens new submissions and updates the similarity keys of submissions and published entries, in batches.
import Domain
import FoundationEssentials
import Store

package enum ScreenSubmissions {
    /// Rows read and written together; small, so that requests on the same thread are not delayed noticeably.
    private static let batchSize = 50
    /// Batches per transaction and second; few, so that concurrent decisions are not delayed noticeably.
    private static let batches = 6
    /// The background task that approves one submission automatically.
    package static let approveKind = "approve_trusted"

    /// Returns whether there may be more. `isClassified`: an external classifier is asked about them after the commit, too.
    /// Nothing here waits for its answer.
    package static func screen(
        _ rules: ContentRules, isClassified: Bool = false, _ transaction: AuditedTransaction
    ) async throws -> Bool {
        for _ in 0..<batches {
            guard try await screenBatch(rules, isClassified, transaction) else { return false }
        }
        return true
    }

    /// Returns whether there may be more.
    private static func screenBatch(
        _ rules: ContentRules, _ isClassified: Bool, _ transaction: AuditedTransaction
    ) async throws -> Bool {
        let published = try await transaction.similarities.published(limit: batchSize)
        let received = try await transaction.similarities.unscreened(limit: batchSize)
        let unread = received.isEmpty ? try await transaction.submissionWords.incomplete(limit: batchSize) : []
        // Stripping the markup is most of the work, so its result is shared by similarity, screening and search.
        let prepared = try await (published.subjects + received + unread).cooperativeMap { row in
            var plain: String?
            if let type = rules.types[row.type] {
                plain = try await rules.plain(Content(fields: row.fields), in: type)
            }
            return (
                similarity: similarity(row, plain, rules), words: words(row, plain, rules),
                subject: row.isEntry
                    ? nil
                    : try await ScreenedSubject(
                        id: row.id, type: row.type, fields: row.fields, contributor: contributor(row), rules: rules,
                        plain: plain, damage: row.stored.damage)
            )
        }
        try await transaction.submissionWords.save(prepared.compactMap(\.words))
        try await transaction.similarities.save(prepared.compactMap(\.similarity))
        try await screen(
            received, as: Array(prepared.compactMap(\.subject).prefix(received.count)), transaction)
        if isClassified { try await transaction.classifications.request(received.map(\.id)) }
        return published.isFull || received.count == batchSize || unread.count == batchSize
    }

    /// Nil for a type that is no longer configured.
    private static func similarity(
        _ row: SubjectRow, _ plain: String?, _ rules: ContentRules
    ) -> (id: UUID, isEntry: Bool, similarity: Similarity)? {
        guard let type = rules.types[row.type], let plain else { return nil }
        let similarity = Similarity(Content(fields: row.fields), in: type, plain: plain, sourceURL: row.sourceURL)
        return (row.id, row.isEntry, similarity)
    }

    /// Nil for an entry. The words of a type that is no longer configured are those of the title.
    private static func words(_ row: SubjectRow, _ plain: String?, _ rules: ContentRules) -> SubmissionWords? {
        if row.isEntry { return nil }
        let type = rules.types[row.type]
        let leaves = type.map { Content(fields: row.fields).leaves(of: $0) } ?? []
        let written = leaves.filter { $0.field.isPlainText && $0.path != type?.titleField }.compactMap(
            \.value.stringValue)
        return SubmissionWords(
            id: row.id, text: ([plain ?? ""] + written).joined(separator: "\n"),
            domains: ScreenedText.domains(of: row.fields, sourceURL: row.sourceURL))
    }

    private static func screen(
        _ received: [SubjectRow], as subjects: [ScreenedSubject], _ transaction: AuditedTransaction
    ) async throws {
        guard !received.isEmpty, let version = try await transaction.screenings.current() else { return }
        let rules = try ScreeningRules(reading: version.rules)
        let hours = try await transaction.spam.count(
            received.compactMap { row in
                guard let contributor = contributor(row), let hour = row.hour else { return nil }
                return (row.id, contributor, hour)
            })
        let history = try await ScreeningHistory.load(of: subjects, transaction)
        let found = try await subjects.cooperativeMap { subject in
            let status = history.status(of: subject, perHour: hours[subject.id] ?? 1)
            let screening = Screening(subject.text, status, by: rules)
            return NewScreening(
                submission: subject.id, screening: screening, inputs: inputs(subject.text, status, screening))
        }
        try await transaction.screenings.save(found, version: version.version)
        for item in found where rules.approvesAutomatically(item.screening.level, trust: item.screening.trust) {
            try await transaction.tasks.add(
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
        _ text: ScreenedText, _ status: Screening.Context, _ screening: Screening
    ) -> JSONValue {
        func number(_ value: Int) -> JSONValue { .int(Int64(value)) }
        return .object([
            "links": number(text.hosts.count), "letters": number(text.letters),
            "language": text.language.map(JSONValue.string) ?? .null, "approved": number(status.record.approved),
            "rejected": number(status.record.rejected), "spam": number(status.record.spam),
            "per_hour": number(status.perHour),
            "spam_percent": status.spamShare.map { number(Int(($0 * 100).rounded())) } ?? .null,
        ])
    }
}

/// A submission prepared for screening.
struct ScreenedSubject: Sendable {
    let id: UUID
    let text: ScreenedText
    let tokens: Set<SpamToken>
    let contributor: ContributorKey?
    /// Why its content can't be read; nil if it can.
    let damage: String?

    /// `known`: its text without markup, if it has already been computed.
    init(
        id: UUID, type: String, fields: [String: JSONValue], contributor: ContributorKey?, rules: ContentRules,
        plain known: String? = nil, damage: String? = nil
    ) async throws {
        self.id = id
        self.contributor = contributor
        self.damage = damage
        guard let type = rules.types[type] ?? rules.types.all.first else {
            text = ScreenedText.none
            tokens = []
            return
        }
        let content = Content(fields: fields)
        var plain = known ?? ""
        if known == nil { plain = try await rules.plain(content, in: type) }
        text = ScreenedText(content, in: type, plain: plain, contributor: contributor?.contributor)
        tokens = text.tokens
    }
}

/// Spam counts and contributor records from past decisions, loaded once for many submissions.
struct ScreeningHistory: Sendable {
    private let totals: SpamCount
    private let counts: [SpamToken: SpamCount]
    private let records: [ContributorKey: ContributorRecord]
    private let statuses: [ContributorKey: ContributorStatus]

    static func load(of subjects: [ScreenedSubject], _ stores: some Stores) async throws -> ScreeningHistory {
        let totals = try await stores.spam.totals()
        // With too few decisions, tokens are not significant.
        let isTrained = min(totals.spam, totals.ham) >= SpamScore.leastDecided
        let tokens = isTrained ? subjects.reduce(into: Set<SpamToken>()) { $0.formUnion($1.tokens) } : []
        let contributors = Set(subjects.compactMap(\.contributor))
        return ScreeningHistory(
            totals: totals, counts: tokens.isEmpty ? [:] : try await stores.spam.counts(of: tokens),
            records: try await stores.spam.records(of: contributors),
            statuses: try await stores.reputations.statuses(of: contributors))
    }

    func status(of subject: ScreenedSubject, perHour: Int) -> Screening.Context {
        var status = Screening.Context()
        status.record = subject.contributor.flatMap { records[$0] } ?? ContributorRecord()
        status.status = subject.contributor.flatMap { statuses[$0] }
        status.perHour = perHour
        status.damage = subject.damage
        if let trained = SpamScore.of(subject.tokens, counts, total: totals) {
            (status.spamShare, status.spamTerms) = trained
        }
        return status
    }
}
