// Brings a bundle of entries in as a release of this deployment: compared first, published by whoever may here.
import Domain
import FoundationEssentials
import Platform
import Store

package struct ImportRelease: Sendable {
    private let database: Database
    private let rules: ContentRules

    package init(database: Database, rules: ContentRules) {
        self.database = database
        self.rules = rules
    }

    package struct Report: Sendable, Encodable {
        /// The release that holds them; nil when it was only compared, or nothing differs.
        package var release: Int64?
        package var entries: [Difference] = []

        package struct Difference: Sendable, Encodable {
            package let entry: String
            package let type: String
            package let title: String
            /// new, changed, same or withdrawn
            package let state: String
            package let fields: [FieldDifference]
        }

        package struct FieldDifference: Sendable, Encodable {
            package let label: String
            package let old: String?
            package let new: String?
        }
    }

    /// An entry of the bundle beside what is here.
    private struct Move {
        let line: Int
        let id: ID<Entry>
        let type: ContentType
        let note: String
        /// Nil: to be withdrawn.
        let content: Content?
        let newest: RevisionRow?

        var isSame: Bool { content != nil && content == newest?.content }
    }

    /// Compares on a try; else writes new versions of what differs and puts all of it into an open release, approved on
    /// the actor's word where `isApproved`.
    package func callAsFunction(
        _ pieces: @escaping @Sendable () throws -> [UInt8]?, title: String, isTry: Bool, isApproved: Bool = false,
        files: ImportBundle.FileWriter, by actor: Actor
    ) async throws -> Report {
        try actor.require(.makeRelease, "import a release")
        var reader = BundleReader(pieces)
        guard try reader.header().scope == .entries else {
            throw Failure.refused(code: "scope", message: "This bundle is of everything, not of a release.")
        }
        // The ids of images and of things of the catalogs, there and here.
        var ids: [String: String] = [:]
        var items: [ReceivedCatalogItem] = []
        var records: [BundleReader.Record] = []
        while let record = try reader.next() {
            switch record.name {
            case "file": if !isTry { try await files(BundleFile(record)) }
            case "media":
                let (old, new) = try await image(record, isTry: isTry, by: actor)
                ids[old] = new
            case "catalog_item":
                let item = try Self.item(record)
                if let known = try await known(item) {
                    ids[item.id.description] = known.description
                } else {
                    items.append(item)
                }
            case "entry": records.append(record)
            default:
                throw BundleReader.fault(
                    record.line, FieldErrors.step(record.name), "unknown", "There are no records of this name.")
            }
        }
        var moves: [Move] = []
        for record in records { moves.append(try await move(record, ids)) }
        var report = Report(entries: moves.map(Self.difference))
        let differing = moves.filter { !$0.isSame }
        if !isTry, !differing.isEmpty {
            report.release = try await write(differing, items, title: title, isApproved: isApproved, by: actor)
        }
        return report
    }

    /// An image's id there and here: the same upload is the same image.
    private func image(
        _ record: BundleReader.Record, isTry: Bool, by actor: Actor
    ) async throws -> (String, String) {
        let members = record.members
        guard let id = members["id"]?.stringValue, let hash = members["upload_sha256"]?.stringValue.flatMap(Hex.bytes),
            hash.count == 32, let type = members["type"]?.stringValue
        else {
            throw BundleReader.fault(record.line, "/media", "required", "An image has id, type and upload_sha256.")
        }
        if let known = try await database.media.find(uploadHash: hash) { return (id, known.id.description) }
        if isTry { return (id, id) }
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
        let made = try await database.change(by: actor, event) { change in
            let made = try await change.media.add(new, by: actor)
            if let made, let focus { _ = try await change.media.describe(made, alt: new.alt, focus: focus) }
            return made
        }
        return (id, made?.description ?? id)
    }

    private static func item(_ record: BundleReader.Record) throws -> ReceivedCatalogItem {
        func text(_ name: String, _ length: Int) -> String? {
            record.members[name]?.stringValue.flatMap {
                $0.utf8.count <= length && !PlainText.isBlank($0) && $0 == PlainText.singleLine($0) ? $0 : nil
            }
        }
        guard let id = record.members["id"]?.stringValue.flatMap(ID<CatalogItem>.init), let kind = text("kind", 63),
            let source = text("source", 63), let external = text("external_id", CatalogRecord.externalIDLength),
            let title = text("title", 4 * CatalogRecord.titleLength), let details = record.members["details"],
            details.objectValue != nil, !details.holdsNUL
        else {
            throw BundleReader.fault(
                record.line, "/catalog_item", "required",
                "A thing of a catalog has id, kind, source, external_id, title (a line each) and details.")
        }
        return ReceivedCatalogItem(
            id: id, kind: kind, source: source, externalID: external, title: title, details: details)
    }

    /// The same thing here: by its id, which stays when its source is replaced, or by what its source calls it.
    private func known(_ item: ReceivedCatalogItem) async throws -> ID<CatalogItem>? {
        if let same = try await database.catalogs.find(item.id) { return same.id }
        return try await database.catalogs.find(
            kind: item.kind, source: item.source, externalID: item.externalID)?.id
    }

    private func move(_ record: BundleReader.Record, _ ids: [String: String]) async throws -> Move {
        guard let id = record.members["id"]?.stringValue.flatMap(ID<Entry>.init) else {
            throw BundleReader.fault(record.line, "/entry/id", "format", "An entry has an id.")
        }
        let newest = try await database.revisions.newest(of: id)
        let (type, checked) = try Self.naming(record.line) {
            let type = try rules.type(named: record.members["type"]?.stringValue ?? "")
            let fields = record.members["content"]?.objectValue
            return (type, try fields.map { try rules.check(Self.moved($0, ids), as: type, for: .revision) })
        }
        var content = checked
        // As it would be written; an image that is not here yet stays as it came.
        if let checked { content = (try? await database.media.completing(checked, of: type)) ?? checked }
        return Move(
            line: record.line, id: id, type: type, note: record.members["note"]?.stringValue ?? "", content: content,
            newest: newest)
    }

    /// The content with the ids of this deployment.
    private static func moved(_ fields: [String: JSONValue], _ ids: [String: String]) -> [String: JSONValue] {
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

    private static func difference(_ move: Move) -> Report.Difference {
        let state =
            move.content == nil
            ? "withdrawn" : move.isSame ? "same" : move.newest == nil ? "new" : "changed"
        let changes =
            move.content.map { ContentDiff.between(old: move.newest?.content, new: $0, type: move.type) } ?? []
        return Report.Difference(
            entry: move.id.description, type: move.type.name,
            title: (move.content ?? move.newest?.content)?.title(in: move.type) ?? "", state: state,
            fields: changes.map { Report.FieldDifference(label: $0.label, old: $0.old, new: $0.new) })
    }

    private func write(
        _ moves: [Move], _ items: [ReceivedCatalogItem], title: String, isApproved: Bool, by actor: Actor
    ) async throws -> Int64 {
        let rules = rules
        let event = AuditEvent("release.import", on: "release", detail: ["entries": .int(Int64(moves.count))])
        return try await database.change(by: actor, event) { change in
            // Entries may name one another: all are there before the first version is written.
            try await change.releaseBundles.addEntries(
                moves.filter { $0.newest == nil && $0.content != nil }.map { ($0.id, $0.type) }, by: actor)
            try await change.releaseBundles.keep(items)
            var changes: [LiveChange] = []
            for move in moves {
                guard let content = move.content else {
                    changes.append(LiveChange(entry: move.id, revision: nil))
                    continue
                }
                let draft = EntryDraft(
                    entry: move.id, type: move.type, content: content, plain: rules.plain(content, in: move.type),
                    base: move.newest?.number ?? 0, note: move.note)
                let written: WrittenRevision
                do {
                    written = try await change.write(draft)
                } catch let failure as Failure {
                    throw Self.named(failure, move.line)
                }
                if isApproved { _ = try await change.approve(written.revision, of: move.id) }
                changes.append(LiveChange(entry: move.id, revision: written.revision))
            }
            return try await change.releases.add(title: title, holding: changes, by: actor).number
        }
    }

    private static func naming<Value>(_ line: Int, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let failure as Failure {
            throw named(failure, line)
        }
    }

    private static func named(_ failure: Failure, _ line: Int) -> Failure {
        guard case .invalid(let errors) = failure else { return failure }
        var named = FieldErrors()
        for item in errors.items {
            named.add(
                "line \(line) /entry/content\(item.pointer.replacing("/fields", with: ""))", item.code, item.message)
        }
        return .invalid(named)
    }
}
