// The dependencies of the admin pages, created once by the composition root.
import Accounts
import Domain
import HTTP
import Library
import Mail
import Markup
import Platform
import Store
import Webhooks

package struct AdminContext: Sendable {
    package let database: Database
    package let rules: ContentRules
    package let templates: TemplateSet
    package let statics: StaticFiles
    package let log: Logger
    /// Shown on every page (B63).
    package let environment: String
    /// Scheme, host and port at which browsers reach the pages.
    package let publicURL: String
    package let claimMinutes: Int
    /// Whether opening a submission claims it.
    package let claimsOnOpen: Bool
    /// The target for the longest wait of a submission, in hours.
    package let targetHours: Int
    package let sessionIdleMinutes: Int
    package let sessionHours: Int
    package let attemptsPerAccount: Int
    package let attemptsPerIP: Int
    package let webhooks: WebhookRules
    package let library: MediaLibrary
    package let catalogs: CatalogServices
    package let mail: MailRules
    package let secondFactor: SecondFactorRules
    /// Creates and opens the status links of submissions; nil while its key is unusable.
    package let statusKey: LinkKey?
    package let statusDays: Int
    package let undoWindowMinutes: Int
    package let publishDelaySeconds: Int
    package let assignedOnly: Bool

    package init(
        database: Database, rules: ContentRules, templates: TemplateSet, statics: StaticFiles, log: Logger,
        environment: String, publicURL: String, claimMinutes: Int = 10, claimsOnOpen: Bool = false,
        targetHours: Int = 24,
        sessionIdleMinutes: Int = 30,
        sessionHours: Int = 12, attemptsPerAccount: Int = 10, attemptsPerIP: Int = 50, webhooks: WebhookRules,
        library: MediaLibrary, catalogs: CatalogServices, mail: MailRules, secondFactor: SecondFactorRules,
        statusKey: LinkKey? = nil, statusDays: Int = 365, undoWindowMinutes: Int = 10,
        publishDelaySeconds: Int = 0, assignedOnly: Bool = false
    ) {
        self.database = database
        self.rules = rules
        self.templates = templates
        self.statics = statics
        self.log = log
        self.environment = environment
        self.publicURL = publicURL
        self.claimMinutes = claimMinutes
        self.claimsOnOpen = claimsOnOpen
        self.targetHours = targetHours
        self.sessionIdleMinutes = sessionIdleMinutes
        self.sessionHours = sessionHours
        self.attemptsPerAccount = attemptsPerAccount
        self.attemptsPerIP = attemptsPerIP
        self.webhooks = webhooks
        self.library = library
        self.catalogs = catalogs
        self.mail = mail
        self.secondFactor = secondFactor
        self.statusKey = statusKey
        self.statusDays = statusDays
        self.undoWindowMinutes = undoWindowMinutes
        self.publishDelaySeconds = publishDelaySeconds
        self.assignedOnly = assignedOnly
    }
}
