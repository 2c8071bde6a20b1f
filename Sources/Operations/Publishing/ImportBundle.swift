// Imports a bundle of a whole deployment into an empty database, in one transaction.
import Domain
import Localization
import Store

package struct ImportBundle: Sendable {
    /// Stores a media file. When a later line is rejected, `media verify --sweep` removes it.
    package typealias FileWriter = @Sendable (BundleFile) async throws -> Void

    private let database: OwnerDatabase

    package init(database: OwnerDatabase) {
        self.database = database
    }

    package struct Report: Sendable, Encodable {
        package var kinds: [ExportBundle.Report.Kind] = []
        package var records: Int64 = 0
        /// Rows written to the read tables.
        package var rows: Int64 = 0
    }

    /// `chunks` returns the file piece by piece; a dry run rolls everything back.
    package func callAsFunction(
        _ chunks: @escaping BundleChunks, isDryRun: Bool, files: FileWriter?, by actor: Actor,
        notify: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws -> Report {
        try actor.require(.publish, tr("import a bundle"))
        var reader = BundleReader(chunks)
        let header = try reader.header()
        guard header.scope == .everything else {
            throw Failure.refused(
                code: "scope",
                message: tr("This bundle contains a release, not a whole deployment. Run \"vitrine release import\"."))
        }
        try requirePacks(header.packs)
        guard database.knows(schema: header.schema) else {
            throw BundleReader.error(
                1, "/vitrine_bundle/schema", "newer",
                tr("This bundle was exported by a newer version (\(header.schema)). Update Vitrine first."))
        }
        let opened = reader
        return try await database.load(isDryRun: isDryRun, by: actor) { loader in
            try await Self.load(opened, into: loader, files: isDryRun ? nil : files, notify: notify)
        }
    }

    /// Refuses a bundle with records that only other packs know.
    private func requirePacks(_ needed: [String]) throws {
        let enabled = database.packs.names
        let off = needed.filter { !enabled.contains($0) }
        if off.isEmpty { return }
        let (missing, all) = (off.joined(separator: ", "), (enabled + off).joined(separator: " "))
        throw Failure.refused(
            code: "packs",
            message: tr("This bundle was exported with packs that are off here: \(missing). ")
                + tr("Set packs (VITRINE_PACKS) to \"\(all)\", run \"vitrine migrate\", and import it again."))
    }

    private static func load(
        _ opened: BundleReader, into loader: BundleLoader, files: FileWriter?, notify: @Sendable (String) -> Void
    ) async throws -> Report {
        var reader = opened
        var report = Report()
        var batch = BundleBatch()
        while let record = try reader.next() {
            report.records += 1
            if record.name == "file" {
                try await files?(BundleFile(record))
                continue
            }
            if batch.table?.record != record.name {
                try await batch.flush(to: loader)
                if let kind = batch.kind { notify("\(kind.name): \(kind.count)") }
                batch.kind.map { report.kinds.append($0) }
                try await batch.start(with: record, loader)
            }
            if try batch.add(record) { try await batch.flush(to: loader) }
        }
        try await batch.flush(to: loader)
        batch.kind.map { report.kinds.append($0) }
        notify(tr("Building the read tables."))
        report.rows = try await loader.finish()
        return report
    }
}

/// Rows of one table that are inserted by one statement.
private struct BundleBatch {
    private static let maxRows = 500
    private static let maxBytes = 1 << 20

    private(set) var table: BundleTable?
    private var known: Set<String> = []
    private var columns: [String] = []
    private var rows: [String] = []
    private var locations: [String] = []
    private var bytes = 0
    private var count: Int64 = 0

    var kind: ExportBundle.Report.Kind? {
        table.map { ExportBundle.Report.Kind(name: $0.record, count: count) }
    }

    mutating func start(with record: BundleReader.Record, _ loader: BundleLoader) async throws {
        guard let table = loader.table(of: record.name) else {
            throw BundleReader.error(
                record.location, FieldErrors.step(record.name), "unknown", tr("Unknown kind of record."))
        }
        self.table = table
        known = try await loader.columns(of: table)
        columns = []
        count = 0
    }

    /// Adds a row; returns whether the batch is full.
    mutating func add(_ record: BundleReader.Record) throws -> Bool {
        if let unknown = record.members.keys.filter({ !known.contains($0) }).min() {
            throw BundleReader.error(
                record.location, FieldErrors.step(record.name) + FieldErrors.step(unknown), "unknown",
                tr("Unknown field."))
        }
        let names = record.members.keys.sorted()
        if rows.isEmpty { columns = names }
        guard names == columns else {
            throw BundleReader.error(
                record.location, FieldErrors.step(record.name), "fields",
                tr("Records of one kind must have the same fields."))
        }
        let row = JSONValue.object(record.members).canonicalText
        rows.append(row)
        locations.append(record.location)
        bytes += row.utf8.count
        count += 1
        return rows.count >= Self.maxRows || bytes >= Self.maxBytes
    }

    mutating func flush(to loader: BundleLoader) async throws {
        guard let table, !rows.isEmpty else { return }
        do {
            try await loader.add(rows, columns: columns, to: table)
        } catch let refusal as BundleRefusal {
            let field = FieldErrors.step(table.record) + (refusal.field.map { FieldErrors.step($0) } ?? "")
            throw BundleReader.error(
                locations[refusal.row], field, refusal.code,
                refusal.message.prefix(1).uppercased() + refusal.message.dropFirst() + ".")
        }
        rows = []
        locations = []
        bytes = 0
    }
}
