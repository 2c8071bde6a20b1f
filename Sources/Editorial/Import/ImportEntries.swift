// Makes and changes entries from a file: what is new, what changed, what is the same, what cannot be read.
import Domain
import Platform
import Store

/// Rows are known by the ids that the file gives them, so that a newer file changes what an older one made. BulkActions of
/// rows are written, approved and published together; one that fails leaves those before it as they are, and the same file
/// can be imported again.
package struct ImportEntries: Sendable {
    private static let batch = 1000

    private let database: Database
    private let rules: ContentRules

    package init(database: Database, rules: ContentRules) {
        self.database = database
        self.rules = rules
    }

    /// Says what would become of every row, and does nothing. `tell` hears of each row.
    package func plan(
        _ records: RecordReader, type: String, _ options: ImportOptions, notify: (ImportLine) -> Void = { _ in }
    ) async throws -> ImportReport {
        try await run(records, type: type, options, by: nil, notify: notify)
    }

    package func apply(
        _ records: RecordReader, type: String, _ options: ImportOptions, by actor: Actor,
        notify: (ImportLine) -> Void = { _ in }
    ) async throws -> ImportReport {
        try actor.require(.edit, "import entries")
        if let publishTiming = options.publishTiming {
            try actor.require(.approve, "approve versions")
            if publishTiming != .approveOnly { try actor.require(.publish, "publish") }
            if options.release != nil { try actor.require(.makeRelease, "put changes into releases") }
            if case .at(let time) = publishTiming { _ = try await database.releases.instant(of: time) }
        }
        return try await run(records, type: type, options, by: actor, notify: notify)
    }

    private func run(
        _ records: RecordReader, type name: String, _ options: ImportOptions, by actor: Actor?,
        notify: (ImportLine) -> Void
    ) async throws -> ImportReport {
        var records = records
        let shape = ImportShape(type: try rules.type(named: name, pointer: "/type"), options: options)
        try check(options, shape)
        var names = try await ImportNames(database, shape)
        var report = ImportReport()
        var seen: [String: String] = [:]
        while true {
            let batch = try records.next(Self.batch)
            if batch.isEmpty { break }
            if let group = names.group {
                try await makeCategories(batch.flatMap(shape.categoryWords), in: group, &names, by: actor)
            }
            let rows = batch.map { row($0, shape, names, &seen, &report) }
            let known = rows.compactMap(\.candidate?.externalID)
            let lines: [ImportLine]
            if let actor {
                lines = try await write(rows, shape, &report, by: actor)
            } else {
                let found = try await database.imports.find(known, type: name, source: options.source)
                lines = rows.map { Comparison($0, found, shape).line }
            }
            for line in lines {
                report.add(line)
                notify(line)
            }
        }
        return report
    }

    /// Options that name what does not exist are refused before anything is read.
    private func check(_ options: ImportOptions, _ shape: ImportShape) throws(Failure) {
        let fields = shape.type.fields.map(\.name) + ["id", "lat", "lon", "postcode"]
        for name in options.columns.keys.sorted() where !fields.contains(name) {
            throw .invalid(FieldErrors("/map", "unknown_field", "There is no field named \(name) to map a column to."))
        }
    }

    // MARK: One row

    /// A row that was understood, and checked as a version of an entry.
    struct Candidate: Sendable {
        let externalID: String
        let content: Content
        /// Fields that the file does not have: they are for entries that are made, not for those that are there.
        let stoodIn: Set<String>
    }

    struct Row: Sendable {
        let place: String
        let title: String
        let candidate: Candidate?
        let problem: String?
    }

    private func row(
        _ record: ImportRecord, _ shape: ImportShape, _ names: ImportNames, _ seen: inout [String: String],
        _ report: inout ImportReport
    ) -> Row {
        var fields = shape.fields(of: record)
        let title = fields["title"]?.stringValue ?? ""
        func refused(_ problem: String) -> Row {
            Row(place: record.place, title: title, candidate: nil, problem: problem)
        }
        if let problem = record.problem { return refused(problem) }
        var problems: [String] = []
        var stoodIn: Set<String> = []
        if shape.type.field("city") != nil {
            switch names.city(record.text(of: shape.columns(of: "city"))) {
            case .success(let id): fields["city"] = .string(id.description)
            case .failure(let failure): problems.append(failure.sentence)
            }
        }
        if shape.type.field("categories") != nil {
            var (found, unknown) = names.categories(shape.categoryWords(of: record))
            report.addUnknown(unknown)
            if found.isEmpty {
                found = names.usualCategories
                stoodIn.insert("categories")
            }
            if !found.isEmpty { fields["categories"] = .array(found.map { .string($0.description) }) }
        }
        if fields["image"] == nil, let image = shape.options.image, shape.type.field("image") != nil {
            fields["image"] = .string(image)
            stoodIn.insert("image")
        }
        do {
            let content = try rules.check(fields, as: shape.type, for: .revision)
            guard problems.isEmpty else { return refused(problems.joined(separator: " ")) }
            guard let id = shape.externalID(of: record, content.fields) else { return refused("The row has no id.") }
            if let first = seen.updateValue(record.place, forKey: id) {
                seen[id] = first
                return refused("The same id (\(id)) stands in \(first) already.")
            }
            return Row(
                place: record.place, title: title,
                candidate: Candidate(externalID: id, content: content, stoodIn: stoodIn),
                problem: nil)
        } catch {
            if case .invalid(let errors) = error {
                // A city that was not found has its own message.
                problems += errors.items.filter { problems.isEmpty || $0.pointer != "/fields/city" }.map(\.message)
            }
            return refused(problems.joined(separator: " "))
        }
    }

    /// A row beside what an earlier import made of it.
    struct Comparison: Sendable {
        let row: Row
        let known: ImportedEntry?
        /// What the entry is to say; nil where the row has an error.
        let content: Content?
        let line: ImportLine

        init(_ row: Row, _ found: [String: ImportedEntry], _ shape: ImportShape) {
            self.row = row
            guard let candidate = row.candidate else {
                (known, content) = (nil, nil)
                line = ImportLine(
                    place: row.place, title: row.title, state: .error, fields: [], message: row.problem)
                return
            }
            known = found[candidate.externalID]
            guard let known else {
                content = candidate.content
                line = ImportLine(place: row.place, title: row.title, state: .new, fields: [], message: nil)
                return
            }
            // What the file does not say stays, and an address that was once given.
            var given = candidate.content.fields.filter { !candidate.stoodIn.contains($0.key) }
            if let slug = shape.type.slugField { given[slug] = nil }
            let merged = Content(fields: known.content.fields.merging(given) { _, new in new })
            content = merged
            let changes = ContentDiff.between(old: known.content, new: merged, type: shape.type).map(\.label)
            line = ImportLine(
                place: row.place, title: row.title, state: changes.isEmpty ? .same : .changed, fields: changes,
                message: known.wasLive && !known.isLive && !changes.isEmpty
                    ? "It was withdrawn: the new version stays a draft." : nil)
        }
    }

    // MARK: Writing

    private func write(
        _ rows: [Row], _ shape: ImportShape, _ report: inout ImportReport, by actor: Actor
    ) async throws -> [ImportLine] {
        let given = report.release ?? shape.options.release
        let (type, options, rules) = (shape.type, shape.options, rules)
        let event = AuditEvent(
            "entry.import", on: "entry",
            detail: [
                "type": .string(type.name), "source": .string(options.source), "rows": .int(Int64(rows.count)),
            ])
        // One yes is enough where the type asks for one and not for another person's.
        let isApproved = options.publishTiming != nil && type.requiredApprovals <= 1 && !type.fourEyes
        let written = try await database.change(by: actor, event) { change -> Written in
            let known = try await change.imported(
                rows.compactMap(\.candidate?.externalID), type: type.name, source: options.source)
            let compared = rows.map { Comparison($0, known, shape) }
            let drafts = compared.compactMap { item -> ImportedDraft? in
                guard let content = item.content, let candidate = item.row.candidate, item.line.state != .same else {
                    return nil
                }
                let isWithdrawn = item.known.map { $0.wasLive && !$0.isLive } ?? false
                return ImportedDraft(
                    entry: item.known?.entry ?? ID(UUIDv7.make()), revision: ID(UUIDv7.make()),
                    base: item.known?.number ?? 0, content: content, plain: rules.plain(content, in: type),
                    externalID: candidate.externalID, isApproved: isApproved && !isWithdrawn)
            }
            if given == nil, options.publishTiming == .now { _ = try await change.publications.lock() }
            try await change.write(drafts, type: type, source: options.source, note: "import of \(options.source)")
            let live = drafts.filter(\.isApproved).map { LiveChange(entry: $0.entry, revision: $0.revision) }
            var written = Written(lines: compared.map(\.line), release: given)
            if live.isEmpty { return written }
            let title = "import of \(options.source)"
            if let given {
                guard let release = try await change.releases.find(number: given) else {
                    throw Failure.missing("release")
                }
                guard try await change.releases.hold(release.id) else {
                    throw Failure.conflict(
                        code: "release_finished", message: "Release \(given) is \(release.state.rawValue) already.")
                }
                try await change.releases.put(live, into: release.id)
            } else if case .at(let time) = options.publishTiming {
                written.release = try await change.releases.add(
                    title: title, time: time, holding: live, by: actor
                ).number
            } else if options.publishTiming == .now {
                written.publication = try await change.publications.publish(.these(live), note: title, by: actor)
            }
            return written
        }
        report.release = written.release
        if let publication = written.publication { report.publications.append(publication) }
        return written.lines
    }

    /// What became of a batch.
    private struct Written: Sendable {
        let lines: [ImportLine]
        var publication: Int64?
        var release: Int64?
    }

    /// Makes, approves and publishes the categories that do not exist; readers see each as soon as something is in it. A
    /// plan, without an actor, only pretends.
    private func makeCategories(
        _ words: [String], in group: ID<Entry>, _ names: inout ImportNames, by actor: Actor?
    ) async throws {
        let write = WriteEntry(database: database, rules: rules)
        for word in names.categories(words).unknown where !names.categories([word]).unknown.isEmpty {
            guard let actor else {
                names.add(category: word, ID(UUIDv7.make()))
                continue
            }
            let words = word.replacing("_", with: " ")
            let title = words.prefix(1).uppercased() + words.dropFirst()
            let made = try await write.create(
                type: "category", fields: ["title": .string(title), "group": .string(group.description)],
                note: "made by an import", publishTiming: .now, by: actor)
            names.add(category: word, made.entry)
        }
    }
}
