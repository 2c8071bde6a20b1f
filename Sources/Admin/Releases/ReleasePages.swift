// The list of releases, creating and duplicating them, and one release with its contents, checks and plan.
import Domain
import HTTP
import Localization
import Operations
import Store

enum ReleasePages {
    private static let perPage = 50

    /// `1 entry`, `2 entries`.
    static func entries(_ count: Int) -> String {
        tr("\(count, one: "# entry", other: "# entries")", context: "release pages")
    }

    // MARK: List

    struct Line: Encodable, Sendable {
        let number: Int64
        let title: String
        let entries: String
        let author: String
        let state: String
        let tone: String
        /// The local time as entered, with its zone.
        let local: String?
        let due: Instant?
        /// That local time, if it is by another clock than the person's.
        let entered: String?
        let finished: Instant?
        let publication: Int64?
        /// When it was to be published before a change opened it again.
        let reopenedFrom: String?
        let reason: String?
        /// Where the entry is opened that it failed for.
        let failedEntryURL: String?

        init(_ row: ReleaseRow) {
            number = row.number
            title = row.title
            entries = ReleasePages.entries(row.items)
            author = ActorName.shown(row.createdBy)
            state = row.state.label
            tone =
                switch row.state {
                case .published: "ok"
                case .failed: "bad"
                case .scheduled: "wait"
                case .open: row.reopenedFrom == nil ? "" : "wait"
                case .canceled: ""
                }
            local = row.localTime == nil ? nil : row.wallTime
            due = row.dueAt.map { Instant($0) }
            entered = due?.entered(local)
            finished = row.finishedAt.map { Instant($0) }
            publication = row.publication
            reopenedFrom = row.reopenedFrom
            reason = row.cause
            failedEntryURL = row.failedEntry.map { EntryURL.of($0, row.failedKind) }
        }
    }

    private struct List: Encodable, Sendable {
        let failed: [Line]
        let open: [Line]
        let scheduled: [Line]
        let finished: [Line]
        let title: String
        let problem: ErrorSummary?
        let mayEdit: Bool
    }

    static func list(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let releases = request.database.releases
        let scheduled = try await releases.scheduled()
        let model = List(
            failed: try await releases.failed().map(Line.init), open: try await releases.open().map(Line.init),
            scheduled: scheduled.map(Line.init),
            finished: try await releases.finished().filter { $0.state != .failed }.map(Line.init),
            title: request.form.first("title") ?? "", problem: ErrorSummary(errors),
            mayEdit: request.actor.may(.createRelease))
        return try request.page(
            "admin/releases/list", model, title: tr("Releases", context: "list"),
            status: errors.status)
    }

    static func create(_ request: AdminRequest) async throws -> Response {
        try await request.submit(orShow: list) {
            let number = try await request.services.composeRelease.create(
                title: request.form.first("title") ?? "", by: request.actor)
            return request.redirect(
                to: AdminURL.release(number), Flash(tr("Release \(number) created.")))
        }
    }

    static func duplicate(_ request: AdminRequest) async throws -> Response {
        let release = try await find(request)
        return try await request.submit(orShow: show) {
            let number = try await request.services.composeRelease.duplicate(
                release.number, title: request.form.first("copy_title") ?? "", by: request.actor)
            return request.redirect(
                to: AdminURL.release(number), Flash(tr("Release \(release.number) duplicated as release \(number).")))
        }
    }

    // MARK: One release

    private struct Item: Encodable, Sendable {
        let id: ID<Entry>
        let type: String
        let title: String
        let revision: Int?
        let live: Int?
        let summary: String?
        let issues: [Issue]
        let hasConflict: Bool
        /// Whether the person can approve the version here.
        let mayApprove: Bool
        let thumbnail: ThumbnailView?
        /// Whether it is selected in the form that was refused.
        let isSelected: Bool

        struct Issue: Encodable, Sendable {
            let label: String
            let tone: String
        }

        init(_ row: ReleaseItemRow, _ request: AdminRequest, _ thumbnail: Thumbnail?) {
            id = row.entry
            self.thumbnail = thumbnail.map(ThumbnailView.init)
            isSelected = request.form.all("entry").contains(row.entry.description)
            type = request.context.rules.types[row.type]?.label ?? row.type
            title = EntryPages.shown(row.title)
            mayApprove = row.isUnapproved && !row.isOutdated && request.actor.may(.approve)
            revision = row.revision
            live = row.live
            summary = row.summary(in: request.context.rules.types[row.type])
            var issues: [Issue] = []
            if row.isUnapproved { issues.append(Issue(label: tr("Not approved"), tone: "bad")) }
            if row.isOutdated { issues.append(Issue(label: tr("Version \(row.newest) is newer"), tone: "wait")) }
            if row.hasMoved { issues.append(Issue(label: tr("Published version changed"), tone: "wait")) }
            for other in row.others { issues.append(Issue(label: tr("Also in release \(other)"), tone: "wait")) }
            self.issues = issues
            hasConflict = row.revision != nil && (row.hasMoved || row.isContested)
        }
    }

    /// An entry that can be added.
    private struct Found: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
        let type: String
        let version: Int

        init(_ row: EntryRow, _ request: AdminRequest) {
            id = row.id
            title = EntryPages.shown(row.title)
            type = request.context.rules.types[row.type]?.label ?? row.type
            version = row.newest
        }
    }

    private static let shownFound = 20

    /// The number of items with each issue; nil for none.
    private struct Checks: Encodable, Sendable {
        let entries: String
        let unapproved: Int?
        let outdated: Int?
        let changed: Int?
        let newer: Int?
        /// Why the release will fail at its time, if it is scheduled.
        let unconfirmed: Int?
        let contested: Int?

        init(_ checks: ReleaseChecks, of release: ReleaseRow) {
            func nonzero(_ number: Int) -> Int? { number == 0 ? nil : number }
            entries = ReleasePages.entries(checks.items)
            unapproved = nonzero(checks.unapproved)
            outdated = nonzero(checks.outdated)
            changed = nonzero(checks.moved)
            newer = nonzero(checks.newer)
            unconfirmed = release.state == .scheduled ? nonzero(checks.unconfirmed) : nil
            contested = nonzero(checks.contested)
        }
    }

    private struct Show: Encodable, Sendable {
        let release: Line
        let items: [Item]
        let next: String?
        let checks: Checks
        let plan: PlanTable?
        /// The digest of the plan, sent back when publishing.
        let seen: String
        /// The entries that the release can't be published for.
        let blocked: [BlockedLine]
        let hasChanged: Bool
        let isOpen: Bool
        let isScheduled: Bool
        let canPublish: Bool
        /// The number of pending changes that could be added; nil for none.
        let pending: Int?
        /// The search for entries to add, and the first that it found.
        let query: String
        let found: [Found]
        let foundNone: Bool
        let foundMore: Bool
        let time: PublishTimingForm
        /// What else is planned near its time; nil unless it is scheduled.
        let nearby: String?
        /// Where a preview of its time is created; nil unless it is scheduled and the person may create one.
        let preview: String?
        let problem: ErrorSummary?
        /// Whether the person may change the contents.
        let mayEdit: Bool
        /// Whether entries can be approved or removed.
        let hasActions: Bool
        let mayPublish: Bool
        /// Whether the refused form replaces newer versions.
        let replacesNewer: Bool
        /// How many items are outside the access scope, as text; nil for none.
        let others: String?
        /// The title that is proposed for a copy; nil if it can't be duplicated.
        let copyTitle: String?
        let copyErrors: [String]
        /// Nil if nothing can be moved.
        let move: ReleaseMoveForm?
    }

    /// `errors` are those of an action on this page.
    static func show(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let release = try await find(request)
        // A failed release can be fixed, rescheduled and published.
        let isOpen = [.open, .scheduled, .failed].contains(release.state)
        let page = try await request.database.releaseItems.page(
            of: release.id, cursor: request.cursor, limit: perPage)
        let thumbnails = try await request.database.thumbnails.of(entries: page.items.map(\.entry))
        let checks = try await request.database.releaseItems.checks(of: release.id)
        // What lies outside of the access scope is not shown, and publishing it is not offered.
        let others = release.items - checks.items
        var plan: PublicationPlan?
        if isOpen, checks.items > 0, others == 0 {
            plan = try await request.services.publishRelease.check(
                .release(release.id), limit: PlanTable.limit)
        }
        let blocked = plan?.blocked ?? []
        var table: PlanTable?
        if let plan { table = try await PlanTable.load(plan, request) }
        let pending = isOpen ? try await request.database.publications.readyCount() : 0
        let actor = request.actor
        let mayEdit = ReleaseMoveForm.mayChange(release, others: others, actor)
        let isCopy = request.form.first("copy_title") != nil
        let move =
            page.items.isEmpty || !mayEdit
            ? nil : try await ReleaseMoveForm.load(request, release, errors: isCopy ? FieldErrors() : errors)
        var filter = EntryFilter()
        filter.query = mayEdit ? request.text("q") : nil
        let found =
            filter.query == nil
            ? nil : try await request.database.entries.page(filter, cursor: nil, limit: shownFound)
        let model = Show(
            release: Line(release),
            items: page.items.map {
                Item($0, request, thumbnails[$0.entry])
            },
            next: page.next.map { AdminURL.release(release.number, query: ["cursor": $0]) },
            checks: Checks(checks, of: release), plan: table,
            seen: plan?.digest ?? "",
            blocked: blocked.map { BlockedLine($0, request.context.rules.types) }, hasChanged: errors.isPlanChanged,
            isOpen: isOpen, isScheduled: release.state == .scheduled,
            canPublish: plan != nil && blocked.isEmpty && checks.unapproved == 0,
            pending: pending == 0 ? nil : pending, query: filter.query ?? "",
            found: (found?.items ?? []).map { Found($0, request) }, foundNone: found?.items.isEmpty == true,
            foundMore: found?.next != nil,
            time: PublishTimingForm(
                request,
                label: release.state == .open ? tr("Schedule", context: "show") : tr("Reschedule", context: "show"),
                isExpanded: release.state == .failed, errors: errors),
            nearby: try await ReleaseTimePages.nearby(release, request),
            preview: preview(of: release, request),
            problem: problem(errors, request), mayEdit: mayEdit,
            hasActions: isOpen && actor.may(.createRelease),
            mayPublish: actor.may(.publish) && others == 0, replacesNewer: request.form.first("replace_newer") != nil,
            others: others == 0 ? nil : ReleasePages.entries(others),
            copyTitle: actor.may(.createRelease) && others == 0 ? copyTitle(of: release, request) : nil,
            copyErrors: isCopy ? errors.messages(at: "/title") : [], move: move)
        return try request.page(
            "admin/releases/show", model, title: tr("Release \(release.number)", context: "show"), status: errors.status
        )
    }

    /// Two forms of the page have a title.
    private static func problem(_ errors: FieldErrors, _ request: AdminRequest) -> ErrorSummary? {
        let title = request.form.first("copy_title") == nil ? "title" : "copy_title"
        return ErrorSummary(errors, ids: ["/entry": "items", "/title": title])
    }

    private static func copyTitle(of release: ReleaseRow, _ request: AdminRequest) -> String {
        // Shortened, so that the whole is no longer than a title may be.
        request.form.first("copy_title") ?? tr("\(String(release.title.prefix(280))) (copy)", context: "show")
    }

    /// The form for a preview, filled in with the time of the release. Previews show content of all kinds, so accounts
    /// with an access scope have none.
    private static func preview(of release: ReleaseRow, _ request: AdminRequest) -> String? {
        guard release.state == .scheduled, request.actor.may(.createRelease), request.mayOpen(AdminURL.previews())
        else { return nil }
        let local = release.localTime?.replacing(" ", with: "T")
        return AdminURL.previews(query: ["title": release.title, "local": local, "zone": release.zone])
    }

    /// The release of the number in the path.
    static func find(_ request: AdminRequest) async throws -> ReleaseRow {
        guard let number = request.parameters["number"].flatMap({ Int64($0) }),
            let release = try await request.database.releases.find(number: number)
        else { throw Failure.missing("release") }
        return release
    }
}
