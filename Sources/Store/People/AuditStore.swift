// The audit trail: who did what to which object, written in the transaction that did it.
import Domain
import FoundationEssentials
import Postgres

/// One event as shown in a history.
package struct AuditLine: Sendable, Encodable {
    package let id: Int64
    package let happenedAt: Date
    package let actor: String
    package let action: String
    package let objectType: String
    package let objectID: String?
    package let detail: JSONValue
}

package struct AuditStore: Sendable {
    let connection: StoreConnection

    /// Records events in one statement for each authority, each event by its own actor. The database recognizes accounts and
    /// clients by their credentials; which function may be called depends on the connection's role.
    func append(_ events: [(event: AuditEvent, actor: Actor)]) async throws {
        for (authority, events) in Dictionary(grouping: events, by: \.actor.authority) {
            let credentials = Bind.array(events.map { $0.actor.credential?.bytes.postgresBind ?? .null })
            try await connection.runLater(
                """
                select ops.\(raw: authority.function)(
                    \(credentials)::bytea[], \(events.map(\.actor.rowID))::uuid[],
                    \(events.map(\.event.action))::text[],
                    \(events.map(\.event.objectType))::text[], \(events.map(\.event.objectID))::text[],
                    \(events.map { JSONValue.object($0.event.detail).canonicalText })::text[],
                    \(events.map(\.actor.requestID))::text[], \(events.map(\.actor.remoteAddress))::text[])
                """)
        }
    }

    /// The newest events of one object, at most `limit`.
    package func about(_ objectType: String, _ objectID: String, limit: Int = 50) async throws -> [AuditLine] {
        try await connection.rows(
            """
            select e.id, e.happened_at, a.name as actor, e.action, e.object_type, e.object_id, e.detail
            from ops.audit_event e join ops.actor a on a.id = e.actor_id
            where e.object_type = \(objectType) and e.object_id = \(objectID) order by e.id desc limit \(limit)
            """
        ) { row in
            AuditLine(
                id: try row("id"), happenedAt: try row("happened_at"), actor: try row("actor"),
                action: try row("action"),
                objectType: try row("object_type"), objectID: try row("object_id"), detail: try row("detail"))
        }
    }

    /// Seals the events that are older than every running transaction into the chain. Returns how many.
    package func seal() async throws -> Int {
        try await connection.longFirst("select ops.audit_seal() as n") { try $0("n") } ?? 0
    }

    /// Verifies the chain: counts archived, sealed and unsealed events and finds the first break. Also finds changes without an
    /// event, and events without a change. Page by page, so that no statement reads everything.
    package func verify(events: Int = IntegrityReport.pageEvents) async throws -> IntegrityReport {
        try await verifyEarlier(than: try await verify(until: nil, events: events), events: events)
    }

    /// Adds the pages of all events before those of a report. What is archived meanwhile is left out.
    package func verifyEarlier(
        than newest: IntegrityReport, events: Int = IntegrityReport.pageEvents
    ) async throws -> IntegrityReport {
        var report = newest
        while let until = report.previous {
            let limit = IntegrityReport.unpairedLimit - report.unpaired.count
            let earlier = try await verify(until: until, events: events, limit: limit)
            report.prepend(earlier)
        }
        return report
    }

    /// The same for a page of about `events` events that ends at a position of the chain, or is the newest.
    package func verify(
        until: Int?, events: Int = IntegrityReport.pageEvents, limit: Int = IntegrityReport.unpairedLimit
    ) async throws -> IntegrityReport {
        var span = (after: "0", until: "0")
        let page = try await connection.longFirst(
            """
            select archived, after, until, after_transaction::text, until_transaction::text, sealed, unsealed, broken_at,
                event_id, problem
            from ops.audit_verify(\(until)::bigint, \(events)::bigint)
            """
        ) { row in
            span = (try row("after_transaction"), try row("until_transaction"))
            let position: Int? = try row("broken_at")
            return IntegrityReport(
                archived: try row("archived"), after: try row("after"), until: try row("until"),
                sealed: try row("sealed"), unsealed: try row("unsealed"),
                broken: try position.map {
                    IntegrityReport.Break(position: $0, event: try row("event_id"), problem: try row("problem"))
                })
        }
        var report = page ?? IntegrityReport(archived: 0, after: 0, until: 0, sealed: 0, unsealed: 0, broken: nil)
        report.unpaired = try await connection.longRows(
            """
            select problem, object_type, object_id, event_id
            from ops.audit_unpaired(\(span.after)::text::xid8, \(span.until)::text::xid8, \(limit)::integer)
            """
        ) { row in
            IntegrityReport.Unpaired(
                problem: try row("problem"), objectType: try row("object_type"), objectID: try row("object_id"),
                event: try row("event_id"))
        }
        return report
    }
}

extension Actor.Authority {
    /// The function of the schema `ops` that records its events.
    var function: String {
        switch self {
        case .request: "record_requested"
        case .signIn: "record_sign_in"
        case .schedule: "record_scheduled"
        case .operator: "record_operated"
        }
    }
}
