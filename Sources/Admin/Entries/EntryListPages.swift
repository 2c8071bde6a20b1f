// Lists entries: all, or those of a type, with how they begin and their states.
import Domain
import HTTP
import Localization
import Operations
import Store

enum EntryListPages {
    private static let perPage = 25

    private struct Line: Encodable, Sendable {
        let id: ID<Entry>
        /// Nil where the heading says it.
        let type: String?
        let title: String
        let excerpt: String?
        let status: EntryStatus
        let author: String
        let changed: Instant
        let thumbnail: ThumbnailView?
    }

    private struct List: Encodable, Sendable {
        let heading: String
        /// How many match, in words; nil for none, or if counting takes too long.
        let total: String?
        let types: [Option]
        let states: [Option]
        let query: String
        let lines: [Line]
        /// The URL of the next page.
        let next: String?
        let isFirst: Bool
        let isFiltered: Bool
        let filterCount: Int?
        /// Whether a type is chosen, so that no others can be included.
        let isOfType: Bool
        /// Whether entries with pages of their own are listed, too.
        let isAll: Bool
        /// Nil if the person may create none.
        let newURL: String?
        let newLabel: String
        /// What the actor may do with many entries.
        let bulkActions: [Option]
        /// How many they would be, such as `1,204` or `5,000+`; nil if counting takes too long.
        let matching: String?
        let bulkActionURL: String
        let problem: ErrorSummary?
    }

    /// `errors` are those of a bulk action.
    static func show(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let query = EntryListQuery(request.query)
        let filter = query.filter
        let entries = request.database.entries
        let limit = countLimit
        async let count = request.database.quickly { try await $0.entries.count(filter, limit: limit) }
        let page = try await entries.page(filter, cursor: query.cursor, limit: perPage)
        let ids = page.items.map(\.id)
        let types = request.context.rules.types
        let type = filter.type.flatMap { types[$0] }
        async let thumbnailsOfRows = request.thumbnails(of: ids)
        let beginnings = try await entries.beginnings(of: ids, fields: Excerpt.fields(of: types.all))
        let thumbnails = try await thumbnailsOfRows
        let matching = try await count
        let model = List(
            heading: type?.plural ?? tr("Entries", context: "list"), total: total(matching, type),
            types: Option.list([("", tr("All types"))] + types.all.map { ($0.name, $0.plural) }, chosen: filter.type),
            states: Option.list(
                [
                    ("", tr("All states")), ("live", tr("Published", context: "list")),
                    ("ready", tr("Approved", context: "list")), ("draft", tr("Draft", context: "list")),
                    ("broken_stream", tr("Broken stream", context: "list")),
                ],
                chosen: filter.state),
            query: filter.query ?? "",
            lines: page.items.map { entry in
                Line(
                    id: entry.id, type: type == nil ? types[entry.type]?.label ?? entry.type : nil,
                    title: EntryTitles.shown(entry.title),
                    excerpt: Excerpt.text(beginnings[entry.id], types[entry.type]), status: EntryStatus(entry),
                    author: ActorName.shown(entry.author), changed: Instant(entry.changedAt),
                    thumbnail: thumbnails[entry.id])
            },
            next: page.next.map { query.url(AdminURL.entries(), cursor: $0) },
            isFirst: query.cursor == nil, isFiltered: query.isFiltered,
            filterCount: FilterCount.of(filter.state != nil, query.isAll), isOfType: type != nil,
            isAll: query.isAll,
            newURL: newURL(filter.type, request),
            newLabel: newLabel(filter.type, request),
            bulkActions: bulkActions(request.actor),
            matching: matching.map { CountText.text($0, limit: min(countLimit, BulkActionKind.limit)) },
            bulkActionURL: query.url(AdminURL.bulkActions(), cursor: query.cursor),
            problem: ErrorSummary(errors, ids: ["/ids": "entries"]))
        return try request.page("admin/entries/list", model, title: model.heading, status: errors.status)
    }

    /// Counting stops sooner where the access scope looks at the categories of each entry.
    private static var countLimit: Int { AccessScope.current.groups.isEmpty ? 10_000 : 1_000 }

    /// `1,204 articles`
    private static func total(_ count: Int?, _ type: ContentType?) -> String? {
        guard let count, count > 0 else { return nil }
        let number = CountText.text(count, limit: countLimit)
        if let type { return "\(number) \(inText(count == 1 ? type.label : type.plural))" }
        return count == 1 ? tr("1 entry", context: "list") : tr("\(number) entries", context: "list")
    }

    private static func bulkActions(_ actor: Actor) -> [Option] {
        let actions = BulkActionKind.Object.entry.actions.filter { (try? $0.requireOnEntries(of: actor)) != nil }
        return Option.list(actions.map { ($0.rawValue, $0.label(on: .entry)) }, chosen: nil)
    }

    /// The form of a new entry of the listed type, or else the choice of a type.
    private static func newURL(_ type: String?, _ request: AdminRequest) -> String? {
        let types = request.creatableTypes.map(\.name)
        if types.isEmpty { return nil }
        return AdminURL.entryNew(query: ["type": type.flatMap { types.contains($0) ? $0 : nil }])
    }

    private static func newLabel(_ type: String?, _ request: AdminRequest) -> String {
        request.creatableTypes.first { $0.name == type }.map {
            tr("Create \(inText($0.label))", context: "entry of a type")
        } ?? tr("Create entry")
    }
}
