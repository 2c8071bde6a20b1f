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
            let url = AdminURL.release(release.number)
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
                ("Queue", AdminURL.queue(), .readQueue), ("Screening", AdminURL.screening(), .readQueue),
                ("Stages", AdminURL.reviewStages(), .readQueue),
            ]),
        Section(
            label: "Content",
            pages: [
                ("Entries", AdminURL.entries(), .readQueue), ("Feeds", AdminURL.feeds(), .readQueue),
                ("Categories", AdminURL.categories(), .readQueue), ("Promotions", AdminURL.promotions(), .readQueue),
                ("Routes", AdminURL.routes(), .readQueue), ("Onboarding", AdminURL.onboarding(), .readQueue),
                ("Texts", AdminURL.texts(), .readQueue), ("Settings", AdminURL.settings(), .readQueue),
                ("Media", AdminURL.media(), .readQueue), ("Catalogs", AdminURL.catalog(), .readQueue),
                ("Import", AdminURL.fileImport(), .edit),
            ]),
        Section(
            label: "Publishing",
            pages: [
                ("Releases", AdminURL.releases(), .readQueue), ("Schedule", AdminURL.schedule(), .readQueue),
                ("Publications", AdminURL.publications(), .readQueue), ("Previews", AdminURL.previews(), .readQueue),
            ]),
        Section(label: "Webhooks", pages: [("Webhooks", AdminURL.webhooks(), .administer)]),
        Section(
            label: "People",
            pages: [
                ("Accounts", AdminURL.accounts(), .administer), ("API clients", AdminURL.clients(), .administer),
                ("Mail", AdminURL.mail(), .administer), ("Audit", AdminURL.audit(), .administer),
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
