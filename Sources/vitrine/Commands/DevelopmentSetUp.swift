// What `vitrine dev` puts into its database: an administrator, an API client, a little content to look at.
import Accounts
import Catalogs
import Domain
import FoundationEssentials
import Library
import Platform
import Store

/// The credentials that `vitrine dev` tells; kept in its data folder, readable by its owner only.
struct DevelopmentClient: Codable, Sendable {
    let id: String
    let secret: String
}

struct DevelopmentSetUp: Sendable {
    let database: Database
    let rules: ContentRules
    let settings: Settings

    private var actor: Actor { Actor(kind: .operator, name: "operator", requestID: "dev") }
    private static let email = "admin@vitrine.example"

    /// A one-time link for the administrator, who is made when missing.
    func signInAddress() async throws -> String {
        let manage = ManageAccount(database: database)
        let id: ID<Account>
        if let known = try await database.accounts.find(email: Self.email) {
            id = known.id
        } else {
            id = try await manage.add(email: Self.email, name: "Administrator", role: .administrator, by: actor)
        }
        return "\(settings.publicURL)/login/\(try await manage.signInLink(for: id, by: actor).text)"
    }

    /// The API client of the last start, if the database still knows it, or a new one with every scope.
    func client() async throws -> DevelopmentClient {
        let path = settings.directories.data + "/dev-client.json"
        if let data = FileManager.default.contents(atPath: path),
            let known = try? JSONDecoder().decode(DevelopmentClient.self, from: data), let id = ID<APIClient>(known.id),
            let row = try await database.clients.find(id), !row.isRevoked,
            Token(text: known.secret)?.hash == row.secretHash
        {
            return known
        }
        let made = try await ManageClient(database: database).add(
            name: "Development", scopes: Scope.allCases, by: actor)
        let client = DevelopmentClient(id: made.id.description, secret: made.secret.text)
        try FileManager.default.createDirectory(
            atPath: settings.directories.data, withIntermediateDirectories: true)
        try SecretFile.write([UInt8](try JSONEncoder().encode(client)), to: path)
        return client
    }

    /// Fills a database that has no feed yet.
    func loadDemo(_ say: (String) -> Void) async throws {
        guard try await database.entries.choices(.feed).isEmpty else { return }
        say("Loading demo content.")
        try await DemoFeeds.begin(
            DemoBuilder(
                database: database, rules: rules, library: try MediaLibrary(settings),
                catalogs: try CatalogKinds(folder: settings.catalogs.directory), actor: actor))
    }
}
