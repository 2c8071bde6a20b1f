// The form that runs a bulk action on entries; a change of categories is chosen and previewed first.
import Domain
import HTTP
import Localization
import Store

struct BulkEntryForm: Encodable, Sendable {
    struct Value: Encodable, Sendable {
        let name: String
        let value: String
    }

    struct Chooser: Encodable, Sendable {
        let url: String
        let added: CategoryCheckboxes
        let removed: CategoryCheckboxes
        let timings: [Option]
    }

    let url: String
    let button: String
    let isDanger: Bool
    let hint: String?
    /// Nil until there is something to run.
    let isReady: Bool
    let values: [Value]
    let chooser: Chooser?
    let releases: [Option]
    let releaseErrors: [String]
    let title: String
    let titleErrors: [String]

    static func load(
        _ request: AdminRequest, _ bulkAction: BulkActionRow, _ change: BulkCategoryChange?, _ typed: FormFields?,
        _ errors: FieldErrors
    ) async throws -> BulkEntryForm {
        let count = BulkActionKind.Object.entry.count(change?.changedCount ?? bulkAction.openCount)
        return BulkEntryForm(
            url: AdminURL.bulkActionRun(bulkAction.id), button: button(bulkAction.action, count),
            isDanger: bulkAction.action == .unpublish, hint: hint(bulkAction.action, change),
            isReady: change.map { $0.changedCount > 0 } ?? true,
            values: change.map { $0.fields.fields.map { Value(name: $0.name, value: $0.value) } } ?? [],
            chooser: try await change.asyncMap { try await chooser($0, bulkAction, request) },
            releases: bulkAction.action == .add ? try await releases(request, typed?.first("release") ?? "") : [],
            releaseErrors: errors.messages(at: "/release"), title: typed?.first("title") ?? "",
            titleErrors: errors.messages(at: "/title"))
    }

    private static func button(_ action: BulkActionKind, _ count: String) -> String {
        switch action {
        case .update: tr("Change categories of \(count)")
        case .add: tr("Add \(count) to the release")
        default: "\(action.label(on: .entry)) \(count)"
        }
    }

    private static func hint(_ action: BulkActionKind, _ change: BulkCategoryChange?) -> String? {
        switch action {
        case .approve: tr("Approved versions wait to be published.")
        case .publish: tr("Readers see them within seconds.")
        case .unpublish: tr("They disappear from the app. All versions are kept.")
        case .update:
            change?.timing == .now
                ? tr("Published entries show the new categories within seconds.")
                : tr("The new versions are saved as drafts.")
        case .add: tr("Readers see them when the release is published.")
        default: nil
        }
    }

    private static func chooser(
        _ change: BulkCategoryChange, _ bulkAction: BulkActionRow, _ request: AdminRequest
    ) async throws -> Chooser {
        let groups = try await FieldChoices.categories(request)
        let used = try await request.database.bulkEntries.categories(of: bulkAction.id)
        func categories(
            _ name: String, _ chosen: [ID<Entry>], _ isOffered: (EntryChoice) -> Bool
        ) -> CategoryCheckboxes {
            CategoryCheckboxes(
                name, groups, chosen: chosen.map(\.description), value: \.id.description, where: isOffered)
        }
        var timings = [("draft", tr("Save as drafts"))]
        if PublishTiming.now.isAllowed(for: request.actor) { timings.append(("now", tr("Publish now"))) }
        return Chooser(
            url: AdminURL.bulkAction(bulkAction.id),
            added: categories("added", change.change.added) { !$0.isArchived },
            removed: categories("removed", change.change.removed) { used.contains($0.id) },
            timings: timings.count > 1
                ? Option.list(timings, chosen: change.timing == .now ? "now" : "draft") : [])
    }

    /// A new release, and the ones that the actor may change.
    private static func releases(_ request: AdminRequest, _ chosen: String) async throws -> [Option] {
        let store = request.database.releases
        var releases = try await store.open(limit: 50)
        if request.actor.may(.publish) { releases += try await store.scheduled(limit: 50) }
        return Option.list(
            [("", tr("New release"))]
                + releases.map { release in
                    let time = release.time.map { ", \($0)" } ?? ""
                    return (String(release.number), "\(release.number) \(release.title)\(time)")
                },
            chosen: chosen)
    }
}

extension Optional where Wrapped: Sendable {
    fileprivate func asyncMap<Value>(_ body: (Wrapped) async throws -> Value) async rethrows -> Value? {
        guard let self else { return nil }
        return try await body(self)
    }
}
