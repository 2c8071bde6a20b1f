// Imports entries from a file and reports the new, changed and unchanged rows and the errors.
import Domain
import Localization
import Operations
import Platform
import Store

/// Rows are identified by their ids in the file, so a newer file updates the entries of an older one. Rows are written,
/// approved and published in batches; a failed batch leaves the ones before it in place, and the same file can be
/// imported again.
package struct ImportEntries: Sendable {
    private static let batch = 1000

    let database: Database
    let rules: ContentRules
    let createCategory: CreateCategory

    /// Reports the result for every row and writes nothing. `notify` is called for each row.
    package func plan(
        _ records: RecordReader, type: String, _ options: ImportOptions, notify: (ImportLine) -> Void = { _ in }
    ) async throws -> ImportReport {
        try await run(records, type: type, options, by: nil, notify: notify)
    }

    package func apply(
        _ records: RecordReader, type: String, _ options: ImportOptions, by actor: Actor,
        notify: (ImportLine) -> Void = { _ in }
    ) async throws -> ImportReport {
        try actor.require(.edit, tr("import entries"))
        try await options.publishTiming.check(by: actor, database)
        return try await run(records, type: type, options, by: actor, notify: notify)
    }

    private func run(
        _ records: RecordReader, type name: String, _ options: ImportOptions, by actor: Actor?,
        notify: (ImportLine) -> Void
    ) async throws -> ImportReport {
        var records = records
        let mapping = ImportMapping(type: try rules.type(named: name, pointer: "/type"), options: options)
        try check(options, mapping)
        var references = try await ImportReferences(database, mapping)
        var report = ImportReport()
        var seen: [String: String] = [:]
        while true {
            let batch = try records.next(Self.batch)
            if batch.isEmpty { break }
            let known = try await database.imports.known(
                batch.compactMap(mapping.externalID), type: name, source: options.source)
            if let group = references.group {
                let names = try await newCategories(of: batch, known, mapping, references, seen)
                let publication = try await createCategories(names, in: group, &references, by: actor)
                if let publication { report.publications.append(publication) }
            }
            var rows: [Row] = []
            for record in batch { rows.append(try await row(record, known, mapping, references, &seen, &report)) }
            rows = try await checkingTargets(rows, mapping)
            let ids = rows.compactMap(\.candidate?.externalID)
            let lines: [ImportLine]
            // A batch of refused rows leaves nothing behind.
            if let actor, !ids.isEmpty {
                lines = try await write(rows, mapping, &report, by: actor)
            } else {
                let found = try await database.imports.find(ids, type: name, source: options.source)
                lines = try await compare(rows, found, mapping, database.media).map(\.line)
            }
            for line in lines {
                report.add(line)
                notify(line)
            }
        }
        if report.new + report.changed + report.unchanged + report.errors == 0 {
            throw Failure.refused(code: "empty", message: tr("The file has no records."))
        }
        return report
    }

    /// Options that name an unknown field are refused before anything is read.
    private func check(_ options: ImportOptions, _ mapping: ImportMapping) throws(Failure) {
        let fields = mapping.type.fields.map(\.name) + ["id", "lat", "lon", "postcode"]
        for name in options.columns.keys.sorted() where !fields.contains(name) {
            throw .invalid(
                FieldErrors(
                    "/map", "unknown_field", tr("There is no field named \(name). Map the column to an existing field.")
                ))
        }
    }

    // MARK: One row

    /// A row that passed the checks of a version of an entry; that of a known entry, those of an edit.
    struct Candidate: Sendable {
        let externalID: String
        let checked: CheckedContent
        /// Fields filled with defaults, not from the file: for new entries only.
        let defaulted: Set<String>

        var content: Content { checked.content }
    }

    struct Row: Sendable {
        let location: String
        let title: String
        let candidate: Candidate?
        let problem: String?
    }

    /// `known` are the ids that have entries: what the row lacks keeps its value there.
    private func row(
        _ record: ImportRecord, _ known: Set<String>, _ mapping: ImportMapping, _ references: ImportReferences,
        _ seen: inout [String: String], _ report: inout ImportReport
    ) async throws -> Row {
        var fields = mapping.fields(of: record)
        let id = mapping.externalID(of: record)
        let title = fields["title"]?.stringValue ?? ""
        func refused(_ problem: String) -> Row {
            Row(location: record.location, title: title.isEmpty ? id ?? "" : title, candidate: nil, problem: problem)
        }
        if let problem = record.problem { return refused(problem) }
        let isKnown = id.map(known.contains) ?? false
        var (problems, defaulted): ([String], Set<String>) = ([], [])
        if mapping.type.field("city") != nil {
            switch references.city(record.text(of: mapping.columns(of: "city"))) {
            case .success(let id): fields["city"] = .string(id.description)
            case .failure where isKnown && record.text(of: mapping.columns(of: "city")) == nil: break
            case .failure(let failure): problems.append(failure.sentence)
            }
        }
        if mapping.type.field("categories") != nil {
            let named = references.categories(mapping.categoryNames(of: record, references))
            report.add(named)
            problems += categoryProblems(named, references)
            var found = named.found
            if found.isEmpty {
                found = references.defaultCategories
                defaulted.insert("categories")
            }
            if !found.isEmpty { fields["categories"] = .array(found.map { .string($0.description) }) }
        }
        if fields["image"] == nil, let image = mapping.options.image, mapping.type.field("image") != nil {
            fields["image"] = .string(image)
            defaulted.insert("image")
        }
        do {
            let checked = try await rules.checked(fields, as: mapping.type, for: isKnown ? .edit : .revision)
            defaulted.formUnion(checked.content.fields.keys.filter { fields[$0] == nil })
            guard problems.isEmpty else { return refused(problems.joined(separator: " ")) }
            guard let id else { return refused(tr("The row has no id.")) }
            if let first = seen.updateValue(record.location, forKey: id) {
                seen[id] = first
                return refused(tr("The id \(id) is already used in \(first)."))
            }
            return Row(
                location: record.location, title: title,
                candidate: Candidate(externalID: id, checked: checked, defaulted: defaulted), problem: nil)
        } catch Failure.invalid(let errors) {
            // A city that was not found and an archived category have their own messages.
            let isReported = !problems.isEmpty
            problems += errors.items.filter {
                !isReported || !["/fields/city", "/fields/categories"].contains($0.pointer)
            }.map(\.message)
            return refused(problems.joined(separator: " "))
        }
    }

    /// What is wrong with the categories that a row names.
    private func categoryProblems(
        _ named: ImportReferences.Categories, _ references: ImportReferences
    ) -> [String] {
        guard named.found.isEmpty, references.defaultCategories.isEmpty else { return named.ambiguous }
        if let archived = named.archived.first {
            return named.ambiguous + [
                tr("Categories: \(archived) is archived. Add another category to the row or set one for all rows.")
            ]
        }
        if let unknown = named.unknown.first {
            return named.ambiguous + [
                tr("Categories: none is named \(unknown). Create it, or set a category for all rows.")
            ]
        }
        return named.ambiguous
    }

    /// The rows, without the candidates whose references lead nowhere or to another type. Cities and categories were found
    /// by their names.
    private func checkingTargets(_ rows: [Row], _ mapping: ImportMapping) async throws -> [Row] {
        let contents = rows.map { row in
            Content(fields: (row.candidate?.content.fields ?? [:]).filter { !["city", "categories"].contains($0.key) })
        }
        return zip(rows, try await database.entries.targetErrors(in: contents, of: mapping.type)).map { row, errors in
            if errors.isEmpty { return row }
            let problem = errors.items.map(\.message).joined(separator: " ")
            return Row(location: row.location, title: row.title, candidate: nil, problem: problem)
        }
    }

    // MARK: Writing

    private func write(
        _ rows: [Row], _ mapping: ImportMapping, _ report: inout ImportReport, by actor: Actor
    ) async throws -> [ImportLine] {
        let (type, options) = (mapping.type, mapping.options)
        // The first batch creates the release of a time; the others join it.
        let timing = report.release.map(PublishTiming.release) ?? options.publishTiming
        let event = AuditEvent(
            "entry.import", on: "entry",
            detail: [
                "type": .string(type.name), "source": .string(options.source), "rows": .int(Int64(rows.count)),
            ])
        // One approval is enough where the type requires one, and not from a second person.
        let isApproved = timing != .draft && type.requiredApprovals <= 1 && !type.fourEyes
        let written = try await database.transaction(by: actor, event) { transaction -> Written in
            let known = try await transaction.imported(
                rows.compactMap(\.candidate?.externalID), type: type.name, source: options.source)
            let compared = try await compare(rows, known, mapping, transaction.media)
            var drafts: [ImportedDraft] = []
            for item in compared where item.line.state != .unchanged {
                guard let content = item.version.content, let candidate = item.row.candidate else { continue }
                let isUnpublished = item.known.map { $0.wasLive && !$0.isLive } ?? false
                drafts.append(
                    ImportedDraft(
                        entry: item.known?.entry ?? ID(UUIDv7.make()), revision: ID(UUIDv7.make()),
                        base: item.known?.number ?? 0, content: content,
                        texts: item.version.texts, externalID: candidate.externalID,
                        isApproved: isApproved && !isUnpublished))
            }
            try await transaction.lock(for: timing)
            try await transaction.write(drafts, type: type, source: options.source, note: "Import of \(options.source)")
            let live = drafts.filter(\.isApproved).map { LiveChange(entry: $0.entry, revision: $0.revision) }
            var written = Written(lines: compared.map(\.line))
            written.published = try await transaction.publish(
                live, timing, leavingOutBlocked: true, title: "Import of \(options.source)")
            if written.published.blocked.isEmpty { return written }
            let reasons = Dictionary(
                written.published.blocked.compactMap { item in item.entry.map { ($0, item.message) } }
            ) { $1 }
            let ids = Dictionary(drafts.map { ($0.externalID, $0.entry) }) { first, _ in first }
            written.lines = compared.map { item in
                var line = item.line
                let entry = item.row.candidate.flatMap { ids[$0.externalID] }
                if let reason = entry.flatMap({ reasons[$0] }) { (line.message, line.isBlocked) = (reason, true) }
                return line
            }
            return written
        }
        report.release = written.published.release ?? report.release
        if let publication = written.published.publication { report.publications.append(publication) }
        return written.lines
    }

    /// The result of a batch.
    private struct Written: Sendable {
        var lines: [ImportLine]
        var published = Published()
    }

    /// The names of missing categories in rows that pass if they exist: a refused row creates none.
    private func newCategories(
        of batch: [ImportRecord], _ known: Set<String>, _ mapping: ImportMapping, _ references: ImportReferences,
        _ seen: [String: String]
    ) async throws -> [String] {
        let missing = references.missing(batch.flatMap { mapping.categoryNames(of: $0, references) })
        if missing.isEmpty { return [] }
        var (seen, report) = (seen, ImportReport())
        var extended = references
        for name in missing { extended.add(category: name, ID(UUIDv7.make())) }
        var rows: [Row] = []
        for record in batch { rows.append(try await row(record, known, mapping, extended, &seen, &report)) }
        rows = try await checkingTargets(rows, mapping)
        let source = mapping.options.source
        let found = try await database.imports.find(
            rows.compactMap(\.candidate?.externalID), type: mapping.type.name, source: source)
        let compared = try await compare(rows, found, mapping, database.media)
        return zip(batch, compared).flatMap { record, item in
            item.line.state == .error ? [] : mapping.categoryNames(of: record, references)
        }
    }

    /// Creates, approves and publishes missing categories, after the others of the group and in one publication, and
    /// returns its number; each appears in the app once it has published items. Without an actor, for a plan, nothing is
    /// created. A name that no category can have stays unknown.
    private func createCategories(
        _ names: [String], in group: ID<Entry>, _ references: inout ImportReferences, by actor: Actor?
    ) async throws -> Int64? {
        let missing = references.missing(names)
        if missing.isEmpty { return nil }
        guard let actor else {
            for name in missing { references.add(category: name, ID(UUIDv7.make())) }
            return nil
        }
        let (created, publication) = try await createCategory(importing: missing, in: group, by: actor)
        for category in created { references.add(category: category.name, category.id) }
        return publication
    }
}
