// The admin pages on a test database, with helpers for accounts, feeds, categories and submissions.
import Accounts
@testable import Admin
import Catalogs
import Domain
import Editorial
import FoundationEssentials
import HTTP
import Intake
import Mail
import Markup
import Platform
import Services
import Store
import TestSupport
import Fetch
import Webhooks

extension AdminSite {
    /// The endpoints whose paths start with one of these segments.
    static func endpoints(below segments: Set<String>) -> [AdminEndpoint] {
        endpoints(TestDatabase.packs).filter { endpoint in
            endpoint.pattern.split(separator: "/").first.map { segments.contains(String($0)) } ?? false
        }
    }
}

struct AdminFixture: Sendable {
    static let password = "nine velvet otters sing"

    /// Encrypts secrets; the key of status links is derived from it.
    static let box = SecretBox(key: [UInt8](repeating: 9, count: 32))
    static let statusKey = box?.linkKey("status")

    let test: TestDatabase
    let site: AdminSite
    let client: Actor

    /// `settings`: environment variables, such as `VITRINE_REVIEW_ASSIGNED_ONLY`. `sources`: the catalog sources; none by
    /// default. `rules`: the content rules, if not those of the product.
    static func make(
        settings: [String: String] = [:], secondFactorRoles: [String] = [],
        sources: Settings.Catalogs = Settings.Catalogs(sources: [:], fresh: .seconds(3600)),
        rules: ContentRules? = nil
    ) async throws -> AdminFixture {
        let test = try await TestDatabase.make()
        let root = TestDatabase.packageRoot
        let catalogs = try CatalogRules(
            sources, kinds: try CatalogKinds(folder: root + "/Config/catalogs"))
        let catalogSearch = SearchCatalog(
            database: test.database, rules: catalogs, client: FetchClient(policy: catalogs.policy, threads: 1),
            log: Logger(level: .error))
        let loaded = try Settings.load(environment: settings)
        let services = Services(
            database: test.database, content: rules ?? test.rules, library: test.library, settings: loaded)
        let context = AdminContext(
            services: services, templates: try TemplateSet(directory: root + "/Templates", urls: AdminURL.patterns),
            messages: nil,
            statics: try StaticFiles(directory: root + "/Templates/static"), log: Logger(level: .error),
            environment: "test", publicURL: "https://\(Browser.host)",
            webhooks: WebhookRules(
                policy: FetchPolicy(),
                key: SecretBoxKey(given: Secret(Base64.encode([UInt8](repeating: 7, count: 32))), path: "/nowhere")),
            catalogs: CatalogServices(rules: catalogs, search: catalogSearch), mail: try MailRules(loaded),
            secondFactor: try SecondFactorRules(
                box: box?.box(for: SecondFactorRules.purpose), roles: secondFactorRoles,
                publicURL: "https://\(Browser.host)"),
            statusKey: statusKey)
        return AdminFixture(test: test, site: AdminSite(context: context), client: try await test.clientActor())
    }

    var stranger: Browser { Browser(site: site, loop: test.loop) }

    /// Creates an account with an email address and the password above.
    func account(_ email: String, _ role: Role = .curator) async throws -> ID<Account> {
        try await ManageAccount(database: test.database).create(
            email: email, name: "Ann Example", role: role, password: Self.password, by: TestDatabase.administrator)
    }

    /// The browser of a signed-in person.
    func browser(_ role: Role, name: String = "Someone") async throws -> Browser {
        let actor = try await test.actor(role, name: name)
        let token = Token.make()
        guard let id = actor.id else { throw Failure.missing("account") }
        let account = ID<Account>(id)
        try await test.database.transaction(by: actor, AuditEvent("session.create", on: "session")) { transaction in
            try await transaction.sessions.add(
                tokenHash: token.hash, account: account, csrf: Token.make().text, remoteAddress: "192.0.2.7",
                userAgent: "test",
                hours: 1)
        }
        let browser = stranger
        browser.cookies["__Host-vitrine_session"] = token.text
        return browser
    }

    func feed(_ title: String = "City guides", isOpen: Bool = true) async throws -> ID<Entry> {
        try await WriteEntry(database: test.database, rules: test.rules).create(
            type: "feed", fields: ["title": .string(title), "tier": "free", "publish_on_approval": .bool(isOpen)],
            publishTiming: .now, by: TestDatabase.administrator
        ).entry
    }

    func category(_ title: String) async throws -> ID<Entry> {
        try await WriteEntry(database: test.database, rules: test.rules).create(
            type: "category", fields: ["title": .string(title), "group": "00000000-0000-7000-8000-000000000012"],
            publishTiming: .now, by: TestDatabase.administrator
        ).entry
    }

    @discardableResult
    func submit(
        _ title: String = "Ten cafés", type: String = "article", category: String? = nil,
        contributor: String = "user-1", email: String? = nil, fields: [String: JSONValue] = [:],
        by client: Actor? = nil
    ) async throws -> ID<Submission> {
        var all: [String: JSONValue] = ["title": .string(title), "body": "<p>Hello <b>world</b></p>"]
        if type == "video" { all["hls_url"] = "https://media.example/film-1.m3u8" }
        all.merge(fields) { $1 }
        let receive = ReceiveSubmission(database: test.database, rules: test.rules, allowsAnonymous: false)
        return try await receive(
            SubmissionDraft(
                type: type, contributor: contributor, contributorEmail: email, category: category, fields: all),
            by: client ?? self.client
        ).id
    }

    func state(_ id: ID<Submission>) async throws -> SubmissionState? {
        try await test.database.submissions.find(id)?.state
    }

    func rows(_ table: String) async throws -> Int {
        try await test.client.one("select count(*) as n from api_v1.\(raw: table)")("n")
    }
}
