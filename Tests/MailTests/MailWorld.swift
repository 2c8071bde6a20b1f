// A database with mail recipients and a mail server that may be unreachable.
import Domain
import EventLoop
import Fetch
import Operations
import Platform
import Postgres
import Store
import Tasks
import TestSupport
import Testing

struct MailWorld: World {
    let test: TestDatabase
    let operatorActor = TestDatabase.administrator
    let finished = FinishedTasks()

    static func make() async throws -> MailWorld { MailWorld(test: try await TestDatabase.make()) }

    var database: Database { test.database }

    func invite(
        _ email: String, name: String = "Ann Example", role: Role = .editor, locale: String = "en"
    ) async throws -> ID<Account> {
        try await test.services.invitePerson(
            email: email, name: name, role: role, locale: locale, by: operatorActor)
    }

    func mails(_ state: MailState? = nil) async throws -> [MailRow] {
        var mails: [MailRow] = []
        for task in try await database.backgroundTasks.page(kind: .mail, state: nil, limit: 100).items {
            if let mail = try await database.mails.find(ID(task.id)), state == nil || mail.state == state {
                mails.append(mail)
            }
        }
        return mails
    }

    /// Sends through a server at this URL: by default one that refuses connections.
    func send(url: String = "smtp://127.0.0.1:1", _ more: [String: String] = [:], attempts: Int = 76) async throws {
        var environment = [
            "VITRINE_MAIL_URL": url, "VITRINE_MAIL_FROM": "no-reply@example.org", "VITRINE_MAIL_PLAIN": "true",
        ]
        environment.merge(more) { $1 }
        let rules = try MailRules(try Settings.load(environment: environment))
        let send = SendMail(
            database: database, rules: rules, client: FetchClient(policy: FetchPolicy(), threads: 1),
            retries: RetrySchedule(first: 5, growth: 4, longest: 3600, attempts: attempts))
        try await SendOutbox(
            database: database, mail: send, webhooks: nil, finished: finished, log: Logger(level: .error))(.mail)
    }

    /// What the sender does when it makes a link, without the sending.
    func link(of mail: MailRow, minutes: Int = 60) async throws -> Token? {
        let token = Token.make()
        let isMade = try await database.work(as: operatorActor) {
            try await $0.mails.createLink(of: mail.id, tokenHash: token.hash, minutes: minutes)
        }
        return isMade ? token : nil
    }

    /// Runs jobs until no more wait.
    func runTasks() async throws {
        for _ in 0..<50 {
            guard let task = try await database.tasks.claim() else { return }
            let table = TaskTable(
                publicURL: "https://vitrine.example.org", review: test.services.reviewPolicy, rules: nil,
                packs: TestDatabase.packs)
            try await database.work(as: Actor(kind: .system, name: "schedule")) { transaction in
                try await table.run(task.kind, task.payload, transaction)
                try await transaction.tasks.finish(task.id)
            }
        }
    }

    func text(_ key: String) async throws -> ID<Entry> {
        try await test.client.one("select id from api_v1.text where key = \(key) limit 1")("id")
    }

    func unpublish(_ key: String) async throws {
        try await unpublish(try await text(key))
    }

    /// Publishes a text with these values by language.
    func rewrite(_ key: String, _ values: [(String, String)]) async throws {
        let rows: [JSONValue] = values.map { .object(["locale": .string($0.0), "value": .string($0.1)]) }
        try await edit(try await text(key), ["values": .array(rows)])
    }
}
