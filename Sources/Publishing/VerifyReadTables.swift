// Proves that the read tables are what the live set says, and mends them where they are not.
import Domain
import Store

package struct VerifyReadTables: Sendable {
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// Every row that differs; empty when all is as it must be.
    package func verify() async throws -> [RowDifference] {
        try await database.publications.verify()
    }

    /// Applies the differences in one publication: its number, or nil when there were none.
    package func rebuild(by actor: Actor) async throws -> Int64? {
        try actor.require(.publish, "rebuild the read tables")
        return try await database.change(by: actor, AuditEvent("publication.repair", on: "publication")) { change in
            try await change.publications.rebuild(note: "rebuild", by: actor)
        }
    }
}
