// Refuses a media store that is not the one that belongs to the database.
import Localization
import Platform
import Store

/// Without this check, images added with another configuration are lost to the daemons, and in another store every image
/// seems to be missing. A folder that is not mounted is another store, too.
package struct VerifyMediaStore: Sendable {
    private let identities: IdentityStore
    private let files: any MediaFiles

    package init(_ identities: IdentityStore, files: any MediaFiles) {
        self.identities = identities
        self.files = files
    }

    /// As `callAsFunction`, before files are added: only a daemon creates a store, which belongs to its user then.
    package func beforeWriting() async throws {
        try await self()
        if try await identities.find(.media) == nil, let missing = files.missing() {
            throw ConfigurationError(problems: [missing])
        }
    }

    /// As `callAsFunction`, before files are deleted: those of a copy of a database may belong to the original, too.
    package func beforeDeleting() async throws {
        if try await identities.isCopy() { throw ConfigurationError(problems: [IdentityStore.copied]) }
        try await self()
    }

    /// Throws `ConfigurationError` with a sentence for the operator. Before an identity is recorded, every store of this
    /// user is accepted.
    package func callAsFunction() async throws {
        if let problem = files.problem() { throw ConfigurationError(problems: [problem]) }
        guard let expected = try await identities.find(.media) else { return }
        let found = try await files.identity()
        guard found != expected else { return }
        throw ConfigurationError(problems: [
            tr("\(files.location) is not the media store of this database: ")
                + (found.map { tr("its id is \($0), not \(expected). ") } ?? tr("it has no file \(MediaStoreID.name). "))
                + tr(
                    "Use the daemon's data.dir, media.folder or media.s3 settings. "
                        + "If the store was restored or replaced, run \"vitrine media adopt\".")
        ])
    }
}
