// What one pack, or the core itself, consists of: what it puts into the database, and the parts of the layers above.
import Domain

package struct Pack: Sendable {
    /// As in the setting `packs`; `core` for the core.
    package let name: String
    /// The kinds of entries that its content types can have.
    package var kinds: Set<ContentType.Kind> = []
    /// The fields that its projections need or read, by the kind of the entry.
    package var needs: [ContentType.Kind: [KindField]] = [:]
    /// The kinds that readers can find by ID or slug.
    package var resolved: [ResolvedKind] = []
    /// For kinds whose entries have members: the field by which others belong to one.
    package var memberFields: [ContentType.Kind: String] = [:]
    /// Tables, indexes and grants in order, each applied once.
    package var migrations: [Script] = []
    /// Functions that its tables need when they are created.
    package var early: [[UInt8]] = []
    package var functions: [[UInt8]] = []
    package var projections: [Projection] = []
    /// SQL that several of its projections share.
    package var shared: [[UInt8]] = []
    /// Rows of `projection.dependency`.
    package var dependencies: [UInt8] = []
    /// SQL by the name of a line `-- packs: name` in a function or view of the core: it is inserted below that line.
    package var insertions: [String: String] = [:]
    /// The read tables that clients can copy.
    package var readTables: [ReadTable] = []
    /// Default settings and texts: a JSON array of objects with `type` and `fields`.
    package var defaults: [UInt8] = Array("[]".utf8)
    package var bundle = BundleTables()
    package var tasks: [TaskKind] = []
    /// Reads when its read tables change by time alone, such as when a promotion starts.
    package var moments: Moments?
    /// Writes what its tables hold of a new revision, such as a measured path.
    package var revisionAdded: RevisionAdded?
    /// The catalog items that fields refer to.
    package var catalogItems: (@Sendable (StoreConnection) -> any CatalogItems)?
    /// Its pages, endpoints, commands and whatever else a layer above the database lets packs add.
    package var parts: [any PackPart] = []

    package typealias RevisionAdded =
        @Sendable (StoreConnection, NewRevision, ContentType, ID<Revision>) async throws -> Void

    /// The last such moment, in microseconds since 1970 (0: none yet), and the seconds until the next; nil if there is none.
    package typealias Moments = @Sendable (StoreConnection) async throws -> (last: Int64, wait: Double?)

    /// A kind with a read table, by whose `id`, `slug` and `type` readers find its entries.
    package struct ResolvedKind: Sendable {
        package let kind: ContentType.Kind
        /// The path of its API, to which the ID is added: `/v1/places/`; nil if there is none.
        package let path: String?
        let hasSlug: Bool
        /// An SQL expression for the content type.
        let type: String
        let table: String

        /// `table` has the name of the kind by default.
        package init(
            _ kind: ContentType.Kind, path: String?, hasSlug: Bool = true, type: String? = nil, table: String? = nil
        ) {
            self.table = table ?? kind.rawValue
            self.kind = kind
            self.path = path
            self.hasSlug = hasSlug
            self.type = type ?? "'\(kind.rawValue)'"
        }
    }

    package struct Script: Sendable {
        let name: String
        let text: [UInt8]

        /// `name` has the pack's name as its folder: `places/places`.
        package init(_ name: String, _ text: [UInt8]) {
            self.name = name
            self.text = text
        }
    }

    package struct Projection: Sendable {
        let name: String
        let key: [String]
        let tables: [String]
        /// The column with the ID that a row is computed for, mostly of an entry: `publish verify` compares slices of these.
        /// The view and the tables have it.
        let entry: String
        let text: [UInt8]

        /// `tables` are the read tables that it fills; by default one with its own name. `entry` is by default the first
        /// column of the key.
        package init(
            _ name: String, key: [String] = ["id"], tables: [String]? = nil, entry: String? = nil, _ text: [UInt8]
        ) {
            self.name = name
            self.key = key
            self.tables = tables ?? [name]
            self.entry = entry ?? key[0]
            self.text = text
        }
    }

    package init(_ name: String) { self.name = name }
}

/// What a layer above the database lets packs add; each layer declares its own type.
package protocol PackPart: Sendable {}

/// The core with the packs that a deployment has enabled, in the order of registration.
package struct PackSet: Sendable {
    /// The core first.
    package let all: [Pack]
    /// Before the name under which packs insert SQL into a text of the core.
    private static let marker = "-- packs: "

    package init(_ packs: [Pack]) { all = [.core] + packs }

    /// No pack.
    package static let none = PackSet([])

    /// The names of the enabled packs.
    package var names: [String] { all.dropFirst().map(\.name) }

    package func contains(_ name: String) -> Bool { names.contains(name) }

    package var kinds: Set<ContentType.Kind> { Set(all.flatMap(\.kinds)) }
    package var needs: [ContentType.Kind: [KindField]] {
        all.reduce(into: [:]) { found, pack in found.merge(pack.needs) { $0 + $1 } }
    }
    package var resolved: [Pack.ResolvedKind] { all.flatMap(\.resolved) }
    /// The kinds that have slugs.
    package var kindsWithSlug: [String] { resolved.filter(\.hasSlug).map(\.kind.rawValue) }
    package var projections: [Pack.Projection] { all.flatMap(\.projections) }
    package var readTables: [ReadTable] { all.flatMap(\.readTables).sorted { $0.name < $1.name } }
    package var bundleTables: [BundleTable] { all.flatMap(\.bundle.carried) + all.flatMap(\.bundle.carriedLast) }
    package var tasks: [TaskKind] { all.flatMap(\.tasks) }

    /// What the enabled packs add to one layer.
    package func parts<Part: PackPart>(_ type: Part.Type) -> [Part] { all.flatMap(\.parts).compactMap { $0 as? Part } }
    var migrations: [Pack.Script] { all.flatMap(\.migrations) }

    package func memberField(of kind: ContentType.Kind) -> String? {
        all.lazy.compactMap { $0.memberFields[kind] }.first
    }

    /// The path of the API of a kind, to which the ID is added; nil if there is none.
    package func path(of kind: String) -> String? { resolved.first { $0.kind.rawValue == kind }?.path }

    var moments: [String: Pack.Moments] {
        all.reduce(into: [:]) { found, pack in found[pack.name] = pack.moments }
    }

    /// The tables that are not part of bundles, and why.
    package var bundleExclusions: [String: String] {
        all.flatMap(\.bundle.excluded).reduce(into: [:]) { $0[$1.key] = $1.value }
    }

    /// The names under which packs insert SQL, and those of the lines of the core that take it.
    package var insertionNames: (used: Set<String>, offered: Set<String>) {
        let core = Pack.core
        let texts = core.early + core.functions + core.shared + core.projections.map(\.text)
        let lines = texts.flatMap { String(decoding: $0, as: UTF8.self).split(separator: "\n") }
        let offered = lines.compactMap { line in
            line.firstRange(of: Self.marker).map { String(line[$0.upperBound...]) }
        }
        return (Set(all.flatMap(\.insertions.keys)), Set(offered))
    }

    /// The names of all migrations, in order.
    package var migrationNames: [String] { migrations.map(\.name) }

    /// The names of the projections.
    package var projectionNames: [String] { projections.map(\.name) }

    /// The names of the projected read tables.
    package var projectedTables: [String] { projections.flatMap(\.tables) }

    /// The default settings and texts of a new deployment; those of packs name their `pack`.
    package func defaults() throws -> [JSONValue] {
        try all.flatMap { pack -> [JSONValue] in
            let items = try JSONValue(parsing: pack.defaults).arrayValue ?? []
            guard names.contains(pack.name) else { return items }
            return items.map { .object(($0.objectValue ?? [:]).merging(["pack": .string(pack.name)]) { $1 }) }
        }
    }

    /// The read tables that `scope` may see.
    package func readTables(visibleTo scope: ReadScope) -> [ReadTable] {
        scope == .reader ? readTables : readTables.filter(\.isForGuests)
    }

    /// FNV-1a over all functions and projections: it only has to detect edits.
    var checksum: String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for pack in all {
            var texts = pack.early + pack.functions + pack.shared + pack.projections.map(\.text)
            texts.append(pack.dependencies)
            texts += pack.insertions.sorted { $0.key < $1.key }.map { Array($0.value.utf8) }
            for byte in texts.joined() { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        }
        return String(hash, radix: 16)
    }

    /// The text with what packs insert into it, and their names in place of `@packs@`.
    func completed(_ text: [UInt8]) -> String {
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        return lines.flatMap { line -> [Substring] in
            guard let range = line.firstRange(of: Self.marker) else { return [line] }
            let name = String(line[range.upperBound...])
            return [line] + all.compactMap { $0.insertions[name].map { $0[...] } }
        }.joined(separator: "\n").replacing("@packs@", with: names.joined(separator: ","))
    }
}
