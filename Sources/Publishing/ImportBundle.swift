// Brings a bundle of everything into an empty database: all of it or nothing.
import Domain
import Store

package struct ImportBundle: Sendable {
    /// Keeps an image's file. Kept for nothing when a later line is refused; `media check --sweep` removes it then.
    package typealias FileWriter = @Sendable (BundleFile) async throws -> Void

    private let database: OwnerDatabase

    package init(database: OwnerDatabase) {
        self.database = database
    }

    package struct Report: Sendable, Encodable {
        package var kinds: [ExportBundle.Report.Kind] = []
        package var records: Int64 = 0
        /// Rows of the read tables that were made.
        package var rows: Int64 = 0
    }

    /// `pieces` hands out the file; on a try everything is done and undone.
    package func callAsFunction(
        _ pieces: @escaping @Sendable () throws -> [UInt8]?, isTry: Bool, files: FileWriter?, by actor: Actor,
        notify: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws -> Report {
        try actor.require(.publish, "import a bundle")
        var reader = BundleReader(pieces)
        let header = try reader.header()
        guard header.scope == .everything else {
            throw Failure.refused(code: "scope", message: "This bundle is of some entries, not of everything.")
        }
        guard OwnerDatabase.knows(schema: header.schema) else {
            throw BundleReader.fault(
                1, "/vitrine_bundle/schema", "newer",
                "A newer program made this bundle (\(header.schema)). Update first.")
        }
        let begun = reader
        return try await database.load(isTry: isTry, by: actor) { loader in
            try await Self.load(begun, into: loader, files: isTry ? nil : files, notify: notify)
        }
    }

    private static func load(
        _ begun: BundleReader, into loader: BundleLoader, files: FileWriter?, notify: @Sendable (String) -> Void
    ) async throws -> Report {
        var reader = begun
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
                try await batch.turn(to: record, loader)
            }
            if try batch.add(record) { try await batch.flush(to: loader) }
        }
        try await batch.flush(to: loader)
        batch.kind.map { report.kinds.append($0) }
        notify("Making the read tables.")
        report.rows = try await loader.finish()
        return report
    }
}

/// Rows of one table that go in by one statement.
private struct BundleBatch {
    private static let most = 500
    private static let mostBytes = 1 << 20

    private(set) var table: BundleTable?
    private var known: Set<String> = []
    private var columns: [String] = []
    private var rows: [String] = []
    private var lines: [Int] = []
    private var bytes = 0
    private var count: Int64 = 0

    var kind: ExportBundle.Report.Kind? {
        table.map { ExportBundle.Report.Kind(name: $0.record, count: count) }
    }

    mutating func turn(to record: BundleReader.Record, _ loader: BundleLoader) async throws {
        guard let table = BundleTable.named(record.name) else {
            throw BundleReader.fault(
                record.line, FieldErrors.step(record.name), "unknown", "There are no records of this name.")
        }
        self.table = table
        known = try await loader.columns(of: table)
        columns = []
        count = 0
    }

    /// Whether it is full now.
    mutating func add(_ record: BundleReader.Record) throws -> Bool {
        if let stranger = record.members.keys.filter({ !known.contains($0) }).min() {
            throw BundleReader.fault(
                record.line, FieldErrors.step(record.name) + FieldErrors.step(stranger), "unknown",
                "There is no such field.")
        }
        let names = record.members.keys.sorted()
        if rows.isEmpty { columns = names }
        guard names == columns else {
            throw BundleReader.fault(
                record.line, FieldErrors.step(record.name), "fields", "The records of one kind have the same fields.")
        }
        let row = JSONValue.object(record.members).canonicalText
        rows.append(row)
        lines.append(record.line)
        bytes += row.utf8.count
        count += 1
        return rows.count >= Self.most || bytes >= Self.mostBytes
    }

    mutating func flush(to loader: BundleLoader) async throws {
        guard let table, !rows.isEmpty else { return }
        do {
            try await loader.add(rows, columns: columns, to: table)
        } catch let refusal as BundleRefusal {
            let field = FieldErrors.step(table.record) + (refusal.field.map { FieldErrors.step($0) } ?? "")
            throw BundleReader.fault(
                lines[refusal.row], field, refusal.code,
                refusal.message.prefix(1).uppercased() + refusal.message.dropFirst() + ".")
        }
        rows = []
        lines = []
        bytes = 0
    }
}
