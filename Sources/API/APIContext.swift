// What the API needs from the rest of the house.
import Domain
import Library
import Platform
import Store

package struct APIContext: Sendable {
    /// Nil where the API only delivers: then nothing is sent in, and nothing is decided.
    package let database: Database?
    package let reads: ReadDatabase
    package let rules: ContentRules
    package let log: Logger
    /// Scheme, host and port, without a slash at the end.
    package let publicURL: String
    /// `test` is told with every answer (B63).
    package let environment: String
    /// Submissions a minute that one client may send; 0 is any number. Counted in memory, per daemon (S47).
    package let submissionsPerMinute: Int
    /// Whether a submission may come without a contributor (A15).
    package let allowsAnonymous: Bool
    /// How long a client that was let in is known without asking again: a revoked one may come in so much longer.
    package let clientTrust: Duration
    package let library: MediaLibrary
    /// The names of the catalogs that there are; nil takes any name.
    package let catalogs: Set<String>?
    /// Makes the links to the status pages of submissions; nil while its key is unusable.
    package let statusKey: LinkKey?
    package let delivery: DeliveryRules
    package let examples: APIExamples
    package let answers: ResponseSchemas

    package init(
        database: Database?, reads: ReadDatabase, rules: ContentRules, log: Logger, publicURL: String,
        environment: String, submissionsPerMinute: Int, allowsAnonymous: Bool, clientTrust: Duration = .seconds(5),
        library: MediaLibrary, catalogs: Set<String>? = nil, statusKey: LinkKey? = nil,
        delivery: DeliveryRules = DeliveryRules(),
        examples: APIExamples = .none, answers: ResponseSchemas = .none
    ) {
        self.database = database
        self.reads = reads
        self.rules = rules
        self.log = log
        self.publicURL = publicURL.hasSuffix("/") ? String(publicURL.dropLast()) : publicURL
        self.environment = environment
        self.submissionsPerMinute = submissionsPerMinute
        self.allowsAnonymous = allowsAnonymous
        self.clientTrust = clientTrust
        self.library = library
        self.catalogs = catalogs
        self.statusKey = statusKey
        self.delivery = delivery
        self.examples = examples
        self.answers = answers
    }
}
