// Writes a release as a bundle for another deployment: the entries as they would be shown, the images that they show, and the
// things of the catalogs that they name.
import Domain
import Store

package struct ExportRelease: Sendable {
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// Gives how many entries there are.
    package func callAsFunction(
        _ number: Int64, files: ExportBundle.FileReader, write: @escaping @Sendable ([UInt8]) throws -> Void
    ) async throws -> Int {
        guard try await database.releases.find(number: number) != nil else { throw Failure.missing("release") }
        let (schema, entries, media, items) = try await database.snapshot { stores in
            (
                try await stores.bundles.schemaName(), try await stores.releaseBundles.entries(of: number),
                try await stores.releaseBundles.media(of: number),
                try await stores.releaseBundles.catalogItems(of: number)
            )
        }
        if entries.isEmpty { throw Failure.refused(code: "empty", message: "This release holds nothing to export.") }
        var writer = try BundleWriter(.entries, schema: schema, to: write)
        var written: Set<String> = []
        for image in media {
            for path in (image["files"]?.arrayValue ?? []).compactMap({ $0["path"]?.stringValue })
            where written.insert(path).inserted {
                guard let bytes = try await files(path) else {
                    throw Failure.refused(
                        code: "media_file", message: "The file \(path) of an image is not there; see \"media check\".")
                }
                try writer.record("file", BundleFile(path: path, bytes: bytes).value)
            }
            try writer.record("media", image)
        }
        for item in items { try writer.record("catalog_item", item) }
        for entry in entries { try writer.record("entry", entry) }
        try writer.end()
        return entries.count
    }
}
