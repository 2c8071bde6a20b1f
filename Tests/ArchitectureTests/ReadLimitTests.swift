// Checks that every read of many rows has a limit, or is listed here with what bounds it.
import Testing

@Suite("Reads of many rows")
struct ReadLimitTests {
    /// By type and function: what bounds a read whose statement has no limit and names no list of the caller.
    private static let bounded = [
        "AuditStore.verify": "a limit in the function",
        "BulkEntryStore.categories": "one bulk action, of at most 5,000 entries",
        "BulkEntryStore.changed": "one bulk action, of at most 5,000 entries",
        "BulkEntryStore.plan": "one bulk action, of at most 5,000 entries",
        "BulkEntryStore.planned": "one bulk action, of at most 5,000 entries",
        "BulkActionStore.plan": "one bulk action, of at most 5,000 submissions",
        "BulkActionStore.planned": "one bulk action, of at most 5,000 submissions",
        "BulkActionStore.restoreValues": "one bulk action, of at most 5,000 submissions",
        "BundleStore.columns": "the columns of a table",
        "BundleStore.disabledContent": "the packs, tables and content types of a deployment",
        "BundleStore.rows": "a cursor, read in batches",
        "CatalogBundle.used": "an exported release",
        "CatalogSourceStore.all": "the sources in the configuration",
        "CatalogUses.ranks": "the items of a field of one revision",
        "CategoryReads.groups": "two groups",
        "CityReads.categories": "two groups",
        "DaemonAddress.find": "the sessions that the server allows",
        "DecisionStore.add": "one row for each action of the caller",
        "DecisionStore.lock": "one row for each action of the caller",
        "DecisionStore.undo": "one submission, or one bulk action of at most 5,000",
        "EntryStore.add": "the row it inserts",
        "EntryStore.unassignableCategories": "the categories that the caller names",
        "FeedOrderStore.byDate": "a ranked feed, which is reordered as a whole",
        "IdentityStore.databaseID": "one row",
        "IdentityStore.isCopy": "one row",
        "ImportStore.names": "entries of a kind that an import can name, of which it needs all",
        "ItemReads.page": "both statements have limits",
        "LateWorkStore.counts": "one row",
        "MissingTextStore.ids": "texts that apps know, written by the team",
        "MissingTextStore.languages": "one row for each language",
        "OutboxStore.due": "the webhooks in the configuration of the team, at most 1,000",
        "PlaceReads.find": "one place",
        "PlaceReads.page": "the statement has limits",
        "AccessReference.read": "the tables of a schema", "ProjectionReference.read": "the functions of a schema",
        "PromotionReads.find": "one promotion",
        "PublicationStore.imagesWithoutFiles": "everything that one publication publishes",
        "PublicationStore.publishDue": "a limit in the function",
        "PublicationStore.ready": "everything that one publication publishes; pages only count it",
        "PublicationStore.rowCounts": "one row for each read table and operation",
        "PublicationStore.verificationParts": "parts of many rows each",
        "PublicationStore.verify": "differences, of which there are none in a sound database",
        "QueueStore.around": "the statement has limits",
        "QueueStore.page": "the statement has a limit",
        "ReadContract.read": "the columns of a schema",
        "ReleaseBundleStore.entries": "an exported release",
        "ReleaseBundleStore.media": "an exported release",
        "ReviewStageStore.approvals": "one for each member of the team",
        "ReviewStageStore.list": "a few stages for each content type and category group",
        "ReviewStageStore.people": "one row for each role",
        "ReviewStageStore.stageProgress": "the stages of the caller's submissions",
        "RouteStore.obstructions": "along one route, whose length and points are limited",
        "RouteStore.samples": "along one route, whose length and points are limited",
        "ClassificationStore.find": "one submission",
        "ScreeningStore.find": "one submission",
        "ServerInfo.read": "four settings",
        "SettingReads.all": "one for each setting that apps know, written by the team",
        "SimilarityStore.candidates": "the statement has limits for each key",
        "ThumbnailStore.thumbnails": "the rows of one page, which the caller names",
        "UploadStore.bytes": "the parts of one upload, of at most 100 MB",
    ]

    private struct Read: Hashable {
        let function: String
        let isBounded: Bool
    }

    private static var declaration: Regex<(Substring, Substring)> {
        #/ {0,4}(?:(?:package|private|fileprivate|public|static|mutating)\s+)*(?:func|init|var|let)\s*(\w*)/#
    }

    /// The functions of the stores that read many rows.
    private static let reads: [Read] = SourceFile.sources.filter { $0.layer == "Store" }.flatMap { file in
        let type = String(file.name.dropLast(".swift".count))
        var found: [Read] = []
        var name = ""
        var body: [Substring] = []
        func end() {
            let text = body.joined(separator: "\n")
            if text.contains(/connection\.(rows|query|longRows)\(/) {
                found.append(Read(function: "\(type).\(name)", isBounded: isBounded(text)))
            }
        }
        let declaration = declaration
        for line in file.lines {
            if let match = line.prefixMatch(of: declaration) {
                end()
                (name, body) = (String(match.1), [])
            }
            body.append(line)
        }
        end()
        return found
    }

    /// Whether a statement has a limit other than 1, which is one of a part, or reads what a list of the caller names.
    private static func isBounded(_ function: String) -> Bool {
        let strings = String(
            decoding: SourceText(SourceFile(path: "", text: function), .swift).strings, as: UTF8.self)
        return strings.contains(/\blimit (?!1\b)/) || strings.contains(/(unnest|any)\(…/)
    }

    @Test("S29: every read of many rows has a limit, or is listed with what bounds it")
    func limits() {
        #expect(Self.reads.count > 100)
        let unbounded = Set(Self.reads.filter { !$0.isBounded }.map(\.function))
        let unknown = unbounded.subtracting(Self.bounded.keys).sorted()
        #expect(unknown.isEmpty, "give these a limit, or say here what bounds them: \(unknown)")
        let stale = Set(Self.bounded.keys).subtracting(unbounded).sorted()
        #expect(stale.isEmpty, "these have a limit, or don't exist: \(stale)")
    }
}
