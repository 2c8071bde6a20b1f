// Runs a planned bulk action on entries, in one transaction.
import Domain
import Localization
import Store

package struct RunEntryBulkAction: Sendable {
    let database: Database
    let rules: ContentRules

    /// Records the result of every entry in the bulk action. Running it a second time is a conflict.
    package func callAsFunction(
        _ id: ID<BulkAction>, _ request: EntryBulkActionRequest, by actor: Actor
    ) async throws -> BulkActionRow {
        guard let bulkAction = try await database.bulkActions.find(id) else { throw Failure.missing(tr("bulk action")) }
        try bulkAction.requirePlan(.entry, by: actor)
        guard bulkAction.action == request.action else { throw Failure.missing(tr("bulk action")) }
        try await check(request, by: actor)
        let planned = try await database.bulkEntries.planned(id)
        let (edits, invalid) = try await prepare(request, planned)
        let event = AuditEvent(
            "bulk_action.\(bulkAction.action.rawValue)", on: "bulk_action", id.description,
            detail: Self.detail(request).merging([
                "planned": .int(Int64(bulkAction.openCount)),
                "object": .string(BulkActionKind.Object.entry.rawValue),
            ]) { $1 })
        try await database.transaction(by: actor, event) { transaction in
            guard try await transaction.bulkActions.startRun(id) else { throw BulkActionRow.alreadyRun }
            if request.publishes { _ = try await transaction.publications.lock() }
            let entries = try await transaction.bulkEntries.planned(id)
            let changed = entries.filter { !$0.isAsPlanned }
            let rest = entries.filter { $0.isAsPlanned && invalid[$0.id] == nil }
            let writer = EntryBulkWriter(transaction: transaction, id: id)
            var outcome = try await Self.carryOut(request, rest, edits, writer)
            outcome.results += changed.map { .skipped($0.id, EntryBulkRefusal.changed.rawValue) }
            outcome.results += entries.filter(\.isAsPlanned).compactMap { entry in
                invalid[entry.id].map { .skipped(entry.id, $0) }
            }
            try await transaction.bulkActions.finish(
                outcome.results, publication: outcome.publication, release: outcome.release, of: id)
        }
        return try await database.bulkActions.find(id).orMissing(tr("bulk action"))
    }

    /// What a change of categories would make of entries of a plan: their categories afterwards, or why they are skipped.
    package func preview(
        _ change: CategoryChange, of entries: [ID<Entry>]
    ) async throws -> [ID<Entry>: Result<[ID<Entry>], EntryBulkProblem>] {
        try await Self.prepare(change, entries, rules, database).mapValues { result in
            result.map { CategoryChange.categories(in: $0.draft.content.fields) }
        }
    }

    private func check(_ request: EntryBulkActionRequest, by actor: Actor) async throws {
        try request.action.requireOnEntries(of: actor)
        switch request {
        case .approve, .publish, .unpublish: return
        case .update(let change, let timing):
            if change.added.isEmpty && change.removed.isEmpty {
                throw Failure.invalid(
                    FieldErrors("/added", "required", tr("Choose at least one category to add or remove.")))
            }
            if let both = change.added.first(where: change.removed.contains) {
                let title = try await database.entries.titles(of: [both])[both] ?? both.description
                throw Failure.invalid(
                    FieldErrors("/added", "choice", tr("Choose whether to add or to remove the category “\(title)”.")))
            }
            guard timing == .draft || timing == .now else {
                throw Failure.invalid(FieldErrors("/publish", "choice", tr("Choose when to publish.")))
            }
            try await timing.check(by: actor, database)
        case .add(let release, let title):
            if release == nil { _ = try ComposeRelease.checked(title: title) }
        }
    }

    /// Everything slow happens before the transaction.
    private func prepare(
        _ request: EntryBulkActionRequest, _ planned: [BulkEntry]
    ) async throws -> (edits: [ID<Entry>: EditRevision], invalid: [ID<Entry>: String]) {
        guard case .update(let change, _) = request else { return ([:], [:]) }
        var edits: [ID<Entry>: EditRevision] = [:]
        var invalid: [ID<Entry>: String] = [:]
        for chunk in planned.chunks(of: EntryBulkWriter.chunkSize) {
            for (entry, result) in try await Self.prepare(change, chunk.map(\.id), rules, database) {
                switch result {
                case .success(let edit): edits[entry] = edit
                case .failure(let problem): invalid[entry] = problem.reason
                }
            }
        }
        return (edits, invalid)
    }

    private static func prepare(
        _ change: CategoryChange, _ entries: [ID<Entry>], _ rules: ContentRules, _ database: Database
    ) async throws -> [ID<Entry>: Result<EditRevision, EntryBulkProblem>] {
        let types = Dictionary(try await database.entries.types(of: entries)) { first, _ in first }
        var results: [ID<Entry>: Result<EditRevision, EntryBulkProblem>] = [:]
        for newest in try await database.revisions.newest(of: entries) {
            guard let type = types[newest.entry].flatMap({ rules.types[$0] }) else { continue }
            let categories = CategoryChange.categories(in: newest.content.fields)
            let after = change.applied(to: categories)
            if after == categories {
                results[newest.entry] = .failure(EntryBulkProblem(reason: EntryBulkRefusal.unchanged.rawValue))
                continue
            }
            do {
                let edit = try await EditRevision(on: newest, as: type, rules, note: "Categories changed in bulk") {
                    $0["categories"] = after.isEmpty ? nil : .array(after.map { .string($0.description) })
                }
                results[newest.entry] = .success(edit)
            } catch let failure as Failure where failure.isAboutOne {
                results[newest.entry] = .failure(EntryBulkProblem(reason: failure.sentence))
            }
        }
        return results
    }

    private static func carryOut(
        _ request: EntryBulkActionRequest, _ entries: [BulkEntry], _ edits: [ID<Entry>: EditRevision],
        _ writer: EntryBulkWriter
    ) async throws -> EntryBulkWriter.Outcome {
        switch request {
        case .approve: return try await writer.approve(entries)
        case .publish:
            return try await writer.publish(
                entries.map { LiveChange(entry: $0.id, revision: $0.approved) }, "entry.publish",
                title: "\(entries.count) published in bulk")
        case .unpublish:
            return try await writer.publish(
                entries.map { LiveChange(entry: $0.id, revision: nil) }, "entry.unpublish",
                title: "\(entries.count) unpublished in bulk")
        case .update(_, let timing):
            return try await writer.write(
                entries.compactMap { entry in edits[entry.id].map { EntryEdit(entry: entry.id, revision: $0) } }, timing
            )
        case .add(let number, let title):
            return try await writer.add(
                entries, to: try await release(number, title, entries.count, writer.transaction))
        }
    }

    /// The release, locked, or a new one.
    private static func release(
        _ number: Int64?, _ title: String, _ count: Int, _ transaction: AuditedTransaction
    ) async throws -> ReleaseRow {
        var release: ReleaseRow?
        if let number {
            release = try await transaction.releases.find(number: number)
        } else {
            try await transaction.audit(AuditEvent("release.create", on: "release"))
            let added = try await transaction.releases.add(
                title: try ComposeRelease.checked(title: title), by: transaction.actor)
            release = try await transaction.releases.find(added.id)
        }
        guard let release else {
            throw Failure.invalid(FieldErrors("/release", "reference", tr("There is no such release.")))
        }
        try await transaction.audit(
            AuditEvent(
                "release.add", on: "release", String(release.number), detail: ["entries": .int(Int64(count))]))
        try await transaction.lock(release)
        return release
    }

    private static func detail(_ request: EntryBulkActionRequest) -> [String: JSONValue] {
        switch request {
        case .approve, .publish, .unpublish: return [:]
        case .update(let change, let timing):
            func list(_ ids: [ID<Entry>]) -> JSONValue { .array(ids.map { .string($0.description) }) }
            return [
                "added": list(change.added), "removed": list(change.removed), "publish": .bool(timing == .now),
            ]
        case .add(let release, _): return release.map { ["release": .int($0)] } ?? [:]
        }
    }
}

/// Why an entry can't be changed: the code of an `EntryBulkRefusal`, or a sentence.
package struct EntryBulkProblem: Error {
    package let reason: String
}

extension EntryBulkActionRequest {
    /// Whether it publishes or unpublishes something at once.
    var publishes: Bool {
        switch self {
        case .publish, .unpublish: true
        case .update(_, let timing): timing == .now
        case .approve, .add: false
        }
    }
}

extension CategoryChange {
    package static func categories(in fields: [String: JSONValue]) -> [ID<Entry>] {
        (fields["categories"]?.arrayValue ?? []).compactMap { $0.stringValue.flatMap { ID($0) } }
    }
}
