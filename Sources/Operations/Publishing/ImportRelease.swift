// Imports a bundle of entries as a release of this deployment, after comparing it with the current entries.
import Domain
import FoundationEssentials
import Localization
import Platform
import Store

package struct ImportRelease: Sendable {
    let database: Database
    let rules: ContentRules

    package struct Report: Sendable, Encodable {
        /// The release that contains the new versions; nil after a dry run, when nothing differs, or when they were
        /// published without one.
        package var release: Int64?
        package var publication: Int64?
        package var entries: [Difference] = []

        package struct Difference: Sendable, Encodable {
            package let entry: String
            package let type: String
            package let title: String
            /// `new`, `changed`, `same` or `unpublished`
            package let state: String
            package let fields: [FieldDifference]
        }

        package struct FieldDifference: Sendable, Encodable {
            package let label: String
            package let old: String?
            package let new: String?
        }
    }

    /// What a bundle or folder contains besides files.
    struct Contents {
        /// The local ids of images, catalog items and entries, by what the content calls them.
        var ids: [String: String] = [:]
        var items: [ReceivedCatalogItem] = []
        var images: [BundleImage] = []
        var entries: [BundleReader.Record] = []
    }

    /// An entry of the bundle with its current revision here.
    private struct ImportedEntry {
        let location: String
        let id: ID<Entry>
        let type: ContentType
        let note: String
        /// Nil: to be unpublished.
        let content: Content?
        let newest: RevisionRow?

        /// An entry that is not here need not be unpublished.
        var isSame: Bool { content == nil ? newest == nil : content == newest?.content }
    }

    /// The size of an image. Throws `Failure.invalid` for what an upload can't be.
    package typealias ImageInspector = @Sendable ([UInt8]) async throws -> (width: Int, height: Int)

    /// Writes new revisions of the entries that differ and adds them to an open release, approved in the actor's name
    /// unless they are drafts, or publishes them. A dry run only compares. `open` starts at the beginning of the bundle: it
    /// is read to its end and checked before anything is written.
    package func callAsFunction(
        _ open: @Sendable () throws -> BundleChunks, title: String, isDryRun: Bool,
        publishTiming: PublishTiming = .draft,
        inspect: ImageInspector, files: ImportBundle.FileWriter, by actor: Actor
    ) async throws -> Report {
        try actor.require(.createRelease, tr("import a release"))
        var reader = BundleReader(try open())
        guard try reader.header().scope == .entries else {
            throw Failure.refused(
                code: "scope",
                message: tr("This bundle contains a whole deployment, not a release. Run \"vitrine import bundle\"."))
        }
        var contents = Contents()
        var checked = BundleFiles()
        while let record = try reader.next() {
            switch record.name {
            case "file": try await checked.add(record, inspect)
            case "media":
                let (id, image) = try checked.image(record)
                // The same upload is the same image.
                let known =
                    try await database.media.find(uploadHash: image.media.uploadHash)?.id
                    ?? contents.images.first { $0.media.uploadHash == image.media.uploadHash }?.id
                contents.ids[id] = (known ?? image.id).description
                if known == nil { contents.images.append(image) }
            case "catalog_item" where database.catalogItems != nil:
                let item = try Self.item(record)
                contents.ids[item.id.description] = try await add(item, to: &contents)
            case "entry": contents.entries.append(record)
            default:
                throw Self.unknown(record)
            }
        }
        return try await finish(
            contents, title: title, isDryRun: isDryRun, publishTiming: publishTiming,
            files: { try await Self.store(try open(), files) }, by: actor)
    }

    /// Stores the files of a checked bundle; the rows of their images follow.
    private static func store(_ chunks: @escaping BundleChunks, _ write: ImportBundle.FileWriter) async throws {
        var reader = BundleReader(chunks)
        _ = try reader.header()
        while let record = try reader.next() {
            if record.name == "file" { try await write(BundleFile(record)) }
        }
    }

    /// For a kind of record that is none, or belongs to a pack that is not enabled.
    static func unknown(_ record: BundleReader.Record) -> Failure {
        BundleReader.error(record.location, FieldErrors.step(record.name), "unknown", tr("Unknown kind of record."))
    }

    /// Compares the entries with those here, and writes the ones that differ. `files` stores the files of new images.
    func finish(
        _ contents: Contents, title: String, isDryRun: Bool, publishTiming: PublishTiming,
        files: () async throws -> Void = {}, by actor: Actor
    ) async throws -> Report {
        var imported: [ImportedEntry] = []
        var seen: Set<ID<Entry>> = []
        for record in contents.entries {
            let entry = try await entry(record, contents.ids)
            guard seen.insert(entry.id).inserted else {
                throw BundleReader.error(
                    record.location, "/entry/id", "duplicate", tr("Another entry has the same id."))
            }
            imported.append(entry)
        }
        var report = Report(entries: imported.map(Self.difference))
        let differing = imported.filter { !$0.isSame }
        if !isDryRun, !differing.isEmpty {
            try await publishTiming.check(by: actor, database)
            if !contents.images.isEmpty { try await files() }
            let published = try await write(differing, contents, title: title, publishTiming, by: actor)
            (report.release, report.publication) = (published.release, published.publication)
        }
        return report
    }

    static func item(_ record: BundleReader.Record) throws -> ReceivedCatalogItem {
        func text(_ name: String, _ length: Int) -> String? {
            record.members[name]?.stringValue.flatMap {
                $0.utf8.count <= length && !PlainText.isBlank($0) && $0 == PlainText.singleLine($0) ? $0 : nil
            }
        }
        guard let id = record.members["id"]?.stringValue.flatMap(ID<CatalogItem>.init), let kind = text("kind", 63),
            let source = text("source", 63), let external = text("external_id", ReceivedCatalogItem.externalIDLength),
            let title = text("title", 4 * ReceivedCatalogItem.titleLength), let details = record.members["details"],
            details.objectValue != nil, !details.containsNUL
        else {
            throw BundleReader.error(
                record.location, "/catalog_item", "required",
                tr("A catalog item needs id, kind, source, external_id, title (one line each) and details."))
        }
        return ReceivedCatalogItem(
            id: id, kind: kind, source: source, externalID: external, title: title, details: details)
    }

    /// The local id of a catalog item: the same one here by its id, which survives a change of source, or by its id at the
    /// source.
    func add(_ item: ReceivedCatalogItem, to contents: inout Contents) async throws -> String {
        if let same = try await database.catalogItems?.find([item.id]).first { return same.id.description }
        let known = try await database.catalogItems?.find(
            kind: item.kind, source: item.source, externalID: item.externalID)
        if let known { return known.id.description }
        contents.items.append(item)
        return item.id.description
    }

    private func entry(_ record: BundleReader.Record, _ ids: [String: String]) async throws -> ImportedEntry {
        guard let id = record.members["id"]?.stringValue.flatMap(ID<Entry>.init) else {
            throw BundleReader.error(record.location, "/entry/id", "format", tr("The id is missing or not a UUID."))
        }
        let content = try Self.content(of: record)
        let newest = try await database.revisions.newest(of: id)
        let (type, checked) = try await Self.locating(record.location) {
            let type = try rules.type(named: record.members["type"]?.stringValue ?? "")
            guard let content else { return (type, Content?.none) }
            let checked = try await rules.checked(
                Self.localized(content, ids), as: type, for: .revision, keeping: newest?.content.fields ?? [:])
            return (type, checked.content)
        }
        var completed = checked
        // As it would be stored; an image that is not imported yet stays as it is in the bundle.
        if let checked { completed = (try? await database.media.completing(checked, of: type)) ?? checked }
        return ImportedEntry(
            location: record.location, id: id, type: type, note: record.members["note"]?.stringValue ?? "",
            content: completed, newest: newest)
    }

    /// The fields of an entry; nil to unpublish it, which a record must say, so that none does by mistake.
    private static func content(of record: BundleReader.Record) throws -> [String: JSONValue]? {
        let known = ["id", "type", "content", "note"]
        for name in record.members.keys.sorted() where !known.contains(name) {
            let message = Suggestion.sentence(tr("Unknown member name."), for: name, among: known)
            throw BundleReader.error(record.location, "/entry\(FieldErrors.step(name))", "unknown_field", message)
        }
        switch record.members["content"] {
        case .object(let fields)?: return fields
        case .null?: return nil
        default:
            throw BundleReader.error(
                record.location, "/entry/content", "type",
                tr("The content must be an object with fields, or null to unpublish the entry."))
        }
    }

    /// The content with this deployment's ids.
    private static func localized(_ fields: [String: JSONValue], _ ids: [String: String]) -> [String: JSONValue] {
        func walk(_ value: JSONValue) -> JSONValue {
            switch value {
            case .array(let values): .array(values.map(walk))
            case .object(let members): .object(members.mapValues(walk))
            case .string(let text): .string(ids[text] ?? text)
            default: value
            }
        }
        return fields.mapValues(walk)
    }

    private static func difference(_ entry: ImportedEntry) -> Report.Difference {
        let state =
            entry.isSame
            ? "same" : entry.content == nil ? "unpublished" : entry.newest == nil ? "new" : "changed"
        let changes =
            entry.content.map { ContentDiff.between(old: entry.newest?.content, new: $0, type: entry.type) } ?? []
        return Report.Difference(
            entry: entry.id.description, type: entry.type.name,
            title: (entry.content ?? entry.newest?.content)?.title(in: entry.type) ?? "", state: state,
            fields: changes.map { Report.FieldDifference(label: $0.label, old: $0.old, new: $0.new) })
    }

    private func write(
        _ imported: [ImportedEntry], _ contents: Contents, title: String, _ timing: PublishTiming, by actor: Actor
    ) async throws -> Published {
        let rules = rules
        let event = AuditEvent("release.import", on: "release", detail: ["entries": .int(Int64(imported.count))])
        return try await database.transaction(by: actor, event) { transaction in
            try await transaction.lock(for: timing)
            // Entries may reference one another, so all are created before the first revision.
            try await transaction.releaseBundles.addEntries(
                imported.filter { $0.newest == nil && $0.content != nil }.map { ($0.id, $0.type) }, by: actor)
            try await transaction.catalogItems?.keep(contents.items)
            for image in contents.images { try await image.record(transaction) }
            var changes: [LiveChange] = []
            for entry in imported {
                guard let content = entry.content else {
                    changes.append(LiveChange(entry: entry.id, revision: nil))
                    continue
                }
                let written: WrittenRevision
                do {
                    let content = try await transaction.media.completing(content, of: entry.type)
                    let draft = EntryDraft(
                        entry: entry.id, type: entry.type, content: content,
                        texts: try await rules.texts(of: content, in: entry.type), base: entry.newest?.number ?? 0,
                        note: entry.note)
                    written = try await transaction.write(draft)
                } catch let failure as Failure {
                    throw Self.located(failure, entry.location)
                }
                if timing != .draft { _ = try await transaction.approve(written.revision) }
                changes.append(LiveChange(entry: entry.id, revision: written.revision))
            }
            if timing != .draft, timing != .approveOnly {
                return try await transaction.publish(changes, timing, title: title)
            }
            var published = Published()
            published.release = try await transaction.releases.add(title: title, items: changes, by: actor).number
            return published
        }
    }

    static func locating<Value>(_ location: String, _ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let failure as Failure {
            throw located(failure, location)
        }
    }

    private static func located(_ failure: Failure, _ location: String) -> Failure {
        guard case .invalid(let errors) = failure else { return failure }
        var located = FieldErrors()
        for item in errors.items {
            located.add(
                "\(location) /entry/content\(item.pointer.replacing("/fields", with: ""))", item.code, item.message)
        }
        return .invalid(located)
    }
}
