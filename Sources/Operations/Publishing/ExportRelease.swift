// Exports a release as a bundle for another deployment: its entries, with the images and catalog items they reference.
import Domain
import Localization
import Store

package struct ExportRelease: Sendable {
    let database: Database

    /// Returns the number of entries.
    package func callAsFunction(
        _ number: Int64, files: ExportBundle.FileReader, write: @escaping @Sendable ([UInt8]) throws -> Void
    ) async throws -> Int {
        guard try await database.releases.find(number: number) != nil else { throw Failure.missing("release") }
        let (schema, entries, media, items) = try await database.snapshot { stores in
            (
                try await stores.bundles.schemaName(), try await stores.releaseBundles.entries(of: number),
                try await stores.releaseBundles.media(of: number),
                try await stores.catalogItems?.used(byRelease: number) ?? []
            )
        }
        if entries.isEmpty { throw Failure.refused(code: "empty", message: tr("This release is empty.")) }
        var writer = try BundleWriter(.entries, schema: schema, to: write)
        var written: Set<String> = []
        for image in media {
            for path in (image["files"]?.arrayValue ?? []).compactMap({ $0["path"]?.stringValue })
            where written.insert(path).inserted {
                guard let bytes = try await files(path) else {
                    throw Failure.refused(
                        code: "media_file",
                        message: tr("The media file \(path) is missing. Run \"vitrine media verify\"."))
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
