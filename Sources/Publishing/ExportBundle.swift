// Writes everything that is truth as lines of JSON, a record a line, from one snapshot.
import Domain
import Store

package struct ExportBundle: Sendable {
    /// Gives an image's file by its path; nil when it is not there.
    package typealias FileReader = @Sendable (_ path: String) async throws -> [UInt8]?

    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    package struct Report: Sendable, Encodable {
        /// How many of each kind, in their order; kinds without any are left out.
        package var kinds: [Kind] = []
        package var records: Int64 = 0
        /// Paths of images' files that are not there.
        package var missing: [String] = []

        package struct Kind: Sendable, Encodable {
            package let name: String
            package let count: Int64
        }
    }

    /// `write` gets a line at a time; `files` makes the bundle carry the images' files too, each before its record.
    package func callAsFunction(
        files: FileReader? = nil, notify: @escaping @Sendable (String) -> Void = { _ in },
        write: @escaping @Sendable ([UInt8]) throws -> Void
    ) async throws -> Report {
        try await database.snapshot { stores in
            let output = BundleOutput(
                try BundleWriter(.everything, schema: try await stores.bundles.schemaName(), to: write))
            for table in BundleTable.all {
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
}

/// Counts what is written, and tells now and then.
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

    /// Two images may share a file.
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
