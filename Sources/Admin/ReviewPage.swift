// The review page of one submission: content, contributor, claim, history and the decision forms.
import Domain
import FoundationEssentials
import HTTP
import Markup
import Review
import Store

struct ReviewPage: Encodable, Sendable {
    struct Claim: Encodable, Sendable {
        let url: String
        /// Nil if unclaimed.
        let claimedBy: String?
        let isMine: Bool
        let until: Instant?
        let renewURL: String
        let reason: String
        let errors: [String]
    }

    struct Undo: Encodable, Sendable {
        let url: String
        let version: Int
        let hint: String
    }

    let heading: String
    /// Suspicious characters in the values of the page header (S39, S40).
    let warnings: [String]
    let type: String
    let source: String
    let contributor: String?
    let requestedCategory: String?
    let sourceURL: String?
    let sourceText: String?
    let received: Instant
    let state: String
    let tone: String
    let preview: [FieldView]
    let membersOnly: [FieldView]
    let original: String
    let history: [DecisionLine]
    let queueURL: String
    let nextURL: String?
    /// The submissions before and after it in the queue.
    let nearby: [QueueLine]
    let queueItem: QueueLine?
    let actions: SubmissionActionForms
    let contributorPanel: ContributorPanel?
    let similar: SimilarPanel?
    let screening: ScreeningPanel?
    let stages: StagePanel?
    let claim: Claim?
    let forms: ReviewForms?
    let undo: Undo?
    let entryURL: String?
    /// Why the last action failed, if no field is wrong.
    let notice: String?
    let problem: ErrorSummary?

    /// Loads everything the page shows. `typed` is a decision form rejected because of `errors`; `notice` is another
    /// obstacle, which the forms then override with `takesOver`.
    static func load(
        _ request: AdminRequest, _ submission: SubmissionRow, typed: DecisionForm? = nil,
        action: SubmissionActionForms.Rejected? = nil,
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
            try await request.services.addNote.markSeen(submission.id, by: request.actor)
        }
        let position = queued?.position ?? QueuePosition(receivedAt: submission.receivedAtText, id: submission.id)
        let nearby = try await database.queue.around(
            position, try await query.filter(for: request), order: query.order, before: 4, after: 12)
        var originals: [OriginalRow] = []
        if let query = typed?.originalQuery, typed?.verdict == .duplicate, !query.isEmpty {
            originals = try await database.originals.search(query, except: submission.id, limit: 5)
        }
        // The page is of use without it, when too many long texts are being parsed.
        let removed = try? await rules.removed(
            from: submission.received["fields"]?.objectValue ?? [:], in: type,
            base: submission.received["base"]?.stringValue)
        let mayDecide = request.actor.may(.decide) && !Decision.verdicts(in: submission.state).isEmpty
        var forms: ReviewForms?
        if mayDecide {
            var loaded = ReviewForms(
                request, submission, type, choices, url: query.url("/queue/\(submission.id)/decision"),
                typed: typed, errors: errors, takesOver: notice != nil, originals: originals)
            loaded.fields = try await CatalogItemValue.loadTitles(
                loaded.fields, request.context.catalogs.rules.kinds, database)
            forms = loaded
        }
        return ReviewPage(
            submission, type, query, queued,
            views: FieldView.previewAndRest(
                of: content, in: type, removed: removed ?? [:],
                titles: try await EntryTitles.load([content], of: type, database)),
            history: DecisionLine.history(try await database.decisions.history(of: submission.id), notes),
            next: try await next(request, query, after: queued == nil ? nil : submission, position),
            nearby: try await QueueLine.load(nearby, query, request, current: submission.id),
            queueItem: queued.map { row in
                var line = QueueLine(row, query, request)
                line.claimedBy = nil
                line.warning = nil
                return line
            },
            actions: try await SubmissionActionForms.load(
                request, submission.id, request.actor.may(.decide) ? queued : nil, query, rejected: action,
                errors: errors),
            rejected: action, contributorPanel: try await ContributorPanel.load(request, submission, type),
            similar: try await SimilarPanel.load(request, submission),
            screening: try await database.screenings.find(submission.id).map { ScreeningPanel($0) },
            stages: try await StagePanel.load(
                request, submission, ReviewForms.suggestedCategories(submission, type, choices)),
            forms: forms, account: request.session?.account, notice: notice, errors: errors,
            problem: ErrorSummary(
                errors,
                ids: action.map { SubmissionActionForms.ids(for: $0.form) } ?? ReviewForms.ids(for: typed?.verdict)))
    }

    private init(
        _ submission: SubmissionRow, _ type: ContentType, _ query: QueueQuery, _ queued: QueueRow?,
        views: (preview: [FieldView], rest: [FieldView]), history: [DecisionLine], next: ID<Submission>?,
        nearby: [QueueLine], queueItem: QueueLine?, actions: SubmissionActionForms,
        rejected: SubmissionActionForms.Rejected?, contributorPanel: ContributorPanel?,
        similar: SimilarPanel?, screening: ScreeningPanel?, stages: StagePanel?, forms: ReviewForms?,
        account: ID<Account>?, notice: String?, errors: FieldErrors, problem: ErrorSummary?
    ) {
        let url = "/queue/\(submission.id)"
        let title = SpoofCheck(name: submission.title)
        let contributor = submission.contributor.map { SpoofCheck(name: $0) }
        let category = submission.requestedCategory.map { SpoofCheck(name: $0) }
        let sourceURL = submission.sourceURL.map { SpoofCheck(url: $0) }
        heading = submission.title.isEmpty ? "Untitled" : title.shown
        let reasons = [
            ("Title", title.reason), ("Contributor", contributor?.reason), ("Suggested category", category?.reason),
            ("Source URL", sourceURL?.reason),
        ]
        warnings = reasons.compactMap { name, reason in reason.map { "\(name): \($0)" } }
        self.type = type.label
        source = submission.clientName
        self.contributor = contributor?.shown
        requestedCategory = category?.shown
        self.sourceURL = submission.sourceURL
        sourceText = sourceURL?.shown
        received = Instant(submission.receivedAt)
        state = submission.state.label
        tone = submission.state == .approved ? "ok" : submission.state == .rejected ? "bad" : "wait"
        (preview, membersOnly) = views
        original = Self.formatted(submission.received)
        self.history = history
        queueURL = query.url("/queue")
        nextURL = next.map { query.url("/queue/\($0)") }
        claim = queued.map {
            Claim(
                url: query.url("\(url)/claim"), claimedBy: $0.claimedBy, isMine: $0.claimedByID == account,
                until: $0.claimedUntil.map { Instant($0) }, renewURL: "\(url)/claim/renew",
                reason: rejected.flatMap { $0.fields.first("take_over_reason") } ?? "",
                errors: errors.messages(at: "/take_over_reason"))
        }
        self.nearby = nearby
        self.queueItem = queueItem
        self.actions = actions
        self.contributorPanel = contributorPanel
        self.similar = similar
        self.screening = screening
        self.stages = stages
        self.forms = forms
        undo =
            submission.state == .pending
            ? nil
            : Undo(
                url: query.url("\(url)/undo"), version: submission.version,
                hint: submission.state == .approved
                    ? "Returns the submission to the queue and unpublishes its entry."
                    : "Returns the submission to its previous position in the queue.")
        entryURL = submission.entry.map { "/entries/\($0)" }
        self.notice = notice
        self.problem = problem
    }

    /// The submission as received, formatted for reading.
    private static func formatted(_ received: JSONValue) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let formatted = (try? encoder.encode(received)).flatMap { String(validating: $0, as: UTF8.self) }
        return formatted ?? received.canonicalText
    }

    /// The next submission in the queue that nobody else has claimed; after the last one, the first such submission.
    static func next(
        _ request: AdminRequest, _ query: QueueQuery, after submission: SubmissionRow?, _ position: QueuePosition? = nil
    ) async throws -> ID<Submission>? {
        guard let session = request.session else { return nil }
        // A decided submission no longer has a priority or score to continue from, so the first one is next.
        let after = submission.flatMap { submission -> QueuePosition? in
            if let position { return position }
            if query.order == .priority || query.order == .score { return nil }
            return QueuePosition(receivedAt: submission.receivedAtText, id: submission.id)
        }
        return try await request.database.queue.next(
            after: after, try await query.filter(for: request), order: query.order, for: session.account,
            session.role)
    }
}
