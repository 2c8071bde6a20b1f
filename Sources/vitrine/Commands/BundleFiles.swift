// Reads and writes the image files of exported deployments and releases in the media store.
import CommandKit
import Operations
import Platform
import Store

enum BundleFiles {
    /// Reads image files from the media store of the database.
    static func reader(_ run: CommandRun, _ database: Database) async throws -> ExportBundle.FileReader {
        let files = try await files(run, database)
        return { text in
            guard let path = MediaPath(text) else { return nil }
            return try await files.bytes(path)
        }
    }

    static func files(
        _ run: CommandRun, _ database: Database, mayWrite: Bool = false
    ) async throws -> any MediaFiles {
        let files = try MediaLibrary(try run.settings()).files
        let store = VerifyMediaStore(database.identities, files: files)
        if mayWrite { try await store.beforeWriting() } else { try await store() }
        return files
    }

    /// Writes image files to a media store.
    static func writer(_ files: any MediaFiles) -> ImportBundle.FileWriter {
        { file in
            guard let path = MediaPath(file.path) else { return }
            try await files.put(file.bytes, at: path)
        }
    }
}
