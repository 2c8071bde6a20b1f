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

    /// A release that could not be published, with what to do about it.
    struct FailedReleaseLine: Encodable, Sendable {
        let label: String
        let url: String
        /// Names the entry.
        let cause: String
        /// The entry that it failed for; nil if the cause names none.
        let fix: String?
        /// Where it is scheduled or published again; nil for people who can't publish it.
        let reschedule: String?
        let retry: String?
    }

    /// Something else that failed, with the page on which it is repaired.
    struct FailureLine: Encodable, Sendable {
        let text: String
        let action: String
        let url: String
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
    /// The newest failed releases, for people who can act; none on the pages that say more about them.
    let failedReleases: [FailedReleaseLine]
    let hasMoreFailedReleases: Bool
    /// Failed background tasks, for people who can retry them; failed mails, disabled webhooks and a failing classifier, for
    /// administrators.
    let failures: [FailureLine]
    /// How many forms have text that is not saved; nil for none.
    let unfinished: Int?
    /// The forms of the page whose text is saved while somebody types.
    let autosaves: [Autosaved]
    /// The bytes of a form's text that are saved.
    let autosaveLimit = AutosaveStore.maxBytes

    /// `type`: the content type of the entry that the page is about.
    init(_ request: AdminRequest, title: String, type: String? = nil) {
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
        let failed = Self.failedReleases(request)
        let path = request.request.path
        let elsewhere = path == AdminURL.releases() ? [] : failed.filter { $0.url != path }
        failedReleases = Array(elsewhere.prefix(Self.shownFailedReleases))
        hasMoreFailedReleases = elsewhere.count > Self.shownFailedReleases
        failures = Self.failures(request)
        navigation = request.navigation(type: type)
        notifications = request.session.map {
            Notifications(
                $0, failedReleases: failed.count, failedTasks: request.failedTasks, mayOpen: request.mayOpen)
        }
    }

    /// In the banner; the others are in the list of releases.
    private static let shownFailedReleases = 3

    private static func failedReleases(_ request: AdminRequest) -> [FailedReleaseLine] {
        guard let session = request.session, session.role.may(.createRelease) else { return [] }
        return session.failedReleases.map { release in
            let url = AdminURL.release(release.number)
            let mayPublish = session.role.may(.publish) && release.isWhole
            return FailedReleaseLine(
                label: "\(release.number) \(release.title)", url: url, cause: release.cause,
                fix: release.entry.map { EntryURL.of($0, release.entryKind) },
                reschedule: mayPublish ? url + "#schedule" : nil, retry: mayPublish ? url + "#go" : nil)
        }
    }

    private static func failures(_ request: AdminRequest) -> [FailureLine] {
        guard let session = request.session, let counts = session.counts else { return [] }
        func text(_ number: Int) -> String { CountText.text(number, limit: FrameCounts.limit) }
        func failed(_ kind: BackgroundTaskKind) -> String {
            AdminURL.tasks(query: ["kind": kind.rawValue, "state": BackgroundTaskState.failed.rawValue])
        }
        var found: [FailureLine] = []
        if counts.failedTasks > 0, session.role.may(BackgroundTaskKind.task.retryPermission) {
            found.append(
                FailureLine(
                    text: tr("Failed background tasks: \(text(counts.failedTasks)). Their work was not done."),
                    action: tr("Show failed tasks"), url: failed(.task)))
        }
        if counts.failedMails > 0, session.role.may(BackgroundTaskKind.mail.retryPermission) {
            found.append(
                FailureLine(
                    text: tr("Failed mails: \(text(counts.failedMails)). Their recipients were not notified."),
                    action: tr("Show failed mails"), url: failed(.mail)))
        }
        if counts.disabledWebhooks > 0, session.role.may(.administer) {
            found.append(
                FailureLine(
                    text: tr("Disabled webhooks: \(text(counts.disabledWebhooks)). They receive no events."),
                    action: tr("Show webhooks"), url: AdminURL.webhooks()))
        }
        if counts.isClassifierFailing, request.services.classifier != nil, session.role.may(.administer) {
            found.append(
                FailureLine(
                    text: tr("The external classifier doesn't respond, so new submissions have no score from it."),
                    action: tr("Show external classifier"), url: AdminURL.screening()))
        }
        return found.filter { request.mayOpen($0.url) }
    }

    fileprivate static func source(_ request: AdminRequest, type: String?) -> Navigation.Source {
        Navigation.Source(
            path: request.request.path, type: type ?? request.query.first("type"),
            closed: request.request.cookie(Navigation.cookie) ?? "", actor: request.actor,
            counts: request.session?.counts,
            missingTexts: request.missingTexts.filter(\.isOffered).map(\.count).reduce(0, +),
            failedTasks: request.failedTasks, types: request.context.rules.types.all,
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
    /// Nil without a session. `type`: the content type of the entry that the page is about.
    func navigation(type: String? = nil) -> Navigation? {
        session.map { _ in Navigation(PageContext.source(self, type: type)) }
    }
}
