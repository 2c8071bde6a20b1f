// The dependencies of the admin pages, created once by the composition root.
import Domain
import HTTP
import Operations
import Platform
import Store

package struct AdminContext: Sendable {
    package let services: Services
    let languages: PageLanguages
    package let statics: StaticFiles
    package let log: Logger
    /// Shown on every page (B63).
    package let environment: String
    /// Scheme, host and port at which browsers reach the pages.
    package let publicURL: String
    package let webhooks: WebhookRules
    package let packServices: PackServices
    package let mail: MailRules
    package let secondFactor: SecondFactorRules
    /// The URL of an item on the site that readers use; contains `{slug}` or `{id}`. Nil without such a site.
    let itemURL: String?
    /// Nil without maps.
    let maps: Settings.Maps?
    /// Creates and opens the status links of submissions; nil while its key is unusable.
    package let statusKey: LinkKey?
    /// Signs the proofs that somebody was signed in; nil while the key is unusable.
    let proofKey: LinkKey?

    let decisionDays = DecisionDays()
    let missingTexts = MissingTextCounts()
    let formPosts = FormPosts()

    /// The endpoints of pages by their pattern, which for those without parameters is the path.
    var pages: [String: AdminEndpoint] = [:]

    var catalog: (any EntryCatalog)? { packServices.find((any EntryCatalog).self) }
    var database: Database { services.database }
    package var rules: ContentRules { services.content }
    var library: MediaLibrary { services.library }

    package init(
        services: Services, languages: PageLanguages, statics: StaticFiles, log: Logger,
        environment: String, publicURL: String, webhooks: WebhookRules, packServices: PackServices = .none,
        mail: MailRules,
        secondFactor: SecondFactorRules, statusKey: LinkKey?, itemURL: String? = nil, maps: Settings.Maps? = nil
    ) {
        self.services = services
        self.languages = languages
        self.statics = statics
        self.log = log
        self.environment = environment
        self.publicURL = publicURL
        self.webhooks = webhooks
        self.packServices = packServices
        self.mail = mail
        self.secondFactor = secondFactor
        self.statusKey = statusKey
        proofKey = webhooks.linkKey("sign-in proof")
        self.itemURL = itemURL
        self.maps = maps
    }
}
