// Imports a bundle of entries as a release of this deployment, after comparing it with the current entries.
import Domain
import FoundationEssentials
import Localization
import Platform
import Store

package struct ImportRelease: Sendable {
    let database: Database
    let rules: ContentRules

    package init(database: Database, rules: ContentRules) {
        self.database = database
        self.rules = rules
    }

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

        var isSame: Bool { content != nil && content == newest?.content }
    }

    /// Writes new revisions of the entries that differ and adds them to an open release, approved in the actor's name
    /// unless they are drafts, or publishes them. A dry run only compares.
    package func callAsFunction(
        _ chunks: @escaping @Sendable () throws -> [UInt8]?, title: String, isDryRun: Bool,
        publishTiming: PublishTiming = .draft,
        files: ImportBundle.FileWriter, by actor: Actor
    ) async throws -> Report {
        try actor.require(.createRelease, tr("import a release"))
        var reader = BundleReader(chunks)
        guard try reader.header().scope == .entries else {
            throw Failure.refused(
                code: "scope",
                message: tr("This bundle contains a whole deployment, not a release. Run \"vitrine import bundle\"."))
        }
        var contents = Contents()
        while let record = try reader.next() {
            switch record.name {
            case "file": if !isDryRun { try await files(BundleFile(record)) }
            case "media":
                let (old, new) = try await image(record, isDryRun: isDryRun, by: actor)
                contents.ids[old] = new
            case "catalog_item" where database.catalogItems != nil:
                let item = try Self.item(record)
                contents.ids[item.id.description] = try await add(item, to: &contents)
            case "entry": contents.entries.append(record)
            default:
                throw Self.unknown(record)
            }
        }
        return try await finish(contents, title: title, isDryRun: isDryRun, publishTiming: publishTiming, by: actor)
    }

    /// For a kind of record that is none, or belongs to a pack that is not enabled.
    static func unknown(_ record: BundleReader.Record) -> Failure {
        BundleReader.error(record.location, FieldErrors.step(record.name), "unknown", tr("Unknown kind of record."))
    }

    /// Compares the entries with those here, and writes the ones that differ.
    func finish(
        _ contents: Contents, title: String, isDryRun: Bool, publishTiming: PublishTiming, by actor: Actor
    ) async throws -> Report {
        var imported: [ImportedEntry] = []
        for record in contents.entries { imported.append(try await entry(record, contents.ids)) }
        var report = Report(entries: imported.map(Self.difference))
        let differing = imported.filter { !$0.isSame }
        if !isDryRun, !differing.isEmpty {
            let published = try await write(differing, contents.items, title: title, publishTiming, by: actor)
            (report.release, report.publication) = (published.release, published.publication)
        }
        return report
    }

    /// An image's id in the bundle and here. The same upload is the same image.
    private func image(
        _ record: BundleReader.Record, isDryRun: Bool, by actor: Actor
    ) async throws -> (String, String) {
        let members = record.members
        guard let id = members["id"]?.stringValue, let hash = members["upload_sha256"]?.stringValue.flatMap(Hex.bytes),
            hash.count == 32, let type = members["type"]?.stringValue
        else {
            throw BundleReader.error(
                record.location, "/media", "required", tr("An image needs id, type and upload_sha256."))
        }
        if let known = try await database.media.find(uploadHash: hash) { return (id, known.id.description) }
        if isDryRun { return (id, id) }
        let files = (members["files"]?.arrayValue ?? []).compactMap { file -> ImageValue.File? in
            guard let path = file["path"]?.stringValue, let sha256 = file["sha256"]?.stringValue else { return nil }
            return ImageValue.File(
                path: path, width: Int(file["width"]?.integerValue ?? 0),
                height: Int(file["height"]?.integerValue ?? 0),
                bytes: Int(file["bytes"]?.integerValue ?? 0), sha256: sha256)
        }
        let new = NewMedia(
            uploadHash: hash, name: members["name"]?.stringValue ?? "", type: type,
            alt: members["alt"]?.stringValue ?? "",
            files: files)
        let focus = FocalPoint(
            x: Int(members["focus_x"]?.integerValue ?? 500), y: Int(members["focus_y"]?.integerValue ?? 500))
        let event = AuditEvent("media.import", on: "media", detail: ["upload_sha256": .string(Hex.text(hash))])
        let created = try await database.transaction(by: actor, event) { transaction in
            let created = try await transaction.media.add(new, by: actor)
            if let created, let focus { _ = try await transaction.media.update(created, alt: new.alt, focus: focus) }
            return created
        }
        return (id, created?.description ?? id)
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
        let newest = try await database.revisions.newest(of: id)
        let (type, checked) = try await Self.locating(record.location) {
            let type = try rules.type(named: record.members["type"]?.stringValue ?? "")
            let fields = record.members["content"]?.objectValue
            guard let fields else { return (type, Content?.none) }
            return (type, try await rules.checked(Self.localized(fields, ids), as: type, for: .revision).content)
        }
        var content = checked
        // As it would be stored; an image that is not imported yet stays as it is in the bundle.
        if let checked { content = (try? await database.media.completing(checked, of: type)) ?? checked }
        return ImportedEntry(
            location: record.location, id: id, type: type, note: record.members["note"]?.stringValue ?? "",
            content: content, newest: newest)
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
            entry.content == nil
            ? "unpublished" : entry.isSame ? "same" : entry.newest == nil ? "new" : "changed"
        let changes =
            entry.content.map { ContentDiff.between(old: entry.newest?.content, new: $0, type: entry.type) } ?? []
        return Report.Difference(
            entry: entry.id.description, type: entry.type.name,
            title: (entry.content ?? entry.newest?.content)?.title(in: entry.type) ?? "", state: state,
            fields: changes.map { Report.FieldDifference(label: $0.label, old: $0.old, new: $0.new) })
    }

    private func write(
        _ imported: [ImportedEntry], _ items: [ReceivedCatalogItem], title: String, _ timing: PublishTiming,
        by actor: Actor
    ) async throws -> Published {
        try await timing.check(by: actor, database)
        let rules = rules
        let event = AuditEvent("release.import", on: "release", detail: ["entries": .int(Int64(imported.count))])
        return try await database.transaction(by: actor, event) { transaction in
            try await transaction.lock(for: timing)
            // Entries may reference one another, so all are created before the first revision.
            try await transaction.releaseBundles.addEntries(
                imported.filter { $0.newest == nil && $0.content != nil }.map { ($0.id, $0.type) }, by: actor)
            try await transaction.catalogItems?.keep(items)
            var changes: [LiveChange] = []
            for entry in imported {
                guard let content = entry.content else {
                    changes.append(LiveChange(entry: entry.id, revision: nil))
                    continue
                }
                let draft = EntryDraft(
                    entry: entry.id, type: entry.type, content: content,
                    texts: try await rules.texts(of: content, in: entry.type), base: entry.newest?.number ?? 0,
                    note: entry.note)
                let written: WrittenRevision
                do {
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
