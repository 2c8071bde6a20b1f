// Lists catalog items, shows one, lists or unlists them and moves one to another source.
import Admin
import Domain
import HTTP
import Localization
import Store

enum CatalogPages {
    private static let perPage = 50

    private struct Line: Encodable, Sendable {
        let id: ID<CatalogItem>
        let title: String
        var thumbnail: ThumbnailView?
        let kind: String
        let source: String
        let status: String
        let tone: String
        let checked: Instant

        init(_ item: CatalogItemRow, _ rules: CatalogRules, _ cover: Thumbnail? = nil) {
            id = item.id
            title = item.title
            thumbnail = cover.map { ThumbnailView($0) }
            kind = rules.kinds[item.kind]?.label ?? item.kind
            source = rules.label(of: item.source)
            (status, tone) =
                item.isListed
                ? (tr("Listed", context: "line"), "ok")
                : item.isPublic ? (tr("In a published list"), "ok") : (tr("Unlisted", context: "line"), "plain")
            checked = Instant(item.checkedAt)
        }
    }

    /// A source that fails since its last response.
    private struct Failing: Encodable, Sendable {
        let name: String
        let since: Instant
        /// The latest error, for administrators.
        let problem: String?
    }

    private struct List: Encodable, Sendable {
        let failing: [Failing]
        let lines: [Line]
        let query: String
        let kinds: [Option]
        let statuses: [Option]
        let isFiltered: Bool
        let filterCount: Int?
        let isFirst: Bool
        let next: String?
        let action: String
        let mayList: Bool
        let problem: ErrorSummary?
    }

    private static func filter(_ request: AdminRequest) -> CatalogFilter {
        CatalogFilter(
            kind: request.text("kind"), query: request.text("q"),
            status: request.text("status").flatMap(CatalogFilter.Status.init))
    }

    private static func url(_ filter: CatalogFilter, cursor: String? = nil) -> String {
        ListsURL.catalog(
            query: [
                "kind": filter.kind, "q": filter.query, "status": filter.status?.rawValue, "cursor": cursor,
            ])
    }

    static func list(
        _ request: AdminRequest, errors: FieldErrors = FieldErrors()
    ) async throws -> Response {
        let rules = try CatalogServices.of(request).rules
        let filter = filter(request)
        let page = try await request.database.catalogs.page(
            filter, cursor: request.cursor, limit: perPage)
        let covers = try await request.database.catalogs.covers(of: page.items.map(\.id))
        let statuses = [
            ("", tr("All", context: "list")), ("listed", tr("Listed", context: "list")),
            ("unlisted", tr("Unlisted", context: "list")),
        ]
        let failing = try await request.database.catalogSources.all().compactMap { source in
            source.failingSince.map { since in
                Failing(
                    name: rules.label(of: source.name), since: Instant(since),
                    problem: request.actor.may(.administer) ? source.lastError : nil)
            }
        }
        let model = List(
            failing: failing, lines: page.items.map { Line($0, rules, covers[$0.id]) }, query: filter.query ?? "",
            kinds: [Option(value: "", label: tr("All", context: "list"), isChosen: filter.kind == nil)]
                + rules.kinds.all.map { Option(value: $0.name, label: $0.plural, isChosen: $0.name == filter.kind) },
            statuses: Option.list(statuses, chosen: filter.status?.rawValue),
            isFiltered: filter != CatalogFilter(),
            filterCount: FilterCount.of(filter.kind != nil, filter.status != nil), isFirst: request.cursor == nil,
            next: page.next.map { url(filter, cursor: $0) },
            action: url(filter, cursor: request.cursor), mayList: request.actor.may(.publish),
            problem: ErrorSummary(errors))
        return try request.page(
            "packs/lists/catalog/list", model, title: tr("Catalogs", context: "list"),
            status: errors.status)
    }

    /// Lists or unlists the selected items.
    static func setListed(_ request: AdminRequest) async throws -> Response {
        let ids = request.form.all("item").compactMap { ID<CatalogItem>($0) }
        guard !ids.isEmpty else {
            return try await list(request, errors: FieldErrors("/items", "required", tr("Select at least one item.")))
        }
        let isListed = request.form.first("action") != "unlist"
        let number = try await ManageCatalog(
            database: request.database, rules: try CatalogServices.of(request).rules
        ).setListed(ids, isListed, by: request.actor)
        let items = tr("\(ids.count, one: "# item", other: "# items")", context: "list")
        let done =
            isListed
            ? tr("\(items) listed", context: "list") : tr("\(items) unlisted, but still shown in published lists")
        return request.redirect(
            to: url(filter(request), cursor: request.cursor),
            Flash(
                number.map { tr("\(done) (publication \($0)).", context: "list") }
                    ?? (isListed
                        ? tr("Nothing changed. The items were already listed.")
                        : tr("Nothing changed. The items were already unlisted.")))
        )
    }

    // MARK: One of them

    private struct Detail: Encodable, Sendable {
        let name: String
        let value: String
    }

    private struct Show: Encodable, Sendable {
        let line: Line
        let externalID: String
        let fetched: Instant
        let details: [Detail]
        let mayMove: Bool
        let sources: [Option]
        let typedID: String
        let problem: ErrorSummary?
        let sourceProblems: [String]
        let idProblems: [String]
    }

    private static func find(_ request: AdminRequest) async throws -> CatalogItemRow {
        try await request.database.catalogs.find(try request.id()).orMissing("page")
    }

    /// `errors` have the pointers `/source` and `/external_id`, the ids of the controls.
    static func show(
        _ request: AdminRequest, errors: FieldErrors = FieldErrors()
    ) async throws -> Response {
        let item = try await find(request)
        let rules = try CatalogServices.of(request).rules
        let isKnown = CatalogRules.sources.contains { $0.name == item.source }
        let current = isKnown ? item.source : rules.kinds[item.kind]?.source
        let source = request.form.first("source") ?? current
        let details = item.details.objectValue ?? [:]
        let model = Show(
            line: Line(item, rules), externalID: item.externalID, fetched: Instant(item.fetchedAt),
            details: details.keys.sorted().map { name in
                Detail(name: name, value: details[name]?.stringValue ?? details[name]?.canonicalText ?? "")
            },
            mayMove: request.actor.may(.publish),
            sources: rules.sources(of: item.kind).map {
                Option(value: $0.name, label: $0.label, isChosen: $0.name == source)
            },
            typedID: request.form.first("external_id") ?? item.externalID, problem: ErrorSummary(errors),
            sourceProblems: errors.messages(at: "/source"), idProblems: errors.messages(at: "/external_id"))
        return try request.page(
            "packs/lists/catalog/show", model, title: item.title,
            status: errors.status)
    }

    static func move(_ request: AdminRequest) async throws -> Response {
        let item = try await find(request)
        return try await request.submit(at: "/external_id", orShow: show) {
            let number = try await ManageCatalog(
                database: request.database, rules: try CatalogServices.of(request).rules
            ).move(
                item.id, source: request.form.first("source") ?? "",
                externalID: request.form.first("external_id") ?? "", by: request.actor)
            let done = tr("Source changed. The next refresh loads its details")
            return request.redirect(
                to: ListsURL.catalogItem(item.id),
                Flash(number.map { tr("\(done) (publication \($0)).", context: "show") } ?? done + "."))
        }
    }
}
