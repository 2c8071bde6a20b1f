// The database with the rights of its owner, for operators; the daemon does not have them.
import Domain
import Postgres

package struct OwnerDatabase: Sendable {
    let client: PostgresClient
    let roles: Roles
    package let packs: PackSet

    /// `client` must be connected as a user that may act as the owner, as for migrations.
    package init(client: PostgresClient, roles: Roles, packs: PackSet) {
        self.client = client
        self.roles = roles
        self.packs = packs
    }

    /// Whether this version has the migration.
    package func knows(schema name: String) -> Bool { packs.migrations.contains { $0.name == name } }

    /// Thrown to roll back a dry run.
    private struct Undone<Value: Sendable>: Error {
        let value: Value
    }

    /// Fills an empty database with `body`; a dry run is rolled back.
    package func load<Value: Sendable>(
        isDryRun: Bool, by actor: Actor, _ body: @Sendable (BundleLoader) async throws -> Value
    ) async throws -> Value {
        do {
            return try await StoreFailure.translating {
                try await client.transaction(retries: 0, deadline: .seconds(3600)) { transaction in
                    let loader = BundleLoader(transaction: transaction, packs: packs)
                    try await loader.begin(roles, by: actor)
                    let value = try await body(loader)
                    if isDryRun { throw Undone(value: value) }
                    return value
                }
            }
        } catch let undone as Undone<Value> {
            return undone.value
        }
    }
}
