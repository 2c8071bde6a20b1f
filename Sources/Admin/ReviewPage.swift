// The page of one submission: what was sent in, by whom, who looks at it, what was decided, and the decision forms.
import Domain
import FoundationEssentials
import HTTP
import Markup
import Review
import Store

struct ReviewPage: Encodable, Sendable {
    struct Claim: Encodable, Sendable {
        let address: String
        /// Nil when nobody holds it.
        let holder: String?
        let isMine: Bool
        let until: Instant?
        let renewAddress: String
        let reason: String
        let errors: [String]
    }

    struct Undo: Encodable, Sendable {
        let address: String
        let version: Int
        let sentence: String
    }

    let heading: String
    /// Why to look twice at what stands in the head (S39, S40).
    let warnings: [String]
    let type: String
    let client: String
    let contributor: String?
    let requested: String?
    let sourceURL: String?
    let sourceText: String?
    let received: Instant
    let state: SubmissionState
    let tone: String
    let preview: [FieldView]
    let rest: [FieldView]
    let raw: String
    let history: [DecisionLine]
    let queueAddress: String
    let skipAddress: String?
    /// What stands around it in the list, where it waits.
    let list: [QueueLine]
    let standing: QueueLine?
    let desk: SubmissionActionForms
    let side: ContributorPanel?
    let similar: SimilarPanel?
    let screening: ScreeningPanel?
    let stages: StagePanel?
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
        _ request: AdminRequest, _ submission: SubmissionRow, typed: DecisionForm? = nil, desk: SubmissionActionForms.Typed? = nil,
        errors: FieldErrors = FieldErrors(), notice: String? = nil
    ) async throws -> ReviewPage {
        let database = request.database
        let rules = request.context.rules
        let type = try rules.type(named: submission.type)
        let query = QueueQuery(request.query)
        let content = Content(fields: submission.fields)
        let queued = try await database.queue.find(submission.id)
        let choices = try await FieldChoices.load(for: type, rules: rules, database)
        let notes = try await database.notes.about(submission.id)
        if let account = request.session?.account, !notes.isEmpty, try await database.notes.unseen(by: account) > 0 {
            try await AddNote(database: database).see(submission.id, by: request.actor)
        }
        let place = queued?.place ?? QueuePosition(receivedAt: submission.receivedAtText, id: submission.id)
        let around = try await database.queue.around(
            place, try await query.filter(for: request), order: query.order, before: 4, after: 12)
        var originals: [OriginalRow] = []
        if let words = typed?.originalWords, typed?.verdict == .duplicate, !words.isEmpty {
            originals = try await database.originals.search(words, except: submission.id, limit: 5)
        }
        let mayDecide = request.actor.may(.decide) && !Decision.verdicts(in: submission.state).isEmpty
        return ReviewPage(
            submission, type, query, queued,
            views: FieldView.previewAndRest(
                of: content, in: type, received: submission.received["fields"]?.objectValue,
                names: try await EntryNames.load([content], of: type, database)),
            history: DecisionLine.history(try await database.decisions.history(of: submission.id), notes),
            skip: try await next(request, query, after: queued == nil ? nil : submission, place),
            list: try await QueueLine.load(around, query, request, here: submission.id),
            standing: queued.map { row in
                var line = QueueLine(row, query, request)
                line.holder = nil
                line.warning = nil
                return line
            },
            desk: try await SubmissionActionForms.load(
                request, submission.id, request.actor.may(.decide) ? queued : nil, query, typed: desk, errors: errors),
            typedDesk: desk, side: try await ContributorPanel.load(request, submission, type),
            similar: try await SimilarPanel.load(request, submission),
            screening: try await database.screenings.find(submission.id).map { ScreeningPanel($0) },
            stages: try await StagePanel.load(
                request, submission, ReviewForms.suggestedCategories(submission, type, choices)),
            forms: mayDecide
                ? ReviewForms(
                    request, submission, type, choices, address: query.address("/queue/\(submission.id)/decision"),
                    typed: typed, errors: errors, takesOver: notice != nil, originals: originals)
                : nil,
            account: request.session?.account, notice: notice, errors: errors,
            problem: ErrorSummary(
                errors, ids: desk.map { SubmissionActionForms.ids(for: $0.action) } ?? ReviewForms.ids(for: typed?.verdict)))
    }

    private init(
        _ submission: SubmissionRow, _ type: ContentType, _ query: QueueQuery, _ queued: QueueRow?,
        views: (preview: [FieldView], rest: [FieldView]), history: [DecisionLine], skip: ID<Submission>?,
        list: [QueueLine], standing: QueueLine?, desk: SubmissionActionForms, typedDesk: SubmissionActionForms.Typed?, side: ContributorPanel?,
        similar: SimilarPanel?, screening: ScreeningPanel?, stages: StagePanel?, forms: ReviewForms?,
        account: ID<Account>?, notice: String?, errors: FieldErrors, problem: ErrorSummary?
    ) {
        let address = "/queue/\(submission.id)"
        let title = SpoofCheck(name: submission.title)
        let named = submission.contributor.map { SpoofCheck(name: $0) }
        let requestedCategory = submission.requestedCategory.map { SpoofCheck(name: $0) }
        let source = submission.sourceURL.map { SpoofCheck(address: $0) }
        heading = submission.title.isEmpty ? "Without a title" : title.shown
        let reasons = [
            ("Title", title.reason), ("Contributor", named?.reason), ("Requested category", requestedCategory?.reason),
            ("Source", source?.reason),
        ]
        warnings = reasons.compactMap { name, reason in reason.map { "\(name): \($0)" } }
        self.type = type.label
        client = submission.clientName
        contributor = named?.shown
        requested = requestedCategory?.shown
        sourceURL = submission.sourceURL
        sourceText = source?.shown
        received = Instant(submission.receivedAt)
        state = submission.state
        tone = submission.state == .approved ? "ok" : submission.state == .rejected ? "bad" : "wait"
        (preview, rest) = views
        raw = Self.written(submission.received)
        self.history = history
        queueAddress = query.address("/queue")
        skipAddress = skip.map { query.address("/queue/\($0)") }
        claim = queued.map {
            Claim(
                address: query.address("\(address)/claim"), holder: $0.claimedBy, isMine: $0.claimedByID == account,
                until: $0.claimedUntil.map { Instant($0) }, renewAddress: "\(address)/claim/renew",
                reason: typedDesk.flatMap { $0.form.first("take_over_reason") } ?? "",
                errors: errors.messages(at: "/take_over_reason"))
        }
        self.list = list
        self.standing = standing
        self.desk = desk
        self.side = side
        self.similar = similar
        self.screening = screening
        self.stages = stages
        self.forms = forms
        undo =
            submission.state == .pending
            ? nil
            : Undo(
                address: query.address("\(address)/undo"), version: submission.version,
                sentence: submission.state == .approved
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
        _ request: AdminRequest, _ query: QueueQuery, after submission: SubmissionRow?, _ place: QueuePosition? = nil
    ) async throws -> ID<Submission>? {
        guard let session = request.session else { return nil }
        // Once it is decided, nobody knows any more how urgent it was, or how risky: the first one is next then.
        let after = submission.flatMap { submission -> QueuePosition? in
            if let place { return place }
            if query.order == .priority || query.order == .score { return nil }
            return QueuePosition(receivedAt: submission.receivedAtText, id: submission.id)
        }
        return try await request.database.queue.next(
            after: after, try await query.filter(for: request), order: query.order, for: session.account,
            session.role)
    }
}
