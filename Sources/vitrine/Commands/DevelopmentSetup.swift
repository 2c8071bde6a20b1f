// Sets up the database of `vitrine dev`: an administrator, an API client and demo content.
import Domain
import FoundationEssentials
import Operations
import Platform
import Store

/// The credentials that `vitrine dev` prints. They are kept in its data folder, readable only by its owner.
struct DevelopmentClient: Codable, Sendable {
    let id: String
    let secret: String
}

struct DevelopmentSetup: Sendable {
    let services: Services
    let settings: Settings

    private var database: Database { services.database }

    private var actor: Actor { Actor(kind: .operator, name: "operator", requestID: "dev") }
    private static let email = "admin@vitrine.example"

    /// A one-time sign-in link for the administrator, whose account is created if missing.
    func signInURL() async throws -> String {
        let manage = services.manageAccount
        let id: ID<Account>
        if let known = try await database.accounts.find(email: Self.email) {
            id = known.id
        } else {
            id = try await manage.create(email: Self.email, name: "Administrator", role: .administrator, by: actor)
        }
        return settings.publicURL + AdminURL.loginLink(try await manage.signInLink(for: id, by: actor).text)
    }

    /// The API client of the last start, if it is still valid, or a new one with every scope.
    func client() async throws -> DevelopmentClient {
        let path = settings.directories.data + "/dev-client.json"
        if let data = FileManager.default.contents(atPath: path),
            let known = try? JSONDecoder().decode(DevelopmentClient.self, from: data), let id = ID<APIClient>(known.id),
            let row = try await database.clients.find(id), !row.isRevoked,
            Token(text: known.secret)?.hash == row.secretHash
        {
            return known
        }
        let created = try await services.manageClient.create(
            name: "Development", scopes: Scope.allCases, by: actor)
        let client = DevelopmentClient(id: created.id.description, secret: created.secret.text)
        try FileManager.default.createDirectory(
            atPath: settings.directories.data, withIntermediateDirectories: true)
        try SecretFile.write([UInt8](try JSONEncoder().encode(client)), to: path)
        return client
    }

    /// Loads demo content into a database without feeds.
    func loadDemo(_ report: (String) -> Void) async throws {
        guard try await database.entries.choices(.feed).isEmpty else { return }
        report("Loading demo content.")
        _ = try await DemoFolder("core", in: settings.directories.demo).load(services, by: actor)
    }
}
