// The categories that a bulk action on entries adds and removes, as chosen on its page, and what that makes of the entries.
import Domain
import HTTP
import Operations
import Store

struct BulkCategoryChange: Sendable {
    let change: CategoryChange
    let timing: PublishTiming
    /// The categories of each entry afterwards, or why it is skipped; empty until categories are chosen.
    let results: [ID<Entry>: Result<[ID<Entry>], EntryBulkProblem>]
    let form: FormFields

    /// The most categories that may be chosen.
    private static let limit = 100

    /// Nil for other actions. The choice is in the query of a preview and in the form that runs it.
    static func load(
        _ request: AdminRequest, _ bulkAction: BulkActionRow, _ typed: FormFields?
    ) async throws -> BulkCategoryChange? {
        guard bulkAction.action == .update else { return nil }
        let form = typed ?? request.query
        let change = read(form)
        var results: [ID<Entry>: Result<[ID<Entry>], EntryBulkProblem>] = [:]
        let isPossible = change.added.allSatisfy { !change.removed.contains($0) }
        if isPossible, !(change.added.isEmpty && change.removed.isEmpty) {
            let planned = try await request.database.bulkEntries.planned(bulkAction.id).map(\.id)
            for chunk in planned.chunks(of: 500) {
                results.merge(try await request.services.runEntryBulkAction.preview(change, of: chunk)) { $1 }
            }
        }
        return BulkCategoryChange(change: change, timing: timing(form), results: results, form: form)
    }

    static func read(_ form: FormFields) -> CategoryChange {
        func ids(_ name: String) -> [ID<Entry>] {
            form.all(name).prefix(limit).compactMap { ID<Entry>($0) }
        }
        return CategoryChange(added: ids("added"), removed: ids("removed"))
    }

    static func timing(_ form: FormFields) -> PublishTiming { form.first("publish") == "now" ? .now : .draft }

    var changedCount: Int { results.values.count { (try? $0.get()) != nil } }

    var skippedCount: Int { results.count - changedCount }

    /// The choice, for URLs and forms.
    var fields: FormFields {
        var fields = FormFields()
        for id in change.added { fields.append("added", id.description) }
        for id in change.removed { fields.append("removed", id.description) }
        if timing == .now { fields.append("publish", "now") }
        return fields
    }
}
