// The dependencies of the API.
import Domain
import Operations
import Platform
import Store

package struct APIContext: Sendable {
    /// Nil in a process that serves the delivery API only.
    package let services: Services?
    package let reads: ReadDatabase
    package let rules: ContentRules
    package let log: Logger
    /// Scheme, host and port, without a trailing slash.
    package let publicURL: String
    /// `test` is sent with every response (B63).
    package let environment: String
    /// Submissions per minute and client; 0 means no limit. Counted in memory, per daemon (S47).
    package let submissionsPerMinute: Int
    /// The same for reports, per client and per network.
    package let reportsPerMinute: (client: Int, network: Int)
    /// How long an authenticated client is cached: a revoked client keeps access for at most this long.
    package let clientTrust: Duration
    package let library: MediaLibrary
    package let packServices: PackServices
    /// Creates the links to status pages of submissions; nil while its key is unusable.
    package let statusKey: LinkKey?
    package let delivery: DeliveryRules
    package let examples: APIExamples
    package let schemas: ResponseSchemas
    /// Those of the services, if there are any.
    package let quotas: Quotas
    package let clock: MonotonicClock

    package init(
        services: Services?, reads: ReadDatabase, rules: ContentRules, log: Logger, publicURL: String,
        environment: String, submissionsPerMinute: Int,
        reportsPerMinute: (client: Int, network: Int) = (0, 0), clientTrust: Duration = .seconds(5),
        library: MediaLibrary, packServices: PackServices = .none, statusKey: LinkKey? = nil,
        delivery: DeliveryRules = DeliveryRules(),
        examples: APIExamples = .none, schemas: ResponseSchemas = .none, quotas: Quotas? = nil,
        clock: MonotonicClock = .system
    ) {
        self.services = services
        self.reads = reads
        self.rules = rules
        self.log = log
        self.publicURL = publicURL.hasSuffix("/") ? String(publicURL.dropLast()) : publicURL
        self.environment = environment
        self.submissionsPerMinute = submissionsPerMinute
        self.reportsPerMinute = reportsPerMinute
        self.clientTrust = clientTrust
        self.library = library
        self.packServices = packServices
        self.statusKey = statusKey
        self.delivery = delivery
        self.examples = examples
        self.schemas = schemas
        self.clock = clock
        self.quotas = quotas ?? services?.quotas ?? Quotas()
    }
}
