// The context that all pages share: title, navigation, signed-in user, and flash message.
import Domain
import Localization
import Store

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
            request.session.map {
                PageContext.links(
                    for: $0.role, at: request.request.path, request.database.packs)
            } ?? ([], [])
    }

    private struct Section {
        let label: String
        let pages: [(label: String, url: String, permission: Permission)]
    }

    private static func navigation(_ packs: PackSet) -> [Section] {
        [
            Section(
                label: tr("Queue", context: "navigation"),
                pages: [
                    (tr("Queue", context: "navigation"), AdminURL.queue(), .readQueue),
                    (tr("Screening", context: "section"), AdminURL.screening(), .readQueue),
                    (tr("Stages", context: "navigation"), AdminURL.reviewStages(), .readQueue),
                ]),
            Section(
                label: tr("Content", context: "navigation"),
                pages: [
                    (tr("Entries", context: "navigation"), AdminURL.entries(), .readQueue),
                    (tr("Feeds", context: "section"), AdminURL.feeds(), .readQueue),
                    (tr("Categories", context: "navigation"), AdminURL.categories(), .readQueue),
                ] + packs.parts(PackPages.self).flatMap { $0.navigation() } + [
                    (tr("Onboarding", context: "section"), AdminURL.onboarding(), .readQueue),
                    (tr("Texts", context: "navigation"), AdminURL.texts(), .readQueue),
                    (tr("Settings", context: "section"), AdminURL.settings(), .readQueue),
                    (tr("Media", context: "navigation"), AdminURL.media(), .readQueue),
                ]),
            Section(
                label: tr("Publishing", context: "navigation"),
                pages: [
                    (tr("Releases", context: "navigation"), AdminURL.releases(), .readQueue),
                    (tr("Schedule", context: "section"), AdminURL.schedule(), .readQueue),
                    (tr("Publications", context: "navigation"), AdminURL.publications(), .readQueue),
                    (tr("Previews", context: "section"), AdminURL.previews(), .readQueue),
                    (tr("Background tasks"), AdminURL.tasks(), .readQueue),
                ]),
            Section(
                label: tr("Webhooks", context: "navigation"),
                pages: [(tr("Webhooks", context: "section"), AdminURL.webhooks(), .administer)]),
            Section(
                label: tr("People", context: "navigation"),
                pages: [
                    (tr("Accounts", context: "navigation"), AdminURL.accounts(), .administer),
                    (tr("API clients"), AdminURL.clients(), .administer),
                    (tr("Audit", context: "section"), AdminURL.audit(), .administer),
                ]),
        ]
    }

    /// The sections, and the pages of the current section if it has more than one.
    private static func links(for role: Role, at path: String, _ packs: PackSet) -> (sections: [Link], pages: [Link]) {
        var sections: [Link] = []
        var pages: [Link] = []
        for section in navigation(packs) {
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
