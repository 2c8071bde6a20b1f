// Every action of the product with its policies, built once per process: the daemon, a command, a test. Pages, endpoints
// and commands take actions from here and never build one, so that a setting can't mean something else at one of them.
import Domain
import Platform
import Store

package struct Services: Sendable {
    package let database: Database
    package let content: ContentRules
    package let library: MediaLibrary
    package var reviewPolicy: ReviewPolicy
    /// Shared by all interfaces of the process: their approvals wait for the same lock.
    package let gatherApprovals: GatherApprovals
    package var signInPolicy: SignInPolicy
    /// Whether a submission may come without a contributor (A15).
    package var allowsAnonymous: Bool
    /// How often a network may send submission forms within 15 minutes.
    package var formsPerNetwork: Int
    /// What happens to what blocked contributors send.
    package var blocked: Settings.Intake.Blocked
    /// The external classifier; nil if none is configured.
    package var classifier: Settings.Classifier?
    package let quotas: Quotas

    package init(database: Database, content: ContentRules, library: MediaLibrary, settings: Settings) {
        self.database = database
        self.content = content
        self.library = library
        reviewPolicy = ReviewPolicy(settings)
        gatherApprovals = GatherApprovals(database: database)
        signInPolicy = SignInPolicy(settings)
        allowsAnonymous = settings.intake.isAnonymousAllowed
        formsPerNetwork = settings.intake.formsPerNetwork
        blocked = settings.intake.blocked
        classifier = settings.classifier
        quotas = Quotas(settings.limits)
    }
}
