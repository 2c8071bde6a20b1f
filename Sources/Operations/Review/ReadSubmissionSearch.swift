// Turns what people type to search submissions into the filters of the queue and of decided submissions.
import Domain
import Localization
import Store

/// A search whose names were looked up: sources, content types, categories and levels of risk.
package struct ResolvedSubmissionSearch: Sendable {
    package let search: SubmissionSearch
    package fileprivate(set) var problems: [SubmissionSearch.Problem]
    fileprivate var sources: SourceFilter?
    fileprivate var type: String?
    fileprivate var category: String?
    fileprivate var scores: ClosedRange<Int>?

    /// Overrides the fields of the filter that the search names. One that can't be read matches nothing, so that no bulk action
    /// concerns more than was meant.
    package func apply(to filter: inout QueueFilter, account: ID<Account>?, overdueAfter hours: Int) {
        filter.query = search.words.isEmpty ? nil : search.words
        filter.isUnreadable = !problems.isEmpty || search.list == .decided
        if let sources { filter.sources = sources }
        if let type { filter.type = type }
        if let category { filter.category = category }
        if let by = search.by { filter.contributorName = by }
        if let domain = search.domain { filter.domain = domain }
        if let priority = search.priority { filter.priority = priority }
        if let scores { (filter.minScore, filter.maxScore) = (scores.lowerBound, scores.upperBound) }
        if let age = search.minAgeHours { filter.minAgeHours = age }
        if let age = search.maxAgeHours { filter.maxAgeHours = age }
        for state in search.states {
            switch state {
            case .claimed: filter.isClaimed = true
            case .unclaimed: filter.isUnclaimed = true
            case .mine: if let account { filter.claimedBy = account } else { filter.isUnreadable = true }
            case .unassigned: filter.isUnassigned = true
            case .snoozed: filter.isSnoozed = true
            case .held: filter.isHeld = true
            case .overdue: filter.minAgeHours = max(filter.minAgeHours ?? 0, hours)
            case .appeal: filter.reopenedBy = "appeal"
            case .resubmitted: filter.reopenedBy = "resubmit"
            case .pending, .decided, .approved, .rejected, .duplicate, .changesRequested: break
            }
        }
    }

    /// The same for callers that are nobody's account and list pending submissions only. Throws `Failure.invalid` at `pointer`.
    package func apply(to filter: inout QueueFilter, overdueAfter hours: Int, at pointer: String) throws(Failure) {
        var found = problems.map(\.message)
        if search.list == .decided { found.append(tr("This lists pending submissions, not decided ones.")) }
        if search.states.contains(.mine) { found.append(tr("“is:mine” is for people who are signed in.")) }
        guard found.isEmpty else { throw .invalid(FieldErrors(pointer, "format", found.joined(separator: " "))) }
        apply(to: &filter, account: nil, overdueAfter: hours)
    }

    package func apply(to filter: inout DecidedFilter) {
        filter.query = search.words.isEmpty ? nil : search.words
        filter.isUnreadable = !problems.isEmpty || search.list == .pending
        if let sources { filter.sources = sources }
        if let type { filter.type = type }
        if let category { filter.category = category }
        if let by = search.by { filter.contributorName = by }
        if let domain = search.domain { filter.domain = domain }
        if let scores { (filter.minScore, filter.maxScore) = (scores.lowerBound, scores.upperBound) }
        if let age = search.minAgeHours { filter.minAgeHours = age }
        if let age = search.maxAgeHours { filter.maxAgeHours = age }
        if let verdict = search.states.lazy.compactMap(\.verdict).first { filter.verdict = verdict }
        if search.states.contains(.appeal) { filter.after = "appeal" }
        if search.states.contains(.resubmitted) { filter.after = "resubmit" }
    }
}

package enum ReadSubmissionSearch {
    /// Names that nothing has are problems, which list the names that exist.
    package static func resolve(
        _ text: String, _ types: ContentTypes, _ stores: some Stores
    ) async throws -> ResolvedSubmissionSearch {
        let search = SubmissionSearch(text)
        var found = ResolvedSubmissionSearch(search: search, problems: search.problems)
        if let source = search.source { try await resolve(source: source, &found, stores) }
        if let type = search.type { resolve(type: type, &found, types) }
        if let category = search.category {
            // As it is written, whatever the case of the search.
            let titles = try await stores.entries.choices(.category).map(\.title)
            let title = titles.first { $0.lowercased() == category.lowercased() } ?? category
            let spellings = [
                category, title, category.lowercased(), category.prefix(1).uppercased() + category.dropFirst(),
            ]
            found.category = try await stores.queue.requestedCategory(spelled: spellings) ?? title
        }
        switch search.risk {
        case .scores(let scores): found.scores = scores
        case .level(let level): found.scores = try await scores(of: level, stores)
        case nil: break
        }
        return found
    }

    private static func resolve(
        source: String, _ found: inout ResolvedSubmissionSearch, _ stores: some Stores
    ) async throws {
        let wanted = source.lowercased()
        let clients = try await stores.clients.sources().map { (source: SourceFilter(clients: [$0.id]), name: $0.name) }
        let feeds = try await stores.clients.sourceNames().map { (source: SourceFilter(names: [$0]), name: $0) }
        let all = clients + feeds
        let exact = all.filter { $0.name.lowercased() == wanted }
        let named = exact.isEmpty ? all.filter { $0.name.lowercased().contains(wanted) } : exact
        found.sources = named.map(\.source).reduce(SourceFilter(), +)
        if named.isEmpty {
            let names = all.prefix(10).map(\.name).joined(separator: ", ")
            found.problems.append(
                SubmissionSearch.Problem(tr("No source is named “\(source)”. There are: \(names).")))
        }
    }

    private static func resolve(type: String, _ found: inout ResolvedSubmissionSearch, _ types: ContentTypes) {
        let wanted = type.lowercased()
        let offered = types.all.filter(\.submittable)
        found.type =
            offered.first {
                [$0.name, $0.label.lowercased(), $0.plural.lowercased()].contains(wanted)
            }?.name
        if found.type == nil {
            let names = offered.map(\.name).joined(separator: ", ")
            found.problems.append(
                SubmissionSearch.Problem(tr("No content type is named “\(type)”. There are: \(names).")))
        }
    }

    private static func scores(of level: RiskLevel, _ stores: some Stores) async throws -> ClosedRange<Int>? {
        guard let version = try await stores.screenings.current() else { return nil }
        let rules = try ScreeningRules(reading: version.rules)
        switch level {
        case .low: return 0...max(0, rules.medium - 1)
        case .medium: return rules.medium...max(rules.medium, rules.high - 1)
        case .high: return rules.high...100
        }
    }
}
