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

        /// Content type in the query string.
        fileprivate var type: String?

        init(_ label: String, _ url: String, count: String? = nil, type: String? = nil) {
            (self.label, self.url, self.count, self.type) = (label, url, count, type)
        }

        private enum CodingKeys: String, CodingKey { case label, url, count, isHere }
    }

    struct Group: Encodable, Sendable {
        /// For the cookie that remembers which groups are closed.
        let id: String
        let label: String
        var links: [Link]
        let isOpen: Bool
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
        /// The content type in the query string.
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
        var groups = Self.groups(source).map { group in
            Group(id: group.0, label: group.1, links: group.2, isOpen: !closed.contains(group.0))
        }
        let scores = groups.map { $0.links.map { Self.score($0, source.path, source.type) } }
        let best = scores.joined().max() ?? 0
        for (index, links) in scores.enumerated() where best > 0 {
            if let link = links.firstIndex(of: best) {
                groups[index].links[link].isHere = true
                break
            }
        }
        self.groups = groups
        var home = Link(tr("Home", context: "navigation"), AdminURL.home())
        home.isHere = source.path == home.url
        self.home = home
        create = Self.creatable(source)
    }

    var actions: [Action] {
        let pages = [("", home)] + groups.flatMap { group in group.links.map { (group.label, $0) } }
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

    /// How well a link leads to the page: the length of the common path, more with the content type; 0 if it doesn't.
    private static func score(_ link: Link, _ path: String, _ type: String?) -> Int {
        let own = link.url.prefix { $0 != "?" }
        guard path == own || path.hasPrefix(own + "/") else { return 0 }
        guard let wanted = link.type else { return own.utf8.count }
        return wanted == type ? 1000 : 0
    }

    // MARK: Groups

    private static func groups(_ source: Source) -> [(String, String, [Link])] {
        let all = [
            ("queue", tr("Queue", context: "navigation"), queue(source)),
            ("content", tr("Content", context: "navigation"), content(source)),
            ("publishing", tr("Publishing", context: "navigation"), publishing(source)),
            ("administration", tr("Administration", context: "navigation"), administration(source)),
        ]
        return all.compactMap { id, label, links in
            let open = links.filter { source.mayOpen($0.url) }
            return open.isEmpty ? nil : (id, label, open)
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
        let types = source.types
        func typeCount(_ kind: ContentType.Kind) -> String? {
            count(types.filter { $0.kind == kind }.compactMap { counts[$0.name] }.reduce(0, +))
        }
        let missing = count(source.missingTexts)
        var packs = source.packs.map { Link($0.label, $0.url) }
        var listed: [Link] = []
        for type in types where !ownPages.contains(type.kind) && source.actor.scope.contains(type: type.name) {
            let number = counts[type.name].flatMap(count)
            if let page = packs.firstIndex(where: { $0.label == type.plural }) {
                packs[page].count = number
            } else {
                listed.append(
                    Link(
                        type.plural, AdminURL.entries(query: ["type": type.name]), count: number, type: type.name))
            }
        }
        return [Link(tr("All entries", context: "navigation"), AdminURL.entries())] + listed + [
            Link(tr("Feeds", context: "section"), AdminURL.feeds(), count: typeCount(.feed)),
            Link(tr("Categories", context: "navigation"), AdminURL.categories(), count: typeCount(.category)),
        ] + packs + [
            Link(tr("Onboarding", context: "section"), AdminURL.onboarding()),
            Link(
                tr("Texts", context: "navigation"), AdminURL.texts(),
                count: missing.map { tr("\($0) missing", context: "navigation") } ?? typeCount(.text)),
            Link(tr("Settings", context: "section"), AdminURL.settings()),
            Link(tr("Media", context: "navigation"), AdminURL.media()),
        ]
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
