// Undoes a bulk action on entries. Entries that were changed since keep their state and are reported one by one.
import Domain
import Localization
import Store

package struct UndoEntryBulkAction: Sendable {
    let database: Database
    let rules: ContentRules

    package func callAsFunction(_ id: ID<BulkAction>, by actor: Actor) async throws -> BulkActionRow {
        guard let bulkAction = try await database.bulkActions.find(id), bulkAction.object == .entry else {
            throw Failure.missing(tr("bulk action"))
        }
        try bulkAction.action.requireOnEntries(of: actor)
        if bulkAction.action == .update, bulkAction.publication != nil { try PublishTiming.now.require(of: actor) }
        try await database.access.require(actor, .bulkAction(id))
        let event = AuditEvent(
            "bulk_action.undo", on: "bulk_action", id.description,
            detail: ["action": .string(bulkAction.action.rawValue), "object": .string(bulkAction.object.rawValue)])
        try await database.transaction(by: actor, event) { [rules] transaction in
            guard try await transaction.bulkActions.startUndo(id) else { throw BulkActionRow.notUndoable }
            if bulkAction.publication != nil { _ = try await transaction.publications.lock() }
            let release = try await Self.release(of: bulkAction, transaction)
            let changed = try await transaction.bulkEntries.changed(id)
            let refused = changed.compactMap { entry in
                entry.refusal(of: bulkAction.action, release?.state).map { (entry.id, $0.rawValue) }
            }
            var kept = Dictionary(refused) { first, _ in first }
            let rest = changed.filter { kept[$0.id] == nil }
            let writer = EntryBulkWriter(transaction: transaction, id: id)
            let results = try await Self.undo(bulkAction, rest, release, rules, writer)
            for result in results where result.isSkipped { kept[ID(result.id)] = result.reason }
            try await transaction.bulkActions.finishUndo(
                of: id, undone: rest.map(\.id).filter { kept[$0] == nil },
                keptBecause: EntryBulkRefusal.changed.rawValue, reasons: kept)
        }
        return try await database.bulkActions.find(id).orMissing(tr("bulk action"))
    }

    /// The release that the bulk action added entries to, locked if it can still be changed.
    private static func release(
        of bulkAction: BulkActionRow, _ transaction: AuditedTransaction
    ) async throws -> ReleaseRow? {
        guard bulkAction.action == .add, let number = bulkAction.release,
            let release = try await transaction.releases.find(number: number)
        else { return nil }
        guard [.open, .scheduled, .failed].contains(release.state) else { return release }
        try await transaction.audit(
            AuditEvent(
                "release.remove", on: "release", String(number),
                detail: ["bulk_action": .string(bulkAction.id.description)]))
        try await transaction.lock(release)
        return try await transaction.releases.find(release.id)
    }

    /// Returns what became of the entries.
    private static func undo(
        _ bulkAction: BulkActionRow, _ entries: [ChangedBulkEntry], _ release: ReleaseRow?, _ rules: ContentRules,
        _ writer: EntryBulkWriter
    ) async throws -> [BulkActionResult] {
        let (id, transaction, ids) = (bulkAction.id, writer.transaction, entries.map(\.id))
        switch bulkAction.action {
        case .approve:
            try await writer.audit("entry.undo", ids.map { ($0, [:]) })
            try await transaction.bulkEntries.withdrawApprovals(of: ids, in: id)
            return []
        case .publish, .unpublish:
            let outcome = try await writer.publish(
                entries.map { LiveChange(entry: $0.id, revision: $0.liveBefore) }, "entry.undo",
                title: "Bulk action undone")
            let skipped = Set(outcome.results.filter(\.isSkipped).map(\.id))
            try await transaction.bulkEntries.restoreReady(ids.filter { !skipped.contains($0.uuid) }, in: id)
            return outcome.results
        case .update: return try await restoreCategories(of: entries, rules, writer)
        case .add:
            guard let release else { return [] }
            try await writer.audit("entry.undo", ids.map { ($0, [:]) })
            if ids.isEmpty { return [] }
            try await transaction.bulkEntries.restoreItems(of: release.id, for: ids, in: id)
            try await transaction.reopen([release.id])
            return []
        case .reject, .requestChanges, .snooze, .assign: return []
        }
    }

    /// Writes versions with the categories of before; what was published is published with them again.
    private static func restoreCategories(
        of entries: [ChangedBulkEntry], _ rules: ContentRules, _ writer: EntryBulkWriter
    ) async throws -> [BulkActionResult] {
        let byID = Dictionary(entries.map { ($0.id, $0) }) { first, _ in first }
        var edits: [EntryEdit] = []
        var results: [BulkActionResult] = []
        for chunk in entries.chunks(of: EntryBulkWriter.chunkSize) {
            for newest in try await writer.transaction.revisions.newest(of: chunk.map(\.id)) {
                guard let entry = byID[newest.entry], let type = rules.types[entry.type] else { continue }
                do {
                    let edit = try await EditRevision(on: newest, as: type, rules, note: "Bulk action undone") {
                        $0["categories"] =
                            entry.categories.isEmpty ? nil : .array(entry.categories.map { .string($0.description) })
                    }
                    edits.append(
                        EntryEdit(
                            entry: entry.id, revision: edit, published: entry.wasPublished ? entry.liveBefore : nil))
                } catch let failure as Failure where failure.isAboutOne {
                    results.append(.skipped(entry.id, failure.sentence))
                }
            }
        }
        return try await writer.restore(edits).results + results
    }
}

extension ChangedBulkEntry {
    /// Why the undo leaves the entry as it is.
    fileprivate func refusal(of action: BulkActionKind, _ release: ReleaseState?) -> EntryBulkRefusal? {
        switch action {
        case .approve:
            if newest != version { return .changed }
            if live != liveBefore { return .published }
            return isInRelease ? .inRelease : nil
        case .publish, .unpublish: return newest != version || live != published ? .changed : nil
        case .update:
            if newest != version + 1 { return .changed }
            return wasPublished && live != published ? .changed : nil
        case .add:
            if release == .published || release == .canceled { return .released }
            return isStillAdded ? nil : .changed
        case .reject, .requestChanges, .snooze, .assign: return .changed
        }
    }
}
