// Reads a folder of JSON files with entries, catalog items and images, as people write them, like a bundle of entries.
import Domain
import Localization
import Platform
import Store

/// Each document is an object with the lists `entries` and `catalog_items`, whose objects have the members of the records of
/// a bundle. Instead of ids, the content may contain names: `feed:city-guides` is an entry by its type and slug,
/// `movie:two-tickets` a catalog item of the same document by its kind and its id at the source, and a path an image.
package struct ContentFolder: Sendable {
    private let documents: [String]
    /// Reads a file by its path in the folder.
    let read: @Sendable (String) throws -> [UInt8]

    package init(documents: [String], read: @escaping @Sendable (String) throws -> [UInt8]) {
        self.documents = documents
        self.read = read
    }

    func records() throws -> [BundleReader.Record] {
        try documents.sorted().flatMap { name in
            let document = try document(name)
            return try records("catalog_item", document["catalog_items"], name)
                + records("entry", document["entries"], name)
        }
    }

    private func document(_ name: String) throws -> [String: JSONValue] {
        let bytes = try read(name)
        let value: JSONValue
        do throws(Failure) {
            value = try JSONValue(parsing: bytes, maxDepth: BundleFormat.maxDepth)
        } catch {
            guard case .invalid(let errors) = error, let first = errors.items.first else { throw error as any Error }
            throw BundleReader.error(name, first.pointer, first.code, first.message)
        }
        guard let members = value.objectValue, Set(members.keys).isSubset(of: ["entries", "catalog_items"]) else {
            throw BundleReader.error(
                name, "", "type", tr("The file must be an object with the lists entries and catalog_items."))
        }
        return members
    }

    private func records(_ name: String, _ list: JSONValue?, _ document: String) throws -> [BundleReader.Record] {
        try (list?.arrayValue ?? []).enumerated().map { index, value in
            let location = "\(document) \(name) \(index + 1)"
            guard let members = value.objectValue else {
                throw BundleReader.error(location, "", "type", tr("This must be an object."))
            }
            return BundleReader.Record(location: location, name: name, members: members)
        }
    }
}

extension ImportRelease {
    private static let imagesAtOnce = 16

    /// Adds an image to the media library.
    package typealias ImageWriter =
        @Sendable (_ bytes: [UInt8], _ name: String, _ alt: String) async throws -> ID<Media>

    /// The same for a folder.
    package func callAsFunction(
        _ folder: ContentFolder, title: String, isDryRun: Bool, publishTiming: PublishTiming = .draft,
        images: @escaping ImageWriter,
        by actor: Actor
    ) async throws -> Report {
        try actor.require(.createRelease, tr("import a release"))
        var contents = Contents()
        for record in try folder.records() {
            if record.name == "entry" {
                contents.entries.append(try await identified(record, &contents.ids))
            } else {
                guard database.catalogItems != nil else { throw Self.unknown(record) }
                var record = record
                record.members["id"] = record.members["id"] ?? .string(UUIDv7.make().uuidString.lowercased())
                let item = try Self.item(record)
                contents.ids["\(item.kind):\(item.externalID)"] = try await add(item, to: &contents)
            }
        }
        // Images by path, with their alternative texts.
        var paths: [String: String] = [:]
        for record in contents.entries {
            guard let fields = record.members["content"]?.objectValue else { continue }
            let type = try rules.type(named: record.members["type"]?.stringValue ?? "")
            for leaf in Content(fields: fields).leaves(of: type) {
                if leaf.field.type.isReference {
                    try await resolve(leaf, of: record, &contents.ids)
                } else if leaf.field.type == .image, let path = leaf.value["media"]?.stringValue,
                    ID<Media>(path) == nil
                {
                    paths[path] = paths[path] ?? leaf.value["alt"]?.stringValue ?? ""
                }
            }
        }
        let media = try await add(paths, of: folder, images: isDryRun ? nil : images)
        contents.ids.merge(media) { $1 }
        return try await finish(contents, title: title, isDryRun: isDryRun, publishTiming: publishTiming, by: actor)
    }

    /// The ids of the images; without `images`, new ones are not added.
    private func add(
        _ paths: [String: String], of folder: ContentFolder, images: ImageWriter?
    ) async throws -> [String: String] {
        try await withThrowingTaskGroup(of: (String, ID<Media>).self) { group in
            var ids: [String: String] = [:]
            for (number, (path, alt)) in paths.enumerated() {
                // The queue of images to decode is bounded, and so is memory.
                if number >= Self.imagesAtOnce, let (path, id) = try await group.next() { ids[path] = id.description }
                let bytes = try folder.read(path)
                group.addTask {
                    let name = path.split(separator: "/").last.map(String.init) ?? path
                    if let images { return (path, try await images(bytes, name, alt)) }
                    return (
                        path, try await database.media.find(uploadHash: SHA256.hash(bytes))?.id ?? ID(UUIDv7.make())
                    )
                }
            }
            for try await (path, id) in group { ids[path] = id.description }
            return ids
        }
    }

    /// The record with the id of its entry, which is the one with its slug if the record has none, or a new one.
    private func identified(
        _ record: BundleReader.Record, _ ids: inout [String: String]
    ) async throws -> BundleReader.Record {
        var record = record
        let type = try await Self.locating(record.location) {
            try rules.type(named: record.members["type"]?.stringValue ?? "")
        }
        guard var fields = record.members["content"]?.objectValue, let slugField = type.slugField else { return record }
        let slug = fields[slugField]?.stringValue ?? Slug.make(from: fields[type.titleField]?.stringValue ?? "")
        fields[slugField] = .string(slug)
        var id = record.members["id"]?.stringValue
        if id == nil {
            id = (try await database.entries.find(type: type.name, slug: slug) ?? ID(UUIDv7.make())).description
        }
        guard ids.updateValue(id ?? "", forKey: "\(type.name):\(slug)") == nil else {
            throw BundleReader.error(
                record.location, "/entry/content/\(slugField)", "duplicate",
                tr("Another entry of this type has the same slug."))
        }
        record.members["id"] = id.map(JSONValue.string)
        record.members["content"] = .object(fields)
        return record
    }

    /// Finds the entries that a reference names and that are not in the folder.
    private func resolve(
        _ reference: Content.Leaf, of record: BundleReader.Record, _ ids: inout [String: String]
    ) async throws {
        let names = (reference.value.arrayValue ?? [reference.value]).compactMap(\.stringValue)
        for name in names where ids[name] == nil && ID<Entry>(name) == nil {
            let parts = name.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2, let id = try await database.entries.find(type: parts[0], slug: parts[1]) else {
                throw BundleReader.error(
                    record.location, "/entry/content/\(reference.path)", "reference",
                    tr("There is no entry \"\(name)\". Use an id, or a type and slug such as feed:city-guides."))
            }
            ids[name] = id.description
        }
    }
}
