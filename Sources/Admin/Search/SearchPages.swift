// The search over everything that the person may see: as a page, and as JSON for the palette.
import Domain
import HTTP
import Localization
import Operations
import Store

enum SearchPages {
    private static let perGroup = 20
    /// In the palette.
    private static let perShortGroup = 5
    /// What the palette offers before anything is typed.
    private static let suggested = 8

    private struct Model: Encodable, Sendable {
        let q: String
        let groups: [SearchGroup]
        /// What can't be read, or that it took too long.
        let messages: [String]
        let operators: SearchOperators
    }

    private struct Result: Encodable, Sendable {
        let groups: [SearchGroup]
        let messages: [String]
    }

    static func show(_ request: AdminRequest) async throws -> Response {
        let q = String((request.text("q") ?? "").prefix(200))
        let limit = request.wantsJSON ? perShortGroup : perGroup
        let (groups, messages) = try await find(q, request, limit: limit)
        if request.wantsJSON { return try MediaJSON.response(Result(groups: groups, messages: messages)) }
        let model = Model(q: q, groups: groups, messages: messages, operators: SearchOperators())
        return try request.page(
            "admin/search/show", model,
            title: q.isEmpty ? tr("Search", context: "search page") : tr("Search: \(q)", context: "search page"))
    }

    private static func find(
        _ q: String, _ request: AdminRequest, limit: Int
    ) async throws -> (groups: [SearchGroup], messages: [String]) {
        if q.isEmpty { return ([actions(q, request, limit: suggested)].compactMap { $0 }, []) }
        do {
            let found = try await ReadSubmissionSearch.resolve(q, request.context.rules.types, request.database)
            if found.search.hasOperators {
                let problems = found.problems.map(\.message)
                return (problems.isEmpty ? try await submissions(found, q, request, limit: limit) : [], problems)
            }
            let groups = try await everything(q, request, limit: limit)
            return ([actions(q, request, limit: limit)].compactMap { $0 } + groups, [])
        } catch Failure.refused(code: "too_slow", message: let message) {
            return ([actions(q, request, limit: limit)].compactMap { $0 }, [message])
        }
    }

    // MARK: Kinds

    private static func actions(_ q: String, _ request: AdminRequest, limit: Int) -> SearchGroup? {
        let wanted = words(q)
        if wanted.isEmpty && !q.isEmpty { return nil }
        let found = (request.navigation()?.actions ?? []).filter { action in
            let own = words(action.words)
            return wanted.allSatisfy { word in own.contains { $0.hasPrefix(word) } }
        }
        return SearchGroup(
            "actions", tr("Actions", context: "search page"), found.prefix(limit).map { SearchGroup.Line($0) },
            limit: limit)
    }

    private static func words(_ text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    private static func everything(_ q: String, _ request: AdminRequest, limit: Int) async throws -> [SearchGroup] {
        let lists: [(ContentType.Kind, String, AdminURL)] = [
            (.category, tr("Categories", context: "navigation"), .categories),
            (.feed, tr("Feeds", context: "section"), .feeds),
            (.text, tr("Texts", context: "navigation"), .texts),
            (.setting, tr("Settings", context: "section"), .settings),
        ]
        let open = lists.filter { request.mayOpen($0.2()) }
        var search = TeamSearch(q, limit: limit)
        search.entries = request.mayOpen(AdminURL.entries())
        search.kinds = Set(open.map(\.0))
        search.submissions = request.mayOpen(AdminURL.queue())
        search.contributors = request.mayOpen(AdminURL.contributors())
        search.releases = request.mayOpen(AdminURL.releases())
        search.accounts = request.mayOpen(AdminURL.accounts())
        let found = try await request.database.search(search)
        async let imagesOfSubmissions = request.thumbnails(of: found.submissions.map(\.id))
        let listed = found.entries + found.others.values.joined()
        let (images, sent) = try await (request.thumbnails(of: listed.map(\.id)), imagesOfSubmissions)
        let types = request.context.rules.types
        let more = tr("Show all", context: "search page")
        var groups = [
            SearchGroup(
                "submissions", tr("Submissions", context: "search page"),
                found.submissions.map { SearchGroup.Line($0, types, sent) }, limit: limit,
                more: submissionLists(q)),
            SearchGroup(
                "entries", tr("Entries", context: "search page"),
                found.entries.map { SearchGroup.Line($0, types, images) }, limit: limit,
                more: [SearchGroup.More(label: more, url: AdminURL.entries(query: ["q": q, "all": "1"]))]),
        ]
        groups += open.map { kind, label, url in
            SearchGroup(
                kind.rawValue, label, (found.others[kind] ?? []).map { SearchGroup.Line($0, types, images) },
                limit: limit,
                more: kind == .text ? [SearchGroup.More(label: more, url: url(query: ["q": q]))] : list(url))
        }
        groups += [
            SearchGroup(
                "contributors", tr("Contributors", context: "section"),
                found.contributors.map { SearchGroup.Line($0) }, limit: limit,
                more: [SearchGroup.More(label: more, url: AdminURL.contributors(query: ["q": q]))]),
            SearchGroup(
                "releases", tr("Releases", context: "navigation"), found.releases.map { SearchGroup.Line($0) },
                limit: limit, more: list(.releases)),
            SearchGroup(
                "accounts", tr("Accounts", context: "navigation"), found.accounts.map { SearchGroup.Line($0) },
                limit: limit, more: list(.accounts)),
        ]
        return groups.compactMap { $0 }
    }

    /// Of a kind whose list has no search.
    private static func list(_ url: AdminURL) -> [SearchGroup.More] {
        [SearchGroup.More(label: tr("Open list", context: "search page"), url: url())]
    }

    private static func submissionLists(_ q: String) -> [SearchGroup.More] {
        [
            SearchGroup.More(label: tr("Show all pending"), url: AdminURL.queue(query: ["q": q])),
            SearchGroup.More(label: tr("Show all decided"), url: AdminURL.decided(query: ["q": q])),
        ]
    }

    /// With operators, only submissions: those of the lists with the same words.
    private static func submissions(
        _ found: ResolvedSubmissionSearch, _ q: String, _ request: AdminRequest, limit: Int
    ) async throws -> [SearchGroup] {
        let types = request.context.rules.types
        let more = tr("Show all", context: "search page")
        var groups: [SearchGroup?] = []
        if found.search.list != .decided {
            var filter = QueueFilter()
            found.apply(
                to: &filter, account: request.session?.account,
                overdueAfter: request.services.reviewPolicy.targetHours)
            let rows = try await request.database.queue.page(filter, order: .newest, cursor: nil, limit: limit + 1)
            let ids = rows.items.map(\.id)
            async let summariesOfRows = SubmissionExcerpt.summaries(of: ids, request)
            let (images, summaries) = try await (request.thumbnails(of: ids), summariesOfRows)
            groups.append(
                SearchGroup(
                    "pending", tr("Pending submissions"),
                    rows.items.map {
                        SearchGroup.Line(
                            submission: $0.id, $0.title, type: $0.type, $0.source, summaries[$0.id]?.contributor,
                            .pending, types, images)
                    }, limit: limit, more: [SearchGroup.More(label: more, url: AdminURL.queue(query: ["q": q]))]))
        }
        if found.search.list != .pending {
            var filter = DecidedFilter()
            found.apply(to: &filter)
            let rows = try await request.database.decided.page(filter, cursor: nil, limit: limit + 1)
            let images = try await request.thumbnails(of: rows.items.map(\.submission))
            groups.append(
                SearchGroup(
                    "decided", tr("Decided submissions"),
                    rows.items.map {
                        SearchGroup.Line(
                            submission: $0.submission, $0.title, type: $0.type, $0.source, $0.contributor,
                            Verdict(rawValue: $0.verdict)?.state ?? .pending, types, images)
                    }, limit: limit, more: [SearchGroup.More(label: more, url: AdminURL.decided(query: ["q": q]))]))
        }
        return groups.compactMap { $0 }
    }
}
