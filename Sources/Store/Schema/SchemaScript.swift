// The SQL that a migration would run, as a script for psql.
import Domain
import Postgres

extension Schema {
    /// Empty if nothing would change; refuses as `migrate` does. Running it has the result of `migrate`.
    package func dryRun(types: ContentTypes, version: String) async throws -> String {
        try await refuseNewer(than: version)
        return try await StoreFailure.translating {
            let isInstalled = try await isThere("projection.installation")
            let isCurrent = try await state(version: version) == .current
            let changed = try await types.all.asyncFilter { try await !isCurrentRule($0) }
            let missing = try await missing(roles.all)
            if isCurrent, changed.isEmpty, missing.isEmpty, try await !isRepairDue(), try await !isAheadOfServer() {
                return ""
            }

            let first = migrator(Array(packs.migrations.prefix(1)))
            let tables = migrator(Array(packs.migrations.dropFirst()))
            var steps = [("roles", roles.creation), ("migrations", first.tableCreation + ";")]
            steps.append(("", try await first.dryRun(client, author: version)))
            if try await !tables.pending(client).isEmpty {
                steps.append(("functions of tables", transaction(texts: packs.all.flatMap(\.early))))
                steps.append(("", try await tables.dryRun(client, author: version)))
            }
            steps.append(("audit trail", continuingAudit))
            if !isCurrent {
                // What `migrate` tries to replace first can only be dropped if its parameters have changed.
                steps.append(("functions and projections", functionScript(version, dropsFirst: isInstalled)))
            }
            steps.append(("content types", changed.map { Self.rules(of: $0) + ";" }.joined(separator: "\n")))
            steps.append(("rights and default content", try finish()))
            return steps.filter { !$0.1.isEmpty }.map { $0.isEmpty ? $1 : "-- \($0)\n\($1)" }.joined(separator: "\n\n")
        }
    }

    private func isThere(_ table: String) async throws -> Bool {
        try await client.one("select to_regclass(\(table)) is not null")(0)
    }

    /// As JSON, because a database that is not migrated yet may lack the column of the text fields.
    private func isCurrentRule(_ type: ContentType) async throws -> Bool {
        guard try await isThere("curation.content_type") else { return false }
        return try await client.one(
            """
            select exists (select from curation.content_type t
                where name = \(type.name) and kind = \(type.kind.rawValue)
                and required_approvals = \(type.requiredApprovals) and four_eyes = \(type.fourEyes)
                and array(select f from unnest(internal_fields) with ordinality u (f, n)
                    where f = any(\(type.fields.map(\.name) + type.removedFields)::text[]) order by n)
                    = \(type.internalFields)::text[]
                and to_jsonb(t) -> 'text_fields' = to_jsonb(\(type.textFields)::text[]))
            """)(0)
    }

    /// Whether an earlier run ended before it repaired the read tables.
    private func isRepairDue() async throws -> Bool {
        try await client.one("select exists (select from projection.repair_due)")(0)
    }

    /// Whether the audit trail of a restored database has transactions that its new server has not reached.
    private func isAheadOfServer() async throws -> Bool {
        try await client.one(
            """
            select exists (select from ops.audit_event e
                where e.transaction >= ops.audit_transaction(pg_snapshot_xmax(pg_current_snapshot())))
            """)(0)
    }
}

extension Sequence where Element: Sendable {
    fileprivate func asyncFilter(_ isIncluded: (Element) async throws -> Bool) async rethrows -> [Element] {
        var found: [Element] = []
        for element in self where try await isIncluded(element) { found.append(element) }
        return found
    }
}
