// The page of one submission: what was sent in, by whom, who looks at it, what was decided, and the decision forms.
import Domain
import FoundationEssentials
import HTTP
import Review
import Store

struct ReviewPage: Encodable, Sendable {
    struct Claim: Encodable, Sendable {
        let address: String
        /// Nil when nobody holds it.
        let holder: String?
        let isMine: Bool
        let until: Instant?
    }

    struct Undo: Encodable, Sendable {
        let address: String
        let version: Int
        let sentence: String
    }

    let heading: String
    let type: String
    let client: String
    let contributor: String?
    let wished: String?
    let sourceURL: String?
    let received: Instant
    let state: SubmissionState
    let tone: String
    let preview: [FieldView]
    let rest: [FieldView]
    let raw: String
    let history: [DecisionLine]
    let queueAddress: String
    let skipAddress: String?
    let claim: Claim?
    let forms: ReviewForms?
    let undo: Undo?
    let entryAddress: String?
    /// Why the last try did not work, where no field is to blame.
    let notice: String?
    let problem: ErrorSummary?

    /// Reads all that the page shows. `typed` is a decision that was refused because of `errors`; `notice` is what else
    /// stood in its way, and then the forms decide `overOthers`.
    static func load(
        _ request: AdminRequest, _ submission: SubmissionRow, typed: DecisionForm? = nil,
        errors: FieldErrors = FieldErrors(), notice: String? = nil
    ) async throws -> ReviewPage {
        let database = request.database
        let rules = request.context.rules
        let type = try rules.type(named: submission.type)
        let query = QueueQuery(request.query)
        let content = Content(fields: submission.fields)
        let queued = try await database.queue.find(submission.id)
        let choices = try await FieldChoices.load(for: type, rules: rules, database)
        let mayDecide = request.actor.may(.decide) && !Decision.verdicts(in: submission.state).isEmpty
        return ReviewPage(
            submission, type, query, queued,
            views: FieldView.previewAndRest(
                of: content, in: type, received: submission.received["fields"]?.objectValue,
                names: try await EntryNames.load([content], of: type, database)),
            history: try await database.decisions.history(of: submission.id).map { DecisionLine($0) },
            skip: try await next(request, query, after: queued == nil ? nil : submission),
            forms: mayDecide
                ? ReviewForms(
                    request, submission, type, choices, address: query.address("/queue/\(submission.id)/decision"),
                    typed: typed, errors: errors, takesOver: notice != nil)
                : nil,
            account: request.session?.account, notice: notice,
            problem: ErrorSummary(errors, ids: ReviewForms.ids(for: typed?.verdict)))
    }

    private init(
        _ submission: SubmissionRow, _ type: ContentType, _ query: QueueQuery, _ queued: QueueRow?,
        views: (preview: [FieldView], rest: [FieldView]), history: [DecisionLine], skip: ID<Submission>?,
        forms: ReviewForms?, account: ID<Account>?, notice: String?, problem: ErrorSummary?
    ) {
        let address = "/queue/\(submission.id)"
        heading = submission.title.isEmpty ? "Without a title" : submission.title
        self.type = type.label
        client = submission.clientName
        contributor = submission.contributor
        wished = submission.wishedCategory
        sourceURL = submission.sourceURL
        received = Instant(submission.receivedAt)
        state = submission.state
        tone = submission.state == .accepted ? "ok" : submission.state == .rejected ? "bad" : "wait"
        (preview, rest) = views
        raw = Self.written(submission.received)
        self.history = history
        queueAddress = query.address("/queue")
        skipAddress = skip.map { query.address("/queue/\($0)") }
        claim = queued.map {
            Claim(
                address: query.address("\(address)/claim"), holder: $0.claimedBy, isMine: $0.claimedByID == account,
                until: $0.claimedUntil.map { Instant($0) })
        }
        self.forms = forms
        undo =
            submission.state == .pending
            ? nil
            : Undo(
                address: query.address("\(address)/undo"), version: submission.version,
                sentence: submission.state == .accepted
                    ? "It goes back into the queue, and its entry is taken out of what readers see."
                    : "It goes back into the queue at its old place.")
        entryAddress = submission.entry.map { "/entries/\($0)" }
        self.notice = notice
        self.problem = problem
    }

    /// As it came, for reading.
    private static func written(_ received: JSONValue) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let written = (try? encoder.encode(received)).flatMap { String(validating: $0, as: UTF8.self) }
        return written ?? received.canonicalText
    }

    /// The one behind `submission` in the list that nobody else has taken; from the end of the list, the oldest such one.
    static func next(
        _ request: AdminRequest, _ query: QueueQuery, after submission: SubmissionRow?
    ) async throws -> ID<Submission>? {
        guard let account = request.session?.account else { return nil }
        return try await request.database.queue.next(after: submission, query.filter(for: account), for: account)
    }
}
