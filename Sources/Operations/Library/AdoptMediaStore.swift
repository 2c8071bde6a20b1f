// Makes the configured media store the one that belongs to the database.
import Domain
import Localization
import Platform
import Store

package struct AdoptMediaStore: Sendable {
    package struct Plan: Sendable {
        package let location: String
        /// The id of the store afterwards.
        package let id: String
        /// Whether anything changes.
        package let isAdopted: Bool
        /// Whether the database is a copy of another one, to which the files may belong.
        package let isCopy: Bool
    }

    private let database: Database
    private let files: any MediaFiles

    package init(database: Database, files: any MediaFiles) {
        self.database = database
        self.files = files
    }

    /// Verifies the store. The first daemon of a database records its store and the id of the database.
    package func atStart(by actor: Actor) async throws {
        let (store, identities) = (VerifyMediaStore(database.identities, files: files), database.identities)
        try await store()
        let (recorded, databaseID) = (try await identities.find(.media), try await identities.find(.database))
        if recorded != nil, databaseID != nil { return }
        // The first of several daemons gives the store its id, so those with another store are refused.
        let id = if let recorded { recorded } else { try await ensured(MediaStoreID.make()) }
        try await record(id, previous: nil, by: actor)
        try await store()
    }

    /// A store without an id gets the recorded one; otherwise the id of the store is recorded.
    package func plan() async throws -> Plan {
        if let problem = files.problem() { throw ConfigurationError(problems: [problem]) }
        let (recorded, found) = (try await database.identities.find(.media), try await files.identity())
        guard let id = found ?? recorded else {
            throw Failure.refused(
                code: "media_store", message: tr("This database has no media store yet. Its first daemon records one."))
        }
        let isCopy = try await database.identities.isCopy()
        return Plan(location: files.location, id: id, isAdopted: found == recorded && !isCopy, isCopy: isCopy)
    }

    /// `id` must be the one of the plan.
    package func callAsFunction(_ id: String, by actor: Actor) async throws {
        try actor.require(.administer, "adopt a media store")
        let plan = try await plan()
        guard plan.id == id else {
            throw Failure.conflict(code: "stale", message: tr("The id of the media store is \(plan.id), not \(id)."))
        }
        try await record(
            try await ensured(id), previous: try await database.identities.find(.media), by: actor)
    }

    /// The id of the store, which is `id` if it had none.
    private func ensured(_ id: String) async throws -> String {
        if let found = try await files.identity() { return found }
        try await files.addIdentity(id)
        return try await files.identity() ?? id
    }

    private func record(_ id: String, previous: String?, by actor: Actor) async throws {
        let databaseID = try await database.identities.databaseID()
        let event = AuditEvent(
            "media.adopt", on: "media",
            detail: [
                "id": .string(id), "previous": previous.map(JSONValue.string) ?? .null,
                "database_id": .string(databaseID),
            ])
        try await database.transaction(by: actor, event) { transaction in
            for (resource, value) in [(IdentityStore.Resource.media, id), (.database, databaseID)] {
                if previous == nil {
                    _ = try await transaction.identities.add(resource, value, by: actor)
                } else {
                    try await transaction.identities.replace(resource, by: value, by: actor)
                }
            }
        }
    }
}
