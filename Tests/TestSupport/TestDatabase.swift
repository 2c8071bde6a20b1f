// Gives a suite its own migrated and seeded database, cloned from a template in tens of milliseconds.
import Domain
import EventLoop
import FoundationEssentials
import Operations
import Packs
import Platform
import Postgres
import Store
import Synchronization
import TestBasics

package final class TestDatabase: Sendable {
    package let name: String
    package let url: String
    package let loop: EventLoop
    package let database: Database
    /// Has all rights: for what tests prepare and look up.
    package let client: PostgresClient
    /// As requests are served.
    package let daemon: PostgresClient
    /// These connect when they are first needed.
    package var guest: PostgresClient { started(readers[0]) }
    package var reader: PostgresClient { started(readers[1]) }
    package var delivery: PostgresClient { started(readers[2]) }
    private let readers: [PostgresClient]
    package let rules: ContentRules
    /// With a folder of its own.
    package let library: MediaLibrary
    /// The actions with the default settings.
    package let services: Services
    private let folder: String

    package static let roles = Roles(prefix: "vitrine")
    private static let lastNumber = Atomic<Int>(0)
    private static let template = Mutex<Task<String, any Error>?>(nil)

    /// The folder of the package, found from this file.
    package static let packageRoot = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

    package static let allPacks = PackSet(RegisteredPacks.all)

    /// All packs, or those that the environment variable `VITRINE_TEST_PACKS` names: none when it is empty.
    package static let packs: PackSet = {
        guard let names = ProcessInfo.processInfo.environment["VITRINE_TEST_PACKS"] else { return allPacks }
        return PackSet(RegisteredPacks.all.filter { names.split(separator: " ").contains($0.name[...]) })
    }()

    private static let standardTypes = Result {
        try ContentTypes(folder: packageRoot + "/Config/content-types", packs: packs)
    }

    /// The content types of `Config/content-types`, with the product's sanitizer.
    package static func standardRules() throws -> ContentRules { ContentRules(types: try standardTypes.get()) }

    /// The same, but articles require a change note.
    package static func rulesWithRequiredNote() throws -> ContentRules {
        var files = try typeFiles()
        files["article"] = files["article"]?.replacing(
            #""four_eyes": false,"#, with: #""four_eyes": false, "require_note": true,"#)
        return try rules(files)
    }

    /// The same, but articles name related ones.
    package static func rulesWithRelatedArticles() throws -> ContentRules {
        var files = try typeFiles()
        let related = #""name": "related", "label": "L", "type": "references", "help": "h", "targets": ["article"]"#
        let locale = #""name": "locale","#
        files["article"] = files["article"]?.replacing(locale, with: "\(related) }, { \(locale)")
        return try rules(files)
    }

    /// The same, but a type doesn't declare one of its fields.
    package static func rules(without field: String, of type: String) throws -> ContentRules {
        try rules(of: type) { members in
            members["fields"] = .array(
                (members["fields"]?.arrayValue ?? []).filter { $0["name"]?.stringValue != field })
        }
    }

    /// The same with a changed file of a type.
    package static func rules(
        of type: String, changed change: (inout [String: JSONValue]) -> Void
    ) throws -> ContentRules {
        var files = try typeFiles()
        var members = try JSONValue(parsing: Array((files[type] ?? "").utf8)).objectValue ?? [:]
        change(&members)
        files[type] = JSONValue.object(members).canonicalText
        return try rules(files)
    }

    /// The same with types that a deployment might have: routes and lists have a description; stands are of the
    /// kind "other" and have the fields of a place.
    package static func rulesWithOtherTypes() throws -> ContentRules {
        var files = try typeFiles()
        files["route"] = files["route"]?.replacing(#""name": "summary""#, with: #""name": "description""#)
        files["list"] = files["list"]?.replacing(#""name": "about""#, with: #""name": "description""#)
        files["stand"] = files["place"]?.replacing(#""name": "place""#, with: #""name": "stand""#)
            .replacing(#""kind": "place""#, with: #""kind": "other""#)
        return try rules(files)
    }

    /// The texts of the content types by their names.
    private static func typeFiles() throws -> [String: String] {
        let folder = packageRoot + "/Config/content-types"
        let folders = [folder] + packs.names.map { "\(folder)/\($0)" }
        return try folders.reduce(into: [:]) { files, folder in
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".json") {
                let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
                files[String(name.dropLast(".json".count))] = String(decoding: bytes, as: UTF8.self)
            }
        }
    }

    private static func rules(_ files: [String: String]) throws -> ContentRules {
        ContentRules(
            types: try ContentTypes(
                files: files.map { (name: $0.key + ".json", bytes: Array($0.value.utf8)) }, kinds: packs.kinds))
    }

    /// - Parameter lockTimeout: how long its clients wait for a lock; short in tests of what happens then.
    package static func make(lockTimeout: Duration = .seconds(60)) async throws -> TestDatabase {
        try await make(copying: try await templateName(), lockTimeout: lockTimeout)
    }

    static func make(copying template: String, lockTimeout: Duration = .seconds(60)) async throws -> TestDatabase {
        let name = "vitrine_\(lastNumber.wrappingAdd(1, ordering: .relaxed).newValue)"
        try await TestCluster.shared.createDatabase(named: name, template: template)
        let database = try TestDatabase(
            name: name, url: try await TestCluster.shared.url(database: name), lockTimeout: lockTimeout)
        DatabaseShelf.current?.add(database)
        return database
    }

    /// The same database as another daemon uses it: with clients of its own.
    package func anotherDaemon() throws -> TestDatabase {
        let other = try TestDatabase(name: name, url: url, lockTimeout: .seconds(60))
        DatabaseShelf.current?.add(other)
        return other
    }

    /// Closes its connections and drops it; the trait `.databases` calls this when the test ends.
    func remove() async {
        await close()
        try? await TestCluster.shared.dropDatabase(name)
    }

    func close() async {
        await database.close()
        for client in [client] + readers { await client.close() }
        loop.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// The helper is next to the test program.
    package static func imageProcessor(_ limits: ImageLimits = ImageLimits()) -> ImageProcessor {
        ImageProcessor(path: ProgramLocation.current.programDirectory + "/" + ImageProcessor.program, limits: limits)
    }

    /// An actor with all permissions.
    package static let administrator = Actor(kind: .operator, name: "operator")

    private init(name: String, url: String, lockTimeout: Duration) throws {
        guard let roles = Self.roles else { throw Failure.missing("roles") }
        self.name = name
        self.url = url
        rules = try Self.standardRules()
        folder = FileManager.default.temporaryDirectory.path + "/vitrine-media-\(UUIDv7.make())"
        library = MediaLibrary(
            processor: Self.imageProcessor(), files: MediaFolder(path: folder), baseURL: "https://media.example.org/")
        // As a daemon does when it starts.
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        loop = EventLoop(name: "test")
        loop.start()
        client = Self.client(url, role: nil, pool: 4, loop)
        let daemon = Self.client(url, role: roles.daemon, pool: 16, loop, lockTimeout)
        self.daemon = daemon
        let loop = loop
        readers = [roles.guest, roles.reader, roles.delivery].map { Self.client(url, role: $0, pool: 1, loop) }
        // As in a deployment with one login. A new connection takes longer than most tests: it has no plans.
        database = Database(
            client: daemon,
            others: Dictionary(
                uniqueKeysWithValues: [Actor.Authority.signIn, .schedule, .operator].map {
                    ($0, daemon.acting(as: roles.name(of: $0), most: 4))
                }),
            packs: Self.packs)
        services = try Self.services(database, rules, library)
        client.start()
        daemon.start()
    }

    private func started(_ client: PostgresClient) -> PostgresClient {
        client.start()
        return client
    }

    /// The actions with other settings: environment variables such as `VITRINE_REVIEW_ASSIGNED_ONLY`; of another client
    /// or other packs, with other content types, or with media files elsewhere.
    package func services(
        _ settings: [String: String] = [:], on other: Database? = nil, content: ContentRules? = nil,
        files: (any MediaFiles)? = nil
    ) throws -> Services {
        let own = library
        let library = files.map {
            MediaLibrary(processor: own.processor, files: $0, baseURL: own.baseURL, streams: own.streams)
        }
        return try Self.services(other ?? database, content ?? rules, library ?? own, settings)
    }

    private static func services(
        _ database: Database, _ rules: ContentRules, _ library: MediaLibrary, _ settings: [String: String] = [:]
    ) throws -> Services {
        Services(
            database: database, content: rules, library: library, settings: try Settings.load(environment: settings))
    }

    /// Creates an account with a role, signs it in and returns its actor.
    package func actor(_ role: Role, name: String = "Someone", from address: String = "") async throws -> Actor {
        let id = ID<Account>(UUIDv7.make())
        let token = Token.make()
        let own = Actor(kind: .account, id: id.uuid, name: name, role: role)
        try await database.transaction(by: Self.administrator, AuditEvent("account.create", on: "account")) {
            transaction in
            try await transaction.accounts.add(
                id: id, email: "\(id)@example.org", name: name, role: role, passwordHash: nil)
            try await transaction.acting(as: own).audit(AuditEvent("session.create", on: "session"))
            try await transaction.sessions.add(
                tokenHash: token.hash, account: id, csrf: Token.make().text, remoteAddress: address,
                userAgent: "test", hours: 1)
        }
        return Actor(kind: .account, id: id.uuid, name: name, role: role, credential: Credential(token.bytes))
    }

    /// Creates an API client and returns its actor.
    package func clientActor(_ scopes: [Scope] = Scope.allCases) async throws -> Actor {
        let (id, secret) = (ID<APIClient>(UUIDv7.make()), Token.make())
        try await database.transaction(by: Self.administrator, AuditEvent("client.create", on: "client")) {
            transaction in
            try await transaction.clients.add(
                id: id, name: "portal", secretHash: secret.hash, scopes: scopes)
        }
        return Actor(kind: .client, id: id.uuid, name: "portal", credential: Credential(secret.bytes))
    }

    /// A database client with all rights, to simulate accidents and attackers.
    package func superuser() -> PostgresClient {
        started(Self.client(url, role: nil, pool: 1, loop))
    }

    /// A database client with the rights of a role of the deployment.
    package func client(as role: String) -> PostgresClient {
        started(Self.client(url, role: role, pool: 1, loop))
    }

    private static func client(
        _ url: String, role: String?, pool: Int, _ loop: EventLoop, _ lockTimeout: Duration = .seconds(60)
    ) -> PostgresClient {
        // Tests may share a slow machine; these deadlines are not under test.
        var configuration = PostgresConfiguration(
            url: url, pipelineConnections: 1, poolSize: pool, poolWait: .seconds(60), deadline: .seconds(60),
            longDeadline: .seconds(600), lockTimeout: lockTimeout, idleTransactionTimeout: .seconds(60),
            applicationName: "tests", role: role)
        // Many tests don't use all of their clients.
        configuration.keptConnections = 0
        configuration.idleTimeout = .seconds(600)
        return PostgresClient(configuration: configuration, loops: [loop])
    }

    private static func templateName() async throws -> String {
        try await template.withLock { template in
            let task = template ?? Task { try await makeTemplate() }
            template = task
            return task
        }.value
    }

    private static func makeTemplate() async throws -> String {
        guard let roles else { throw Failure.missing("roles") }
        let name = "vitrine_template"
        try await TestCluster.shared.createDatabase(named: name)
        let loop = EventLoop(name: "template")
        loop.start()
        let client = Self.client(try await TestCluster.shared.url(database: name), role: nil, pool: 1, loop)
        client.start()
        try await Schema(client: client, roles: roles, packs: packs).migrate(
            types: standardTypes.get(), version: "test")
        await client.close()
        return name
    }
}
