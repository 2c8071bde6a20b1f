// The context that all pages share: title, navigation, signed-in user, and flash message.
import Domain

struct PageContext: Encodable, Sendable {
    struct Link: Encodable, Sendable {
        let label: String
        let url: String
        let isHere: Bool
    }

    let title: String
    let environment: String
    let csrf: String
    let user: String?
    let role: String?
    let sections: [Link]
    let pages: [Link]
    let flash: Flash?
    /// Failed releases, for people who can reschedule them.
    let failedReleases: [Link]

    init(_ request: AdminRequest, title: String) {
        self.title = title
        environment = request.context.environment
        csrf = request.csrf.masked()
        user = request.session?.name
        role = request.session?.role.label
        flash = request.flash
        let canReschedule = request.session?.role.may(.createRelease) ?? false
        failedReleases = (canReschedule ? request.session?.failedReleases ?? [] : []).map { release in
            let url = "/releases/\(release.number)"
            return Link(label: "\(release.number) \(release.title)", url: url, isHere: request.request.path == url)
        }
        (sections, pages) =
            request.session.map { PageContext.links(for: $0.role, at: request.request.path) } ?? ([], [])
    }

    private struct Section {
        let label: String
        let pages: [(label: String, url: String, permission: Permission)]
    }

    private static let navigation = [
        Section(
            label: "Queue",
            pages: [
                ("Queue", "/queue", .readQueue), ("Screening", "/screening", .readQueue),
                ("Stages", "/review-stages", .readQueue),
            ]),
        Section(
            label: "Content",
            pages: [
                ("Entries", "/entries", .readQueue), ("Feeds", "/feeds", .readQueue),
                ("Categories", "/categories", .readQueue), ("Promotions", "/promotions", .readQueue),
                ("Routes", "/routes", .readQueue), ("Onboarding", "/onboarding", .readQueue),
                ("Texts", "/texts", .readQueue), ("Settings", "/settings", .readQueue),
                ("Media", "/media", .readQueue), ("Catalogs", "/catalog", .readQueue), ("Import", "/import", .edit),
            ]),
        Section(
            label: "Publishing",
            pages: [
                ("Releases", "/releases", .readQueue), ("Schedule", "/schedule", .readQueue),
                ("Publications", "/publications", .readQueue), ("Previews", "/previews", .readQueue),
            ]),
        Section(label: "Webhooks", pages: [("Webhooks", "/webhooks", .administer)]),
        Section(
            label: "People",
            pages: [
                ("Accounts", "/accounts", .administer), ("API clients", "/clients", .administer),
                ("Mail", "/mail", .administer), ("Audit", "/audit", .administer),
            ]),
    ]

    /// The sections, and the pages of the current section if it has more than one.
    private static func links(for role: Role, at path: String) -> (sections: [Link], pages: [Link]) {
        var sections: [Link] = []
        var pages: [Link] = []
        for section in navigation {
            let links = section.pages.filter { role.may($0.permission) }.map { page in
                Link(
                    label: page.label, url: page.url,
                    isHere: path == page.url || path.hasPrefix(page.url + "/"))
            }
            guard let first = links.first else { continue }
            let isHere = links.contains(where: \.isHere)
            sections.append(Link(label: section.label, url: first.url, isHere: isHere))
            if isHere, links.count > 1 { pages = links }
        }
        return (sections, pages)
    }
}
