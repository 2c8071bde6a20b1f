// The admin pages on a test database, with helpers for accounts, feeds, categories and submissions.
@testable import Admin
import Domain
import Fetch
import FoundationEssentials
import HTTP
import Lists
import Localization
import Markup
import Operations
import Packs
import Platform
import Store
import TestSupport

extension AdminSite {
    /// The endpoints whose paths start with one of these segments.
    static func endpoints(
        below segments: Set<String>, of packs: PackSet = TestDatabase.packs
    ) -> [AdminEndpoint] {
        endpoints(packs).filter { endpoint in
            endpoint.pattern.split(separator: "/").first.map { segments.contains(String($0)) } ?? false
        }
    }
}

struct AdminFixture: World {
    static let password = "nine velvet otters sing"

    /// Encrypts secrets; the key of status links is derived from it.
    static let box = SecretBox(key: [UInt8](repeating: 9, count: 32))
    static let statusKey = box?.linkKey("status")

    // Reading the templates takes half a second, so it is done once.
    private static let templates = Result { try pages(in: nil) }
    private static let statics = Result { try StaticFiles(directory: TestDatabase.packageRoot + "/Templates/static") }
    private static let kinds = Result { try CatalogKinds(folder: TestDatabase.packageRoot + "/Config/catalogs") }

    let test: TestDatabase
    let site: AdminSite
    let context: AdminContext
    let client: Actor

    private static func pages(in messages: MessageCatalog?) throws -> PageLanguages.Language {
        let templates = try TemplateSet(
            directory: TestDatabase.packageRoot + "/Templates", packs: RegisteredPacks.all.map(\.name),
            urls: AdminSite.urls(of: RegisteredPacks.all), catalog: messages)
        return PageLanguages.Language(messages: messages, templates: templates)
    }

    /// `settings`: environment variables, such as `VITRINE_REVIEW_ASSIGNED_ONLY`. `sources`: the catalog sources; none by
    /// default. `rules`: the content rules, if not those of the product. `language`: of pages of the team, if not
    /// English; `translations`: of pages of contributors. `existing`: the database of another site.
    static func make(
        settings: [String: String] = [:], secondFactorRoles: [String] = [],
        sources: Settings.Catalogs = Settings.Catalogs(sources: [:], fresh: .seconds(3600)),
        rules: ContentRules? = nil, language: MessageCatalog? = nil, translations: [MessageCatalog] = [],
        environment: String = "test", on existing: TestDatabase? = nil
    ) async throws -> AdminFixture {
        var test = existing
        if test == nil { test = try await TestDatabase.make() }
        guard let test else { throw Failure.missing("database") }
        let catalogs = try CatalogRules(sources, kinds: try kinds.get())
        let catalogSearch = SearchCatalog(
            database: test.database, rules: catalogs, client: FetchClient(policy: catalogs.policy, threads: 1),
            log: Logger(level: .error))
        let loaded = try Settings.load(environment: settings)
        let services = Services(
            database: test.database, content: rules ?? test.rules, library: test.library, settings: loaded)
        let context = AdminContext(
            services: services,
            languages: PageLanguages(
                try language.map { try pages(in: $0) } ?? templates.get(),
                others: try translations.map { try pages(in: $0) }),
            statics: try statics.get(), log: Logger(level: .error),
            environment: environment, publicURL: "https://\(Browser.host)",
            webhooks: WebhookRules(
                policy: FetchPolicy(),
                key: SecretBoxKey(given: Secret(Base64.encode([UInt8](repeating: 7, count: 32))), path: "/nowhere")),
            packServices: PackServices(
                test.database.packs.contains("lists")
                    ? [CatalogServices(rules: catalogs, search: catalogSearch)] : []),
            mail: try MailRules(loaded),
            secondFactor: try SecondFactorRules(
                box: box?.box(for: SecondFactorRules.purpose), roles: secondFactorRoles,
                publicURL: "https://\(Browser.host)"),
            statusKey: statusKey, itemURL: loaded.delivery.itemURL)
        return AdminFixture(
            test: test, site: AdminSite(context: context), context: context, client: try await test.clientActor())
    }

    /// A fixture with the defaults, and the browser of somebody who is signed in there.
    static func visited(by role: Role?, name: String = "Someone") async throws -> (AdminFixture, Browser) {
        let fixture = try await make()
        return (fixture, try await fixture.browser(role, name: name))
    }

    var stranger: Browser { Browser(site: site, loop: test.loop) }

    /// Creates an account with an email address and the password above.
    func account(_ email: String, _ role: Role = .curator) async throws -> ID<Account> {
        try await test.services.manageAccount.create(
            email: email, name: "Ann Example", role: role, password: Self.password, by: TestDatabase.administrator)
    }

    /// The browser of a signed-in person; anonymous without a role.
    func browser(_ role: Role?, name: String = "Someone") async throws -> Browser {
        guard let role else { return stranger }
        return browser(of: try await test.actor(role, name: name, from: "192.0.2.7"))
    }

    func browser(of actor: Actor) -> Browser {
        let browser = stranger
        browser.cookies["__Host-vitrine_session"] = actor.credential.map { Base64.encode($0.bytes, .url) }
        return browser
    }

    func feed(_ title: String = "City guides", isOpen: Bool = true) async throws -> ID<Entry> {
        try await publish("feed", title, ["publish_on_approval": .bool(isOpen)])
    }

    /// As the client of the fixture.
    @discardableResult
    func submit(
        _ title: String = "Ten cafés", type: String = "article", category: String? = nil,
        contributor: String = "user-1", email: String? = nil, fields: [String: JSONValue] = [:]
    ) async throws -> ID<Submission> {
        try await submit(
            title, type: type, category: category, contributor: contributor, email: email, fields: fields, by: client)
    }
}
