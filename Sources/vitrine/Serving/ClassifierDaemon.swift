// What a daemon runs for the external classifier: the loop that asks it, and its metrics.
import EventLoop
import Operations
import Platform
import Tasks

struct ClassifierDaemon: Sendable {
    let loop: ClassifierLoop
    let metrics: ClassifierMetrics

    /// Nil if none is configured. Throws `ConfigurationError`.
    init?(_ services: Services, _ settings: Settings, _ log: Logger, pollMilliseconds: Int, loop: EventLoop) throws {
        guard let rules = try ClassifierRules(settings) else { return nil }
        let database = services.database
        metrics = ClassifierMetrics(database: database, limits: rules.limits, log: log)
        self.loop = ClassifierLoop(
            database: database,
            classify: ClassifySubmissions(
                database: database, content: services.content, rules: rules, client: rules.client(),
                counts: metrics.counts, log: log),
            log: log, pollMilliseconds: pollMilliseconds, loop: loop)
    }
}
