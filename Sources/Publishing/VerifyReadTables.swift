// Verifies the read tables against the live set, and repairs differences.
import Domain
import Localization
import Store

package struct VerifyReadTables: Sendable {
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// Every row that differs; empty when the tables are correct.
    package func verify() async throws -> [RowChange] {
        try await database.publications.verify()
    }

    /// Applies the differences in one publication. Returns its number, or nil when there were none.
    package func repair(by actor: Actor) async throws -> Int64? {
        try actor.require(.publish, tr("repair the read tables"))
        return try await database.transaction(by: actor, AuditEvent("publication.repair", on: "publication")) {
            transaction in
            try await transaction.publications.repair(note: "repair", by: actor)
        }
    }
}
