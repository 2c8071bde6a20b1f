// The navigation of every page: groups of pages that the account may open, with counts, and what it may create.
import Domain
import HTTP
import Localization
import Store

struct Navigation: Encodable, Sendable {
    struct Link: Encodable, Sendable {
        let label: String
        let url: String
        /// Such as `128` or `2 open`; nil for none.
        var count: String?
        var isHere = false

        /// The content types whose entries belong to it.
        fileprivate var types: Set<String> = []
        /// Whether it may be folded.
        fileprivate var isRare = false

        init(_ label: String, _ url: String, count: String? = nil, types: Set<String> = [], isRare: Bool = false) {
            (self.label, self.url, self.count, self.types, self.isRare) = (label, url, count, types, isRare)
        }

        private enum CodingKeys: String, CodingKey { case label, url, count, isHere }
    }

    struct Group: Encodable, Sendable {
        /// For the cookie that remembers which groups are closed.
        let id: String
        let label: String
        let links: [Link]
        /// The rare links of a long group, folded.
        let more: [Link]
        let isOpen: Bool
        /// Whether the open page is one of `more`.
        let isMoreOpen: Bool

        /// A group with more links has its rare ones folded, so that the next group is in view.
        private static let mostLinks = 10

        fileprivate init(id: String, label: String, links: [Link], isOpen: Bool) {
            (self.id, self.label, self.isOpen) = (id, label, isOpen)
            let rare = links.count > Self.mostLinks ? links.filter(\.isRare) : []
            more = rare
            self.links = rare.isEmpty ? links : links.filter { !$0.isRare }
            isMoreOpen = rare.contains(where: \.isHere)
        }
    }

    /// The names of the closed groups, separated by dots; written by the page's script.
    static let cookie = "__Host-vitrine_navigation"

    let home: Link
    let groups: [Group]
    /// Content types first.
    let create: [Link]

    /// What a search offers beside content: pages to open, and what can be created.
    struct Action {
        let label: String
        /// The group of the navigation.
        let note: String
        let url: String
        /// The words that find it.
        let words: String
    }

    /// What it depends on.
    struct Source {
        let path: String
        /// The content type of the entry on the page, or in the query string.
        let type: String?
        /// The value of the cookie.
        let closed: String
        let actor: Actor
        let counts: FrameCounts?
        /// The texts that readers miss, once for each language that apps offer.
        let missingTexts: Int
        let failedTasks: Int
        let types: [ContentType]
        /// The types that the person may create.
        let creatable: [ContentType]
        /// The pages of packs.
        let packs: [(label: String, url: String)]
        let mayOpen: (String) -> Bool
    }

    init(_ source: Source) {
        let closed = Set(source.closed.split(separator: ".").map(String.init))
        var groups = Self.groups(source)
        let scores = groups.map { $0.links.map { Self.score($0, source) } }
        let best = scores.joined().max() ?? 0
        for (index, links) in scores.enumerated() where best > 0 {
            if let link = links.firstIndex(of: best) {
                groups[index].links[link].isHere = true
                break
            }
        }
        self.groups = groups.map { Group(id: $0.id, label: $0.label, links: $0.links, isOpen: !closed.contains($0.id)) }
        var home = Link(tr("Home", context: "navigation"), AdminURL.home())
        home.isHere = source.path == home.url
        self.home = home
        create = Self.creatable(source)
    }

    var actions: [Action] {
        let pages = [("", home)] + groups.flatMap { group in (group.links + group.more).map { (group.label, $0) } }
        return create.map { link in
            let label = tr("Create: \(link.label)", context: "search")
            return Action(label: label, note: "", url: link.url, words: label)
        }
            + pages.map { group, link in
                Action(
                    label: link.label, note: group, url: link.url,
                    words: "\(tr("Go to", context: "search")) \(group) \(link.label)")
            }
    }

    /// How well a link leads to the page: the length of the common path; 0 if it doesn't. The list of a content type, and the pages
    /// of its entries, belong to the link of the type.
    private static func score(_ link: Link, _ source: Source) -> Int {
        let isOfType = source.type.map { link.types.contains($0) } ?? false
        if isOfType, source.path.hasPrefix(AdminURL.entries() + "/") { return 1000 }
        let path = link.url.prefix { $0 != "?" }
        guard source.path == path || source.path.hasPrefix(path + "/") else { return 0 }
        if path.count == link.url.count { return path.utf8.count }
        return isOfType ? 1000 : 0
    }

    // MARK: Groups

    private static func groups(_ source: Source) -> [(id: String, label: String, links: [Link])] {
        let all = [
            ("queue", tr("Queue", context: "navigation"), queue(source)),
            ("content", tr("Content", context: "navigation"), content(source)),
            ("publishing", tr("Publishing", context: "navigation"), publishing(source)),
            ("administration", tr("Administration", context: "navigation"), administration(source)),
        ]
        return all.compactMap { id, label, links in
            let open = links.filter { source.mayOpen($0.url) }
            return open.isEmpty ? nil : (id: id, label: label, links: open)
        }
    }

    private static func queue(_ source: Source) -> [Link] {
        let counts = source.counts
        return [
            Link(tr("Pending", context: "navigation"), AdminURL.queue(), count: counts?.pending.flatMap(count)),
            Link(tr("Decided", context: "navigation"), AdminURL.decided()),
            Link(tr("Reports", context: "section"), AdminURL.reports(), count: counts?.reports.flatMap(count)),
            Link(tr("Mentions", context: "section"), AdminURL.mentions(), count: counts.flatMap { count($0.mentions) }),
            Link(tr("Contributors", context: "section"), AdminURL.contributors()),
            Link(tr("Statistics", context: "navigation"), AdminURL.queueStatistics()),
            Link(tr("Screening", context: "section"), AdminURL.screening()),
            Link(tr("Stages", context: "navigation"), AdminURL.reviewStages()),
        ]
    }

    /// The types of entries without a page of their own are listed with all entries.
    private static func content(_ source: Source) -> [Link] {
        let counts = source.counts?.entries ?? [:]
        func names(_ kinds: ContentType.Kind...) -> Set<String> {
            Set(source.types.filter { kinds.contains($0.kind) }.map(\.name))
        }
        func total(_ kind: ContentType.Kind) -> String? {
            count(names(kind).compactMap { counts[$0] }.reduce(0, +))
        }
        let missing = count(source.missingTexts)
        var packs = source.packs.map { Link($0.label, $0.url, isRare: true) }
        let types = source.types.filter { !ownPages.contains($0.kind) && source.actor.scope.contains(type: $0.name) }
        let common = common(types, counts)
        let listed = types.map { type in
            var link = Link(type.plural, AdminURL.entries(query: ["type": type.name]))
            if let page = packs.firstIndex(where: { $0.label == type.plural }) { link = packs.remove(at: page) }
            link.count = counts[type.name].flatMap(count)
            link.types = [type.name]
            link.isRare = !common.contains(type.name)
            return link
        }
        return [Link(tr("All entries", context: "navigation"), AdminURL.entries())] + listed + [
            Link(tr("Feeds", context: "section"), AdminURL.feeds(), count: total(.feed), types: names(.feed)),
            Link(
                tr("Categories", context: "navigation"), AdminURL.categories(), count: total(.category),
                types: names(.category, .categoryGroup)),
        ] + packs + [
            Link(
                tr("Onboarding", context: "section"), AdminURL.onboarding(), types: names(.onboardingSet), isRare: true),
            Link(
                tr("Texts", context: "navigation"), AdminURL.texts(),
                count: missing.map { tr("\($0) missing", context: "navigation") } ?? total(.text), types: names(.text)),
            Link(tr("Settings", context: "section"), AdminURL.settings(), types: names(.setting), isRare: true),
            Link(tr("Media", context: "navigation"), AdminURL.media()),
        ]
    }

    /// The four types with the most entries, as far as these are counted.
    private static func common(_ types: [ContentType], _ counts: [String: Int]) -> Set<String> {
        let ordered = types.enumerated().sorted {
            (counts[$1.element.name] ?? 0, $0.offset) < (counts[$0.element.name] ?? 0, $1.offset)
        }
        return Set(ordered.prefix(4).map { $0.element.name })
    }

    /// The kinds of entries with a page of their own.
    static let ownPages: Set<ContentType.Kind> = [
        .feed, .category, .categoryGroup, .onboardingSet, .text, .setting,
    ]

    private static func publishing(_ source: Source) -> [Link] {
        let open = source.counts?.openReleases.flatMap(count)
        return [
            Link(
                tr("Releases", context: "navigation"), AdminURL.releases(),
                count: open.map { tr("\($0) open", context: "navigation") }),
            Link(tr("Schedule", context: "section"), AdminURL.schedule()),
            Link(tr("Publications", context: "navigation"), AdminURL.publications()),
            Link(tr("Previews", context: "section"), AdminURL.previews()),
        ]
    }

    private static func administration(_ source: Source) -> [Link] {
        let failed = count(source.failedTasks)
        return [
            Link(tr("Accounts", context: "navigation"), AdminURL.accounts()),
            Link(tr("Roles", context: "navigation"), AdminURL.roles()),
            Link(tr("API clients"), AdminURL.clients()),
            Link(tr("Submission forms"), AdminURL.submissionForms()),
            Link(tr("Webhooks", context: "section"), AdminURL.webhooks()),
            Link(
                tr("Background tasks"), AdminURL.tasks(),
                count: failed.map { tr("\($0) failed", context: "navigation") }),
            Link(tr("Audit", context: "section"), AdminURL.audit()),
        ]
    }

    private static func count(_ number: Int) -> String? {
        number == 0 ? nil : CountText.text(number, limit: FrameCounts.limit)
    }

    // MARK: Create

    /// The content types that the account may create, and what the form of a list creates: its first field is focused.
    private static func creatable(_ source: Source) -> [Link] {
        let actor = source.actor
        let others: [(Permission, Link)] = [
            (.createRelease, Link(tr("Release", context: "create"), AdminURL.releases() + "#title")),
            (.createRelease, Link(tr("Preview", context: "create"), AdminURL.previews() + "#title")),
            (.administer, Link(tr("Account", context: "create"), AdminURL.accounts() + "#email")),
            (.administer, Link(tr("API client", context: "create"), AdminURL.clients() + "#name")),
            (.administer, Link(tr("Submission form", context: "create"), AdminURL.submissionForms() + "#title")),
            (.administer, Link(tr("Webhook", context: "create"), AdminURL.webhooks() + "#url")),
        ]
        return source.creatable.map { Link($0.label, AdminURL.entryNew(query: ["type": $0.name])) }
            + others.filter { actor.may($0.0) && source.mayOpen($0.1.url) }.map(\.1)
    }
}
