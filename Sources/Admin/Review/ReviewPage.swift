// The review page of one submission: content, contributor, claim, history and the decision forms.
import Domain
import FoundationEssentials
import HTTP
import Localization
import Markup
import Operations
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
        /// Nil if it would be refused.
        let url: String?
        let version: Int
        /// What it does, or why it would be refused.
        let hint: String
    }

    let heading: String
    /// Suspicious characters in the values of the page header (S39, S40).
    let warnings: [String]
    /// Why the content can't be read; nil if it can.
    let damage: String?
    let type: String
    let source: String
    let contributor: String?
    let requestedCategory: String?
    let sourceURL: String?
    let sourceText: String?
    let received: Instant
    let state: String
    let tone: String
    let reading: ReadingView
    let original: String
    let history: [DecisionLine]
    let hasEarlierHistory: Bool
    /// There is a decision or a note, or a form to write one.
    let hasHistory: Bool
    /// Notes and comments of the team in the history; nil for none.
    let noteCount: Int?
    let queueURL: String
    let nextURL: String?
    /// The submissions before and after it in the queue.
    let nearby: [QueueLine]
    let queueItem: QueueLine?
    let actions: SubmissionActionForms
    let contributorPanel: ContributorPanel?
    let similar: SimilarPanel?
    let screening: ScreeningPanel?
    let classifier: ClassifierPanel?
    let stages: StagePanel?
    /// Why the person can't decide it, or can't approve it; nil where they can.
    let refusal: String?
    let viewersURL: String
    /// Nil unless it is in the queue, and for people who can't claim it.
    let claim: Claim?
    let forms: ReviewForms?
    let undo: Undo?
    let entry: ID<Entry>?
    let problem: ErrorSummary?

    /// Loads everything the page shows. `submitted`: the decision form that was rejected because of `errors`; `typed`:
    /// other ones that were typed and not submitted; after a conflict the forms take over the submission. `action`:
    /// another form that was rejected; `restored`: other ones that were typed and not submitted.
    static func load(
        _ request: AdminRequest, _ submission: SubmissionRow, _ permissions: ReviewPermissions,
        submitted: DecisionForm? = nil, typed: [DecisionForm] = [],
        action: SubmissionActionForms.Rejected? = nil, restored: [SubmissionActionForms.Rejected] = [],
        errors: FieldErrors = FieldErrors()
    ) async throws -> ReviewPage {
        let (database, rules) = (request.database, request.context.rules)
        let type = try rules.type(named: submission.type)
        let query = QueueQuery(request.query)
        let content = Content(fields: submission.fields)
        let queued = permissions.queued
        // Side by side, each on a connection of its own: first what needs only the submission.
        async let similar = SimilarPanel.load(request, submission)
        async let contributorPanel = ContributorPanel.load(request, submission, type)
        async let choices = FieldChoices.load(for: type, request)
        async let history = history(request, submission)
        async let screening = database.screenings.find(submission.id)
        async let classification = database.classifications.find(submission.id)
        async let titles = EntryTitles.load([content], of: type, database)
        // The page is of use without it, when too many long texts are being parsed.
        async let removed = try? rules.removed(
            from: submission.received["fields"]?.objectValue ?? [:], in: type,
            base: submission.received["base"]?.stringValue)
        let loaded = try await choices
        let position = queued?.position ?? QueuePosition(receivedAt: submission.receivedAtText, id: submission.id)
        async let next = next(request, query, after: queued == nil ? nil : submission, position)
        async let nearby = nearby(request, query, position, of: submission.id)
        async let actions = SubmissionActionForms.load(
            request, submission.id, permissions, query, rejected: action, restored: restored, errors: errors)
        async let forms = forms(
            request, submission, type, loaded, permissions, submitted: submitted, typed: typed, errors: errors)
        async let stages = StagePanel.load(request, submission, permissions)
        let contributor = try await contributorPanel
        var decisionForms = try await forms
        decisionForms?.showMails(to: contributor?.mails)
        let (reading, original) = try await texts(request, submission, type, await removed ?? [:], try await titles)
        return ReviewPage(
            submission, type, query, permissions, reading: reading, original: original,
            history: try await history, next: try await next, nearby: try await nearby,
            queueItem: queued.map { row in
                var line = QueueLine(row, query, request)
                // The form to claim it says so.
                if permissions.mayReview { line.claimedBy = nil }
                line.warning = nil
                // A panel says it, with the reasons.
                line.risk = nil
                return line
            },
            actions: try await actions, rejected: action, contributorPanel: contributor,
            similar: try await similar, screening: try await screening.map { ScreeningPanel($0) },
            classifier: ClassifierPanel(try await classification, request.services),
            stages: try await stages, forms: decisionForms, account: request.session?.account, errors: errors,
            problem: ErrorSummary(
                errors,
                ids: action.map { SubmissionActionForms.ids(for: $0.form) }
                    ?? ReviewForms.ids(for: submitted?.verdict)))
    }

    /// The content as readers see it, and as it was received.
    private static func texts(
        _ request: AdminRequest, _ submission: SubmissionRow, _ type: ContentType, _ removed: [String: String],
        _ titles: EntryTitles
    ) async throws -> (ReadingView, String) {
        let content = Content(fields: submission.fields)
        let received = Content(fields: submission.received.objectValue ?? [:])
        return try await request.rendering([content, received]) {
            let reading = ReadingView(
                of: content, in: type, heading: heading(submission), removed: removed, titles: titles,
                images: request.images)
            return (reading, submission.received.readable)
        }
    }

    /// Decisions and notes; the signed-in person has now seen the mentions in them.
    private static func history(_ request: AdminRequest, _ submission: SubmissionRow) async throws -> [DecisionLine] {
        let database = request.database
        async let decisions = database.decisions.history(of: submission.id)
        let notes = try await database.notes.about(.submission(submission.id))
        if !notes.isEmpty { try await request.services.addNote.markSeen(.submission(submission.id), by: request.actor) }
        return DecisionLine.history(try await decisions, notes, of: request.context.rules.types[submission.type])
    }

    private static func nearby(
        _ request: AdminRequest, _ query: QueueQuery, _ position: QueuePosition, of id: ID<Submission>
    ) async throws -> [QueueLine] {
        let rows = try await request.database.queue.around(
            position, try await query.filter(for: request), order: query.order, before: 4, after: 12)
        return try await QueueLine.load(rows, query, request, current: id)
    }

    /// Nil if the signed-in person can't decide.
    private static func forms(
        _ request: AdminRequest, _ submission: SubmissionRow, _ type: ContentType, _ choices: FieldChoices,
        _ permissions: ReviewPermissions, submitted: DecisionForm?, typed others: [DecisionForm], errors: FieldErrors
    ) async throws -> ReviewForms? {
        guard permissions.mayReview, !Decision.verdicts(in: submission.state).isEmpty else { return nil }
        let typed = [submitted].compactMap(\.self) + others
        var originals: [OriginalRow] = []
        if let query = typed.first(where: { $0.verdict == .duplicate })?.originalQuery, !query.isEmpty {
            originals = try await request.database.originals.search(query, except: submission.id, limit: 5)
        }
        let offered = choices.markingClosedFeeds(for: request.actor)
        let found = originals
        let shown = try await request.rendering([Content(fields: submission.fields)], typed: typed.map(\.form)) {
            ReviewForms(
                request, submission, type, offered, permissions,
                url: QueueQuery(request.query).url(AdminURL.submissionDecision(submission.id)), submitted: submitted,
                typed: typed, errors: errors, takesOver: errors.status == 409, originals: found)
        }
        guard var forms = shown else { return nil }
        forms.fields = try await forms.fields.forStaff(
            type, request, sources: AdminURL.entryNew(query: ["type": type.name]) + "#catalog-search")
        return forms
    }

    private static func undo(_ submission: SubmissionRow, _ query: QueueQuery, refusal: String?) -> Undo {
        let effect =
            submission.state == .approved
            ? tr("Returns the submission to the queue and unpublishes its entry.")
            : tr("Returns the submission to its previous position in the queue.")
        return Undo(
            url: refusal == nil ? query.url(AdminURL.submissionUndo(submission.id)) : nil, version: submission.version,
            hint: refusal ?? effect)
    }

    private init(
        _ submission: SubmissionRow, _ type: ContentType, _ query: QueueQuery, _ permissions: ReviewPermissions,
        reading: ReadingView, original: String, history: [DecisionLine], next: ID<Submission>?, nearby: [QueueLine],
        queueItem: QueueLine?, actions: SubmissionActionForms,
        rejected: SubmissionActionForms.Rejected?, contributorPanel: ContributorPanel?,
        similar: SimilarPanel?, screening: ScreeningPanel?, classifier: ClassifierPanel?, stages: StagePanel?,
        forms: ReviewForms?, account: ID<Account>?, errors: FieldErrors, problem: ErrorSummary?
    ) {
        let id = submission.id
        let title = SpoofCheck(name: submission.title)
        let contributor = submission.contributor.map { SpoofCheck(name: $0) }
        let category = submission.requestedCategory.map { SpoofCheck(name: $0) }
        let sourceURL = submission.sourceURL.map { SpoofCheck(url: $0) }
        heading = Self.heading(submission)
        let reasons = [
            (tr("Title", context: "undo"), title.reason), (tr("Contributor", context: "undo"), contributor?.reason),
            (tr("Suggested category"), category?.reason),
            (tr("Source URL"), sourceURL?.reason),
        ]
        warnings = reasons.compactMap { name, reason in reason.map { "\(name): \($0)" } }
        damage = submission.stored.damage
        self.type = type.label
        source = ActorName.shown(submission.sourceName)
        self.contributor = submission.contributor == submission.sourceName ? nil : contributor?.shown
        requestedCategory = category?.shown
        self.sourceURL = submission.sourceURL
        sourceText = sourceURL?.shown
        received = Instant(submission.receivedAt)
        state = submission.state.label
        tone = submission.state == .approved ? "ok" : submission.state == .rejected ? "bad" : "wait"
        self.reading = reading
        self.original = original
        self.history = history
        hasEarlierHistory = history.count >= 200
        hasHistory = !history.isEmpty || actions.note != nil
        let notes = history.filter { $0.isNote && !($0.message ?? "").isEmpty }
        noteCount = notes.isEmpty ? nil : notes.count
        queueURL = query.url(AdminURL.queue())
        nextURL = next.map { query.url(AdminURL.submission($0)) }
        viewersURL = AdminURL.submissionViewers(id)
        let claimable = permissions.mayReview ? permissions.queued : nil
        claim = claimable.map {
            Claim(
                url: query.url(AdminURL.submissionClaim(id)), claimedBy: $0.claimedBy,
                isMine: $0.claimedByID == account,
                until: $0.claimedUntil.map { Instant($0) }, renewURL: AdminURL.submissionClaimRenew(id),
                reason: rejected.flatMap { $0.fields.first("take_over_reason") } ?? "",
                errors: errors.messages(at: "/take_over_reason"))
        }
        (self.nearby, self.queueItem, self.actions) = (nearby, queueItem, actions)
        self.contributorPanel = contributorPanel
        self.similar = similar
        self.screening = screening
        (self.classifier, self.stages, self.forms) = (classifier, stages, forms)
        refusal = (permissions.decision ?? permissions.approval)?.sentence
        undo = submission.state == .pending ? nil : Self.undo(submission, query, refusal: permissions.undo)
        entry = submission.entry
        self.problem = problem
    }

    private static func heading(_ submission: SubmissionRow) -> String {
        submission.title.isEmpty ? tr("Untitled", context: "undo") : SpoofCheck(name: submission.title).shown
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
