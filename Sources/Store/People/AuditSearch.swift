// Searches audit events by actor, action, object and time, newest first.
import Domain
import FoundationEssentials
import Postgres

package struct AuditFilter: Sendable, Equatable {
    /// The id of a person, a client or a system actor.
    package var actor: UUID?
    /// An action such as `entry.update`, or a noun such as `entry` for all its actions.
    package var action: String?
    /// The id or number of the object.
    package var object: String?
    /// Start of the first day to include, in UTC.
    package var firstDay: Timestamp?
    /// Start of the last day to include, in UTC.
    package var lastDay: Timestamp?
    /// By whose clocks these days begin and end.
    package var zone = ZoneName.standard

    package init() {}

    /// A condition on `ops.audit_event e`.
    var condition: SQL {
        var sql: SQL = "true"
        if let actor {
            // Only people have a role, and an index of their own.
            sql += """
                 and e.actor_id = \(actor)
                and (e.actor_role is not null or not exists (select from ops.account where id = \(actor)))
                """
        }
        if let action {
            sql +=
                action.utf8.contains(UInt8(ascii: "."))
                ? " and e.action = \(action)" : " and starts_with(e.action, \(action + "."))"
        }
        if let object { sql += " and e.object_type = any(\(Self.nouns)::text[]) and e.object_id = \(object)" }
        if let firstDay { sql += " and e.happened_at >= \(local(firstDay)) at time zone \(zone)::text" }
        if let lastDay {
            sql += " and e.happened_at < (\(local(lastDay)) + interval '1 day') at time zone \(zone)::text"
        }
        return sql
    }

    private func local(_ day: Timestamp) -> SQL { "(\(day.text)::timestamptz at time zone 'UTC')" }

    /// The object types of audit actions; the index by object begins with this column.
    private static let nouns = [
        "account", "audit", "bulk_action", "catalog", "catalog_item", "category", "client", "entry", "observation",
        "task",
        "mail",
        "media", "postcode", "preview", "publication", "release", "role", "session", "saved_view", "submission",
        "webhook",
    ]
}

/// One audit event with all its columns.
package struct AuditRow: Sendable, Encodable {
    package let id: Int64
    package let happenedAt: Date
    package let actor: String
    package let actorID: UUID
    package let role: String?
    package let action: String
    package let objectType: String
    package let objectID: String?
    package let detail: JSONValue
    package let requestID: String?
    package let remoteAddress: String?

    /// Without the detail, which is as long as what was changed.
    private enum CodingKeys: CodingKey {
        case id, happenedAt, actor, action, objectType, objectID, requestID, remoteAddress
    }

    init(row: Row) throws {
        id = try row("id")
        happenedAt = try row("happened_at")
        actor = try row("actor")
        actorID = try row("actor_id")
        role = try row("actor_role")
        action = try row("action")
        objectType = try row("object_type")
        objectID = try row("object_id")
        detail = try row("detail")
        requestID = try row("request_id")
        remoteAddress = try row("remote_address")
    }
}

/// The state of the chain, without verifying it.
package struct AuditStatus: Sendable {
    /// Time of the newest block.
    package let sealedAt: Date?
    /// How many events have been sealed in total.
    package let position: Int64
    /// How many of them are archived, and when the last was.
    package let archived: Int64
    package let archivedAt: Date?
}

extension AuditStore {
    private static let columns: SQL = """
        e.id, e.happened_at, a.name as actor, e.actor_id, e.actor_role, e.action, e.object_type, e.object_id, e.detail,
        e.request_id, e.remote_address
        """

    /// Newest first; `before` is the id of the last event of the previous page.
    package func search(_ filter: AuditFilter, before: Int64? = nil, limit: Int) async throws -> [AuditRow] {
        try await connection.longRows(
            """
            select \(Self.columns) from ops.audit_event e join ops.actor a on a.id = e.actor_id
            where \(filter.condition) and (\(before)::bigint is null or e.id < \(before)::bigint)
            order by e.id desc limit \(limit)
            """, AuditRow.init)
    }

    package func find(_ id: Int64) async throws -> AuditRow? {
        try await connection.first(
            "select \(Self.columns) from ops.audit_event e join ops.actor a on a.id = e.actor_id where e.id = \(id)",
            AuditRow.init)
    }

    package func status() async throws -> AuditStatus? {
        try await connection.first(
            """
            select l.sealed_at, coalesce(l.position, 0) as position, coalesce(o.position, 0) as archived, o.archived_at
            from (select 1) one
            left join (select * from ops.audit_block order by position desc limit 1) l on true
            left join (
                select * from ops.audit_block where archived_at is not null order by position desc limit 1) o on true
            """
        ) {
            AuditStatus(
                sealedAt: try $0("sealed_at"), position: try $0("position"), archived: try $0("archived"),
                archivedAt: try $0("archived_at"))
        }
    }
}
