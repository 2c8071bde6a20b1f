// A database with content of every kind, and its bundles.
import Domain
import Operations
import Platform
import Postgres
import Routes
import Store
import Synchronization
import TestSupport

struct BundleWorld: World {
    let test: TestDatabase

    /// Content of every kind, most of it with a history.
    static func full() async throws -> BundleWorld {
        BundleWorld(test: try await content.copy())
    }

    private static let content = PreparedDatabase { test in
        let world = BundleWorld(test: test)
        try await world.submissions()
        var editor = RandomEditor(test: world.test, seed: 20)
        editor.types += TestPack.lists.ifEnabled(["list"])
        for _ in 0..<40 { try await editor.action() }
        if TestPack.routes.isEnabled { try await world.routes() }
        try await world.releases()
        try await world.access()
    }

    static func empty() async throws -> BundleWorld { BundleWorld(test: try await TestDatabase.make()) }

    private func submissions() async throws {
        let client = try await test.clientActor()
        let curator = try await test.actor(.publisher)
        let receive = test.services.receiveSubmission
        let decide = test.services.decideSubmission
        let verdicts: [Verdict?] = [.approve, .reject, .requestChanges, .approve, nil]
        for (index, verdict) in verdicts.enumerated() {
            let id = try await receive(
                SubmissionDraft(
                    type: "article", contributor: "reader-\(index)", category: "Ünsorted \"\\ \u{1F980}",
                    fields: ["title": .string("Crab \(index)"), "body": "<p>Slow &amp; <b>low</b></p>"],
                    idempotencyKey: "key-\(index)"), by: client
            ).id
            guard let verdict else { continue }
            var draft = Decision.Draft(verdict: verdict)
            if verdict == .approve { draft.categories = [SeedEntry.unsorted] } else { draft.message = "Why?" }
            if verdict == .approve { draft.publishTiming = .now }
            if verdict == .reject { draft.reason = .spam }
            _ = try await decide(id, draft, version: 0, by: curator)
            if index == 3 {
                try await test.services.undoDecision(id, version: 1, by: curator)
            }
        }
        let queue = try await receive(
            SubmissionDraft(
                type: "article", contributor: "reader-9", fields: ["title": "Claimed", "body": "<p>Mine.</p>"]),
            by: client)
        _ = try await test.services.claimSubmission(queue.id, by: curator)
    }

    private func routes() async throws {
        let world = RouteWorld(test: test)
        try await world.badges()
        _ = try await world.route()
        try await world.observations(.air, [("A", 50, 10, "2.123456789012345678901"), ("B", 50.01, 10, "3")])
        // The second replaces the first, which stays in the history.
        try await world.observations(.obstruction, [("A", 50, 10, "1")])
        try await world.observations(.obstruction, [("A", 50, 10, "0")])
        _ = try await world.route("Draft", publishTiming: .approveOnly)
    }

    private func releases() async throws {
        let actor = TestDatabase.administrator
        let slug: [String: JSONValue] = [
            "title": "Old address", "slug": "old", "body": "<p>1</p>",
            "categories": .array([.string(SeedEntry.unsorted.description)]),
        ]
        let made = try await write.create(type: "article", fields: slug, publishTiming: .now, by: actor)
        var moved = slug
        moved["slug"] = "new"
        _ = try await write.edit(made.entry, fields: moved, base: 1, publishTiming: .now, by: actor)
        let publish = test.services.publishRelease
        let before = try await test.database.publications.current()
        _ = try await write.edit(
            made.entry, fields: moved.merging(["title": "Later"]) { $1 }, base: 2, publishTiming: .now, by: actor)
        _ = try await publish.rollback(to: before, seen: nil, by: actor)
        let compose = test.services.composeRelease
        _ = try await compose.create(title: "Waits", by: actor)
    }

    private func access() async throws {
        _ = try await test.actor(try await test.role("moderator", [.decide]))
        try await test.client.transaction { transaction in
            try await transaction.execute(
                """
                insert into ops.audit_event (actor_id, action, object_type)
                values (\(SystemActor.system), 'webhook.create', 'webhook')
                """)
            try await transaction.execute(
                """
                insert into ops.webhook (url, events, secret, created_by)
                values ('https://example.org/hook', '{entry.published}', '\\x736563726574', \(SystemActor.operator))
                """)
        }
    }

    // MARK: Bundles

    func export(files: Bool = false) async throws -> [UInt8] {
        let bytes = Mutex<[UInt8]>([])
        let library = test.library.files
        let read: ExportBundle.FileReader = { text in
            guard let path = MediaPath(text) else { return nil }
            return try await library.bytes(path)
        }
        _ = try await test.services.exportBundle(files: files ? read : nil) { line in
            bytes.withLock { $0 += line }
        }
        return bytes.withLock { $0 }
    }

    /// As an operator imports it, in pieces of a size that fits no line.
    @discardableResult
    func `import`(
        _ bundle: [UInt8], isDryRun: Bool = false, packs: PackSet = TestDatabase.packs
    ) async throws -> ImportBundle.Report {
        let rest = Mutex(bundle[...])
        let library = test.library.files
        let importing = ImportBundle(
            database: OwnerDatabase(client: test.client, roles: Roles.standard, packs: packs))
        let keep: ImportBundle.FileWriter = { file in
            if let path = MediaPath(file.path) { try await library.put(file.bytes, at: path) }
        }
        return try await importing(
            { rest.withLock { Self.piece(&$0) } }, isDryRun: isDryRun, files: keep,
            by: Actor(kind: .system, name: "import"))
    }

    private static func piece(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        if rest.isEmpty { return nil }
        defer { rest = rest.dropFirst(7001) }
        return Array(rest.prefix(7001))
    }

    /// The whole log of changes, as readers follow it.
    func changes() async throws -> [String] {
        try await test.client.query("select c::text as line from api_v1.change c order by number").map {
            try $0("line")
        }
    }
}
