// Creates the loops of a daemon, each with a client of its own for requests to other servers.
import Domain
import EventLoop
import Fetch
import Operations
import Platform
import Store
import Tasks

extension ExternalImageLoop {
    convenience init(
        _ database: Database, _ content: ContentRules, _ library: MediaLibrary, _ rules: ExternalImageRules,
        _ log: Logger, loop: EventLoop
    ) {
        self.init(
            database: database,
            fetch: FetchExternalImages(
                database: database, library: library, rules: rules, content: content,
                client: FetchClient(policy: rules.policy, threads: 4), log: log),
            log: log, loop: loop)
    }
}

extension Worker {
    convenience init(
        _ services: Services, _ content: ContentRules, _ settings: Settings, _ finished: FinishedTasks, _ log: Logger,
        pollMilliseconds: Int, loop: EventLoop
    ) {
        let table = TaskTable(
            publicURL: settings.publicURL, review: services.reviewPolicy, rules: content,
            packs: services.database.packs, isClassified: services.classifier != nil, finished: finished)
        self.init(services: services, table: table, log: log, pollMilliseconds: pollMilliseconds, loop: loop)
    }
}

extension OutboxDispatcher {
    convenience init(
        _ database: Database, _ mail: MailRules, _ webhooks: WebhookRules, _ finished: FinishedTasks, _ log: Logger,
        pollMilliseconds: Int, loop: EventLoop
    ) {
        let mails = FetchClient(policy: FetchPolicy(), threads: SendOutbox.concurrency)
        let deliveries = FetchClient(policy: webhooks.policy, threads: Self.webhooks * SendOutbox.concurrency)
        self.init(
            database: database,
            send: SendOutbox(
                database: database, mail: SendMail(database: database, rules: mail, client: mails),
                webhooks: SendWebhookDelivery(database: database, rules: webhooks, client: deliveries, log: log),
                finished: finished, log: log),
            log: log, pollMilliseconds: pollMilliseconds, loop: loop)
    }
}

extension PackSet {
    /// What packs bring for endpoints.
    func services(_ settings: Settings) throws -> PackServices {
        PackServices(try parts(PackDaemon.self).flatMap { try $0.configured(settings) })
    }
}
