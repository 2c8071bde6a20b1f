// Exports a whole deployment as JSON Lines, one record per line, from one database snapshot.
import Domain
import Localization
import Store

package struct ExportBundle: Sendable {
    /// Reads a media file by its path; nil when it is missing.
    package typealias FileReader = @Sendable (_ path: String) async throws -> [UInt8]?

    let database: Database

    package struct Report: Sendable, Encodable {
        /// The number of records of each kind, in export order; empty kinds are omitted.
        package var kinds: [Kind] = []
        package var records: Int64 = 0
        /// Paths of missing media files.
        package var missing: [String] = []

        package struct Kind: Sendable, Encodable {
            package let name: String
            package let count: Int64
        }
    }

    /// `write` receives one line at a time. With `files` the bundle includes the media files, each before its record.
    /// Refused if the database has content of packs that are off: it would be left out.
    package func callAsFunction(
        files: FileReader? = nil, notify: @escaping @Sendable (String) -> Void = { _ in },
        write: @escaping @Sendable ([UInt8]) throws -> Void
    ) async throws -> Report {
        try await database.snapshot { stores in
            if let off = try await stores.bundles.disabledContent() {
                throw Self.incomplete(off, enabled: database.packs.names)
            }
            let output = BundleOutput(
                try BundleWriter(
                    .everything, schema: try await stores.bundles.schemaName(), packs: database.packs.names, to: write))
            for table in database.packs.bundleTables {
                try await stores.bundles.rows(of: table) { row in
                    if table.record == "media_file", let files, let path = row["path"]?.stringValue {
                        try await output.file(path, try await files(path))
                    }
                    try await output.record(table.record, row)
                }
                if let line = await output.finish(table.record) { notify(line) }
            }
            return try await output.end()
        }
    }

    private static func incomplete(_ off: DisabledContent, enabled: [String]) -> Failure {
        let (names, found) = (off.packs.joined(separator: ", "), off.found.joined(separator: ", "))
        let all = (enabled + off.packs).joined(separator: " ")
        return .refused(
            code: "packs",
            message: tr("The database has content of packs that are off (\(names)): \(found). ")
                + tr("Set packs (VITRINE_PACKS) to \"\(all)\", run \"vitrine migrate\", and export again."))
    }
}

/// Writes records, counts them and formats progress messages.
private actor BundleOutput {
    private var writer: BundleWriter
    private var report = ExportBundle.Report()
    private var count: Int64 = 0
    private var written: Set<String> = []

    init(_ writer: BundleWriter) { self.writer = writer }

    func record(_ name: String, _ row: JSONValue) throws {
        try writer.record(name, row)
        count += 1
    }

    /// Two images may share a file, which is written once.
    func file(_ path: String, _ bytes: [UInt8]?) throws {
        guard written.insert(path).inserted else { return }
        guard let bytes else {
            report.missing.append(path)
            return
        }
        try writer.record("file", BundleFile(path: path, bytes: bytes).value)
    }

    func finish(_ name: String) -> String? {
        guard count > 0 else { return nil }
        report.kinds.append(ExportBundle.Report.Kind(name: name, count: count))
        defer { count = 0 }
        return "\(name): \(count)"
    }

    func end() throws -> ExportBundle.Report {
        try writer.end()
        report.records = writer.records
        return report
    }
}
