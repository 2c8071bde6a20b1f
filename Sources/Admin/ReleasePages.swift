// The list of releases, one release with its plan and its checks, and making a new one.
import Domain
import HTTP
import Publishing
import Store

enum ReleasePages {
    static let routes =
        [
            AdminEndpoint(method: "GET", pattern: "/releases", access: .may(.readQueue)) { try await list($0) },
            AdminEndpoint(method: "POST", pattern: "/releases", access: .may(.makeRelease), handler: make),
            AdminEndpoint(method: "GET", pattern: "/releases/{number}", access: .may(.readQueue)) { try await show($0) },
        ] + ReleaseItemPages.routes + ReleaseActionPages.routes

    private static let perPage = 50

    // MARK: List

    struct Line: Encodable, Sendable {
        let number: Int64
        let title: String
        let items: Int
        let author: String
        let state: String
        let tone: String
        /// As it was set, with its zone.
        let local: String?
        let due: Instant?
        let finished: Instant?
        let publication: Int64?
        let reason: String?

        init(_ row: ReleaseRow) {
            number = row.number
            title = row.title
            items = row.items
            author = row.createdBy
            state = row.state.rawValue
            tone =
                switch row.state {
                case .published: "ok"
                case .failed: "bad"
                case .scheduled: "wait"
                case .canceled, .open: ""
                }
            local = row.localTime == nil ? nil : row.wallTime
            due = row.dueAt.map { Instant($0) }
            finished = row.finishedAt.map { Instant($0) }
            publication = row.publication
            reason = row.failure
        }
    }

    private struct List: Encodable, Sendable {
        let open: [Line]
        let scheduled: [Line]
        let finished: [Line]
        let calendar: ReleaseCalendar
        let title: String
        let problem: ErrorSummary?
        let mayMake: Bool
    }

    private static func list(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let releases = request.database.releases
        let scheduled = try await releases.scheduled()
        let calendar = try ReleaseCalendar(
            month: request.text("month"), scheduled: scheduled, today: try await releases.today())
        let model = List(
            open: try await releases.open().map(Line.init), scheduled: scheduled.map(Line.init),
            finished: try await releases.finished().map(Line.init), calendar: calendar,
            title: request.form.first("title") ?? "", problem: ErrorSummary(errors),
            mayMake: request.actor.may(.makeRelease))
        return try request.page(
            "admin/releases/list", model, title: (errors.isEmpty ? "" : "Error: ") + "Releases",
            status: errors.isEmpty ? 200 : 422)
    }

    private static func make(_ request: AdminRequest) async throws -> Response {
        do {
            let number = try await ComposeRelease(database: request.database).make(
                title: request.form.first("title") ?? "", by: request.actor)
            return request.redirect(
                to: "/releases/\(number)", Flash("Release \(number) is made. Put entries into it below."))
        } catch Failure.invalid(let errors) {
            return try await list(request, errors: errors)
        }
    }

    // MARK: One release

    private struct Item: Encodable, Sendable {
        let id: ID<Entry>
        let type: String
        let title: String
        let revision: Int?
        let live: Int?
        let notes: [Note]
        let hasConflict: Bool

        struct Note: Encodable, Sendable {
            let words: String
            let tone: String
        }

        init(_ row: ReleaseItemRow, _ types: ContentTypes) {
            id = row.entry
            type = types[row.type]?.label ?? row.type
            title = EntryPages.shown(row.title)
            revision = row.revision
            live = row.live
            var notes: [Note] = []
            if row.isUnapproved { notes.append(Note(words: "not approved", tone: "bad")) }
            if row.isOutdated { notes.append(Note(words: "version \(row.newest) is newer", tone: "wait")) }
            if row.hasMoved { notes.append(Note(words: "readers see something else by now", tone: "wait")) }
            for other in row.others { notes.append(Note(words: "also in release \(other)", tone: "wait")) }
            self.notes = notes
            hasConflict = row.revision != nil && (row.hasMoved || row.isContested)
        }
    }

    /// What to look at before it goes live, in numbers; nil where there is nothing to say.
    private struct Checks: Encodable, Sendable {
        let items: Int
        let unapproved: Int?
        let outdated: Int?
        let moved: Int?
        let contested: Int?

        init(_ checks: ReleaseChecks) {
            func some(_ number: Int) -> Int? { number == 0 ? nil : number }
            items = checks.items
            unapproved = some(checks.unapproved)
            outdated = some(checks.outdated)
            moved = some(checks.moved)
            contested = some(checks.contested)
        }
    }

    private struct Show: Encodable, Sendable {
        let release: Line
        let items: [Item]
        let next: String?
        let checks: Checks
        let plan: PlanTable?
        /// What the plan says in one word; sent back when publishing.
        let seen: String
        /// Why there is no plan.
        let refusal: String?
        let hasMoved: Bool
        let isOpen: Bool
        let canPublish: Bool
        /// How many entries could be taken in; nil for none.
        let waiting: Int?
        let when: PublishTimingForm
        let problem: ErrorSummary?
        let mayMake: Bool
        let mayPublish: Bool
    }

    /// `errors` are those of an action on this page, which is then shown again; `hasMoved` says that the plan is another one.
    static func show(
        _ request: AdminRequest, errors: FieldErrors = FieldErrors(), hasMoved: Bool = false
    ) async throws -> Response {
        let release = try await find(request)
        let isOpen = release.state == .open || release.state == .scheduled
        let page = try await request.database.releaseItems.page(
            of: release.id, cursor: request.query.first("cursor"), limit: perPage)
        let checks = try await request.database.releaseItems.checks(of: release.id)
        var plan: PublicationPlan?
        var refusal: String?
        if isOpen, checks.items > 0 {
            do {
                plan = try await PublishRelease(database: request.database).plan(
                    .release(release.id), limit: PlanTable.limit)
            } catch let failure as Failure {
                refusal = failure.sentence
            }
        }
        let waiting = isOpen ? try await request.database.publications.ready().count : 0
        let actor = request.actor
        let model = Show(
            release: Line(release), items: page.items.map { Item($0, request.context.rules.types) },
            next: page.next.map { cursor in
                "/releases/\(release.number)?"
                    + FormFields([FormFields.Field(name: "cursor", value: cursor)]).urlEncoded
            },
            checks: Checks(checks), plan: plan.map { PlanTable($0) }, seen: plan?.digest ?? "", refusal: refusal,
            hasMoved: hasMoved, isOpen: isOpen, canPublish: plan != nil && checks.unapproved == 0,
            waiting: waiting == 0 ? nil : waiting,
            when: PublishTimingForm(request, label: release.state == .scheduled ? "Move to that time" : "Schedule"),
            problem: ErrorSummary(errors), mayMake: actor.may(.makeRelease), mayPublish: actor.may(.publish))
        let isFine = errors.isEmpty && !hasMoved
        return try request.page(
            "admin/releases/show", model, title: (isFine ? "" : "Error: ") + "Release \(release.number)",
            status: hasMoved ? 409 : errors.isEmpty ? 200 : 422)
    }

    /// The release whose number stands in the path.
    static func find(_ request: AdminRequest) async throws -> ReleaseRow {
        guard let number = request.parameters["number"].flatMap({ Int64($0) }),
            let release = try await request.database.releases.find(number: number)
        else { throw Failure.missing("release") }
        return release
    }
}
