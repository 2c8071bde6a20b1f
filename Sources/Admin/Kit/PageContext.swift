// The context that all pages share: title, navigation, signed-in user, and flash message.
import Domain
import Localization
import Platform
import Store

struct PageContext: Encodable, Sendable {
    struct Link: Encodable, Sendable {
        let label: String
        let url: String
        let isHere: Bool
    }

    let title: String
    /// A BCP 47 tag.
    let language = PageLanguages.current
    let environment: String
    let csrf: String
    /// The form token: another one each time a page is shown; see `FormPost`.
    let once: String
    let user: String?
    /// The first letters of the name.
    let initials: String
    let role: String?
    let navigation: Navigation?
    let notifications: Notifications?
    let flash: Flash?
    /// Failed releases, for people who can reschedule them.
    let failedReleases: [Link]
    /// How many forms have text that is not saved; nil for none.
    let unfinished: Int?
    /// The forms of the page whose text is saved while somebody types.
    let autosaves: [Autosaved]
    /// The bytes of a form's text that are saved.
    let autosaveLimit = AutosaveStore.maxBytes

    init(_ request: AdminRequest, title: String) {
        self.title = title
        environment = request.context.environment
        csrf = request.pass ?? request.csrf.masked()
        once = UUIDv7.make().uuidString
        user = request.session?.name
        initials = Self.initials(of: request.session?.name ?? "")
        role = request.session?.role.label
        flash = request.flash
        autosaves = request.autosaves
        unfinished = request.session.flatMap { $0.unfinished == 0 ? nil : $0.unfinished }
        let canReschedule = request.session?.role.may(.createRelease) ?? false
        let failed = (canReschedule ? request.session?.failedReleases ?? [] : []).map { release in
            let url = AdminURL.release(release.number)
            return Link(label: "\(release.number) \(release.title)", url: url, isHere: request.request.path == url)
        }
        failedReleases = failed
        navigation = request.navigation
        notifications = request.session.map {
            Notifications(
                $0, failedReleases: failed.count, failedTasks: request.failedTasks, mayOpen: request.mayOpen)
        }
    }

    fileprivate static func source(_ request: AdminRequest) -> Navigation.Source {
        Navigation.Source(
            path: request.request.path, type: request.query.first("type"),
            closed: request.request.cookies[Navigation.cookie] ?? "", actor: request.actor,
            counts: request.session?.counts, failedTasks: request.failedTasks, types: request.context.rules.types.all,
            creatable: request.creatableTypes,
            packs: request.database.packs.parts(PackPages.self).flatMap { $0.navigation() }, mayOpen: request.mayOpen)
    }

    private static func initials(of name: String) -> String {
        let words = name.split(separator: " ")
        let letters = [words.first, words.count > 1 ? words.last : nil].compactMap { $0?.first }
        return String(letters).uppercased()
    }
}

extension AdminRequest {
    /// Nil without a session.
    var navigation: Navigation? { session.map { _ in Navigation(PageContext.source(self)) } }
}
