// What a planned bulk action will do with each entry, in words.
import Domain
import Localization
import Operations
import Store

enum BulkEntryEffects {
    static func load(
        _ rows: [BulkActionItemRow], _ bulkAction: BulkActionRow, _ change: BulkCategoryChange?,
        _ request: AdminRequest
    ) async throws -> [(row: BulkActionItemRow, effect: String)] {
        guard let change else { return rows.map { ($0, effect($0, bulkAction.action)) } }
        let before = rows.map { CategoryChange.categories(in: $0.before?.objectValue ?? [:]) }
        let used = Set(before.joined()).union(change.change.added)
        let titles = try await request.database.entries.titles(of: Array(used))
        func list(_ categories: [ID<Entry>]) -> String {
            if categories.isEmpty { return tr("no categories") }
            return categories.map { titles[$0] ?? tr("another category") }.joined(separator: ", ")
        }
        return zip(rows, before).map { row, categories in
            let now = list(categories)
            let effect =
                switch change.results[ID(row.id)] {
                case .success(let after): "\(now) → \(list(after))"
                case .failure(let problem):
                    tr("Skipped: \(BulkActionPage.reason(problem.reason, .entry))", context: "bulk action")
                case nil: now
                }
            return (row, effect)
        }
    }

    private static func effect(_ row: BulkActionItemRow, _ action: BulkActionKind) -> String {
        func number(_ name: String) -> Int64? { row.before?[name]?.integerValue }
        switch action {
        case .approve:
            return row.reason == nil
                ? tr("Approve version \(row.version)")
                : tr("Add your approval to version \(row.version); more people must approve it")
        case .publish:
            let approved = number("approved_number") ?? Int64(row.version)
            return number("live_number").map { tr("Publish version \(approved) in place of version \($0)") }
                ?? tr("Publish version \(approved)")
        case .unpublish: return tr("Unpublish version \(number("live_number") ?? 0)")
        default: return tr("Add version \(row.version)", context: "bulk action")
        }
    }
}

extension EntryBulkRefusal {
    /// For the person who runs or undoes the bulk action.
    var sentence: String {
        switch self {
        case .approved: tr("Already approved.")
        case .unapproved: tr("No version is approved.")
        case .published: tr("Its version is already published.")
        case .notPublished: tr("Not published.")
        case .withoutCategories: tr("Content of this type has no categories.")
        case .changed: tr("Changed in the meantime.")
        case .alreadyApproved: tr("You already approved it. More people must approve it.")
        case .unchanged: tr("Its categories don't change.")
        case .inRelease: tr("A release contains this version already.")
        case .released: tr("The release is already published or canceled.")
        case .needsApprovals: tr("More people must approve it.")
        case .draft: tr("Saved as a draft, because its newest version was not published.")
        }
    }
}
