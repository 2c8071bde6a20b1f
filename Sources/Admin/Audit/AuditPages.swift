// The audit trail: search by actor, action, object and date; one event; export; integrity check.
import Domain
import FoundationEssentials
import HTTP
import Localization
import Operations
import Platform
import Store

enum AuditPages {
    private static let perPage = 50
    /// The limit of events in a browser's export; the command line has none.
    static let exportLimit = 10_000
    /// The events of an export that are read and formatted at a time.
    private static let exportChunk = 500
    /// Formats exports.
    static let exportPool = WorkerPool(threads: 1, waiting: 62)
    /// Few exports are in memory at a time; the others wait before they read anything.
    static let exportLane = FairLane(width: 2, waiting: 62, longestWait: .seconds(30))

    // MARK: Filter

    /// The fields of the form, as typed.
    private struct FilterForm: Encodable, Sendable {
        let actor: String
        let action: String
        let object: String
        let from: String
        let until: String

        init(_ query: FormFields) {
            func text(_ name: String) -> String { PlainText.singleLine(query.first(name) ?? "") }
            actor = text("actor")
            action = text("action")
            object = text("object")
            from = text("from")
            until = text("until")
        }

        /// How many are filled in; nil for none.
        var count: Int? { FilterCount.of([actor, action, object, from, until].count { !$0.isEmpty }) }

        /// Days are those of the zone.
        func filter(in zone: String) throws(Failure) -> AuditFilter {
            var filter = AuditFilter()
            filter.zone = zone
            var errors = FieldErrors()
            filter.actor = ID<Account>(actor)?.uuid
            if !actor.isEmpty, filter.actor == nil {
                errors.add("/actor", "choice", tr("Choose an actor from the list."))
            }
            filter.action = action.isEmpty ? nil : action
            filter.object = object.isEmpty ? nil : object
            filter.firstDay = errors.collect { () throws(Failure) in try AuditDay.check(from, pointer: "/from") } ?? nil
            filter.lastDay =
                errors.collect { () throws(Failure) in try AuditDay.check(until, pointer: "/until") } ?? nil
            try errors.throwIfAny()
            return filter
        }

        func url(_ path: String, _ more: [(String, String)] = []) -> String {
            let fields =
                [("actor", actor), ("action", action), ("object", object), ("from", from), ("until", until)] + more
            let kept = fields.filter { !$0.1.isEmpty }.map { FormFields.Field(name: $0.0, value: $0.1) }
            return kept.isEmpty ? path : "\(path)?\(FormFields(kept).urlEncoded)"
        }
    }

    // MARK: List

    private struct Line: Encodable, Sendable {
        let event: AuditRow
        let text: String
        /// The label of the actor's role.
        let role: String?
        let summary: String
    }

    private struct Model: Encodable, Sendable {
        let filter: FilterForm
        let zone: String
        let actors: [Option]
        let lines: [Line]
        let first: String?
        let next: String?
        let csvURL: String
        let jsonLinesURL: String
        let sealedAt: Date?
        let sealed: String
        let archived: String?
        let archivedAt: Date?
        let isFiltered: Bool
        let filterCount: Int?
        let fromErrors: [String]
        let untilErrors: [String]
        let problem: ErrorSummary?
    }

    static func list(_ request: AdminRequest) async throws -> Response {
        let form = FilterForm(request.query)
        let trail = request.database.auditTrail
        var errors = FieldErrors()
        var rows: [AuditRow] = []
        let before = request.query.first("before").flatMap { Int64($0) }
        do {
            rows = try await trail.search(try form.filter(in: request.zone), before: before, limit: perPage + 1)
        } catch Failure.invalid(let found) {
            errors = found
        }
        let shown = rows.prefix(perPage)
        let sentences = Dictionary(
            uniqueKeysWithValues: try await request.database.activity.events(shown.map(\.id)).map {
                ($0.id, AuditSentence.text($0))
            })
        let status = try await trail.status()
        let roles = Dictionary(
            try await request.database.roles.list().map { ($0.name, $0.label) }, uniquingKeysWith: { first, _ in first }
        )
        let model = Model(
            filter: form, zone: request.zone, actors: try await actors(request.database, chosen: form.actor),
            lines: shown.map { row in
                Line(
                    event: row, text: sentences[row.id] ?? row.action, role: row.role.map { roles[$0] ?? $0 },
                    summary: AuditEventPage.summary(row.detail))
            },
            first: before == nil ? nil : form.url(AdminURL.audit()),
            next: rows.count > perPage
                ? shown.last.map { form.url(AdminURL.audit(), [("before", String($0.id))]) } : nil,
            csvURL: form.url(AdminURL.auditExport(), [("format", "csv")]),
            jsonLinesURL: form.url(AdminURL.auditExport(), [("format", "jsonl")]),
            sealedAt: status?.sealedAt, sealed: String(status?.position ?? 0),
            archived: status.flatMap { $0.archived > 0 ? String($0.archived) : nil },
            archivedAt: status?.archivedAt, isFiltered: form.count != nil, filterCount: form.count,
            fromErrors: errors.messages(at: "/from"),
            untilErrors: errors.messages(at: "/until"), problem: ErrorSummary(errors))
        return try request.page(
            "admin/audit/list", model, title: tr("Audit", context: "model"),
            status: errors.status)
    }

    /// Accounts and API clients by name, and the system actors.
    private static func actors(_ database: Database, chosen: String) async throws -> [Option] {
        let people = try await database.accounts.list().map { ($0.id.description, $0.name) }
        let clients = try await database.clients.list().map {
            ($0.client.id.description, tr("\($0.client.name) (app)", context: "model"))
        }
        let own = [
            (SystemActor.operator, "operator"), (SystemActor.schedule, "schedule"), (SystemActor.system, "system"),
            (SystemActor.import, "import"), (SystemActor.contributor, "contributor"),
            (SystemActor.visitor, "visitor"),
        ].map { (ID<Account>($0.0).description, ActorName.shown($0.1)) }
        return ([("", tr("Anyone", context: "model"))] + people + clients + own).map {
            Option(value: $0.0, label: $0.1, isChosen: $0.0 == chosen)
        }
    }

    // MARK: Export and integrity

    static func export(_ request: AdminRequest) async throws -> Response {
        let format = request.query.first("format").flatMap { AuditExportFormat(rawValue: $0) } ?? .csv
        let filter = try FilterForm(request.query).filter(in: request.zone)
        let body = try await exportLane.run { try await lines(of: filter, as: format, request) }
        var response = Response(status: 200, body: .bytes(body))
        let type = format == .csv ? "text/csv; charset=utf-8; header=present" : "application/jsonl; charset=utf-8"
        response.headers.set("Content-Type", type)
        response.headers.set("Content-Disposition", "attachment; filename=\"audit.\(format.rawValue)\"")
        return response
    }

    private static func lines(
        of filter: AuditFilter, as format: AuditExportFormat, _ request: AdminRequest
    ) async throws -> [UInt8] {
        var body = Array(format.header.utf8)
        var (left, last) = (exportLimit, Int64?.none)
        while left > 0 {
            let limit = min(exportChunk, left)
            let rows = try await request.database.auditTrail.search(filter, before: last, limit: limit)
            body += try await exportPool.run { rows.flatMap { Array(format.line($0).utf8) } }
            if rows.count < limit { break }
            (left, last) = (left - limit, rows.last?.id)
        }
        return body
    }

    private struct Integrity: Encodable, Sendable {
        let archived: String?
        let sealed: String
        /// The positions of these events; nil if there are none.
        let span: String?
        /// How many will be; nil for none, and on pages of older events.
        let unsealed: String?
        let broken: String?
        let event: Int?
        let isUnpaired: Bool
        let newest: String?
        let older: String?
    }

    /// A page of the chain, so that the response takes no longer as the trail grows; the command line verifies all.
    static func verify(_ request: AdminRequest) async throws -> Response {
        let until = request.query.first("until").flatMap { Int($0) }
        let integrity = try await request.database.auditTrail.verify(until: until)
        let broken = integrity.broken.map { found in
            let cause = found.event.map { tr("event \($0) was \(found.problem)") } ?? tr("the hash chain was changed")
            return tr("At position \(found.position), \(cause). Contact the operator and investigate now.")
        }
        let model = Integrity(
            archived: integrity.archived > 0 ? String(integrity.archived) : nil,
            sealed: tr(
                "\(integrity.sealed, one: "# sealed event is unchanged", other: "# sealed events are unchanged")",
                context: "integrity"),
            span: integrity.sealed > 0 ? tr("\(integrity.after + 1) to \(integrity.until)", context: "model") : nil,
            unsealed: until == nil && integrity.unsealed > 0
                ? tr("\(integrity.unsealed, one: "# event", other: "# events") will be sealed within a minute.") : nil,
            broken: broken,
            event: integrity.broken.flatMap { $0.problem == "removed" ? nil : $0.event },
            isUnpaired: !integrity.unpaired.isEmpty, newest: until == nil ? nil : AdminURL.auditIntegrity(),
            older: integrity.previous.map { "\(AdminURL.auditIntegrity())?until=\($0)" })
        return try request.page("admin/audit/integrity", model, title: tr("Integrity of the audit trail"))
    }
}
