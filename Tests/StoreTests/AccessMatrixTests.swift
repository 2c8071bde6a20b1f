// Walks the governed tables, with every operation, role and access scope: what the database allows the daemon to change.
import Domain
import FoundationEssentials
import Platform
import Postgres
import Store
import TestBasics
import TestSupport
import Testing

@Suite("Access to tables", .databases)
struct AccessMatrixTests {
    /// Who may change a row of a table.
    private enum Rule: String {
        case none, unrestricted, own, image, submission, entry, note, revision, release
        case releaseItem = "release_item"

        var isOfContent: Bool { ![.none, .unrestricted, .own, .image].contains(self) }
    }

    private struct Expectation {
        /// One of them is enough.
        let permissions: Set<Permission>
        let rule: Rule
        /// The column of a new row's author.
        var author: String?
        /// To decide is enough only for what follows from a decision in the same transaction.
        var followsDecision = false

        init(_ permissions: Set<Permission>, _ rule: Rule, author: String? = nil, followsDecision: Bool = false) {
            (self.permissions, self.rule, self.author) = (permissions, rule, author)
            self.followsDecision = followsDecision
        }

        /// The permissions for a change that follows from no decision.
        var alone: Set<Permission> { followsDecision ? permissions.subtracting([.decide]) : permissions }
    }

    /// The tables that the walk leaves out, and why.
    private static let leftOut = [
        "curation.live": "only publications write it: AccessScopeTests, StolenLoginTests",
        "curation.publication": "only publications write it: AccessScopeTests, StolenLoginTests",
        "curation.preview_approval": "only a function writes it: StolenLoginTests",
        "curation.catalog_item": "only functions of catalogs write it",
    ]

    private static let expected: [String: Expectation] = [
        "ops.actor": .init([.readQueue], .own), "ops.account": .init([.readQueue], .own),
        "ops.second_factor": .init([.readQueue], .own), "ops.recovery_code": .init([.readQueue], .own),
        "ops.role": .init([.administer], .unrestricted), "delivery.client": .init([.administer], .unrestricted),
        "delivery.identity": .init([], .unrestricted), "ops.checklist": .init([.administer], .unrestricted),
        "curation.submission_form": .init([.administer], .unrestricted),
        "ops.webhook": .init([.administer], .unrestricted, author: "created_by"),
        "curation.submission": .init([.suggest], .none, author: "client_id"),
        "curation.contributor": .init([.decide], .unrestricted),
        "curation.report": .init([], .none, author: "client_id"),
        "curation.report_case": .init([.decide], .entry),
        "curation.submission_version": .init([.decide], .submission),
        "curation.status_link": .init([.decide], .submission),
        "curation.note": .init([.readQueue], .note, author: "author_id"),
        "curation.decision": .init([.decide], .submission, author: "decided_by"),
        "curation.submission_approval": .init([.decide], .submission, author: "approved_by"),
        "curation.review_stage": .init([.administer], .unrestricted),
        "curation.screening_rules": .init([.publish], .unrestricted, author: "created_by"),
        "curation.screening_activation": .init([.publish], .unrestricted, author: "created_by"),
        "curation.automatic_decision": .init([], .submission),
        "curation.entry": .init([.suggest, .decide], .entry, author: "created_by"),
        "curation.revision": .init([.suggest, .decide], .revision, author: "author_id"),
        "curation.external_id": .init([.suggest, .decide], .entry),
        "curation.approval": .init([.approve, .decide], .revision, author: "actor_id", followsDecision: true),
        "curation.publish_approval": .init([.approve, .decide], .revision, followsDecision: true),
        "ops.media": .init([.suggest, .decide], .image, author: "uploaded_by"),
        "ops.media_file": .init([.suggest, .decide], .image),
        "ops.media_version": .init([.suggest, .decide], .image, author: "created_by"),
        "curation.playlist_check": .init([.suggest, .decide], .none, author: "checked_by"),
        "curation.live": .init([.publish, .decide], .none),
        "curation.publication": .init([.publish, .decide], .none),
        "curation.release": .init(
            [.createRelease, .publish, .decide], .release, author: "created_by", followsDecision: true),
        "curation.release_item": .init([.createRelease, .publish, .decide], .releaseItem, followsDecision: true),
        "curation.preview": .init([.createRelease], .unrestricted, author: "created_by"),
        "curation.preview_approval": .init([.createRelease], .none),
        "curation.validity_period": .init([.publish], .unrestricted),
        "curation.observation": .init([.publish], .unrestricted),
        "curation.observation_history": .init([.publish], .unrestricted),
        "curation.postcode": .init([.publish], .unrestricted),
        "curation.catalog_item": .init([.suggest, .decide], .none),
    ]

    /// Names the governed tables as the database declares them.
    private func declared(_ owner: PostgresClient) async throws -> [String: String] {
        let rows = try await owner.query(
            """
            select t.tgrelid::regclass::text as name, encode(t.tgargs, 'escape') as arguments
            from pg_trigger t where t.tgname = 'audited'
            """
        ).map { (try $0("name") as String, try $0("arguments") as String) }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    @Test("S15: every table with audit events declares who may change it, and this test has a row for it")
    func everyTable() async throws {
        let owner = try await TestDatabase.make().superuser()
        let declared = try await declared(owner)
        #expect(declared.count > 25)
        for (table, arguments) in declared {
            let words = arguments.split(separator: "\\000", omittingEmptySubsequences: false).map(String.init)
            let expectation = try #require(Self.expected[table], "\(table) has no row in this test")
            let permissions = Set(words[0].split(separator: ",").map(String.init))
                .subtracting(["submit", "report", "visit", "contribute"])
            #expect(permissions == Set(expectation.permissions.map(\.rawValue)), "\(table)")
            #expect(words.dropFirst().first == expectation.rule.rawValue, "\(table)")
        }
    }

    @Test("S15: tables × operations × roles × access scopes: only permitted changes in the scope pass")
    func matrix() async throws {
        let world = try await Self.world()
        var generator = SeededGenerator(seed: 20)
        let presets: [Set<Permission>] = [
            [.readQueue, .decide, .suggest], [.readQueue, .decide, .suggest, .edit, .approve, .createRelease],
            Set(Permission.allCases.filter { $0 != .administer }), Set(Permission.allCases),
        ]
        let random = (0..<3).map { _ in
            Set(Permission.allCases.filter { $0 == .readQueue || Bool.random(using: &generator) })
        }
        var (passed, refused, tables) = (0, 0, Set<String>())
        var wrong: [String] = []
        for item in world.cases {
            for operation in AccessWorld.Operation.allCases {
                if operation == .insert, item.isOwn { continue }
                guard let grant = world.grants["\(item.table) \(operation.rawValue)"] else { continue }
                let attempts = (presets + random).flatMap { permissions in
                    AccessWorld.scopes.map { (permissions: permissions, scope: $0) }
                }
                let refusals = try await refusals(operation, item, grant, attempts, world)
                for (attempt, refusal) in zip(attempts, refusals) {
                    let isAllowed = Self.isAllowed(item, attempt.permissions, attempt.scope)
                    if refusal.isEmpty != isAllowed {
                        wrong.append(
                            "\(operation.rawValue) \(item.table) \(item.content.map(\.type)) own: \(item.isOwn), \(attempt.permissions.map(\.rawValue).sorted()) \(attempt.scope): \(refusal)"
                        )
                    }
                    if isAllowed { passed += 1 } else { refused += 1 }
                    tables.insert(item.table)
                }
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count) wrong:\n\(wrong.prefix(20).joined(separator: "\n"))")
        #expect(passed > 1000 && refused > 2000, "\(passed), \(refused)")
        let untried = Set(try await declared(world.owner).keys).subtracting(tables)
        let unexpected = untried.symmetricDifference(Self.leftOut.keys).sorted()
        let absent = TestPack.lists.isEnabled ? [] : ["curation.catalog_item"]
        #expect(unexpected == absent, "give these a row in AccessWorld, or say in leftOut why not: \(unexpected)")
    }

    private static func world() async throws -> AccessWorld {
        try await AccessWorld.make(
            tables: expected.keys.sorted(), contentTables: Set(expected.filter { $0.value.rule.isOfContent }.keys))
    }

    @Test("S15: somebody else's event in the same transaction widens no access scope")
    func companions() async throws {
        let world = try await Self.world()
        let permissions = Set(Permission.allCases.filter { $0 != .administer })
        let scope = AccessWorld.Scope(type: AccessWorld.articles.type, group: AccessWorld.articles.group)
        let visitor = Actor(kind: .visitor, name: "visitor")
        // What the other one may do alone.
        let own: [String: Set<String>] = [
            "visitor": ["curation.submission_version"],
            "Besides": Set(Self.expected.filter { $0.value.permissions.contains(.readQueue) }.keys),
        ]
        var (refused, passed) = (0, 0)
        for companion in [visitor, world.companion] {
            for item in world.cases where own[companion.name]?.contains(item.table) != true {
                guard let rule = Self.expected[item.table]?.rule, rule != .none, rule != .own, rule != .image
                else { continue }
                for operation in AccessWorld.Operation.allCases {
                    guard let grant = world.grants["\(item.table) \(operation.rawValue)"],
                        grant.role == "vitrine_daemon"
                    else { continue }
                    let refusal =
                        try await refusals(
                            operation, item, grant, [(permissions: permissions, scope: scope)], world,
                            besides: companion
                        ).first ?? ""
                    let isAllowed = Self.isAllowed(item, permissions, scope)
                    #expect(
                        refusal.isEmpty == isAllowed,
                        "\(operation.rawValue) \(item.table) \(item.content.map(\.type)) beside \(companion.name): \(refusal)"
                    )
                    if isAllowed { passed += 1 } else { refused += 1 }
                }
            }
        }
        #expect(refused > 60 && passed > 20, "\(refused), \(passed)")
    }

    private static func isAllowed(_ item: AccessWorld.Case, _ permissions: Set<Permission>, _ scope: AccessWorld.Scope)
        -> Bool
    {
        guard let expectation = expected[item.table], !expectation.alone.isDisjoint(with: permissions) else {
            return false
        }
        let isUnrestricted = scope.type == nil && scope.group == nil
        switch expectation.rule {
        // No entry uses the image; for others: ImageScopeTests.
        case .none, .image: return true
        case .unrestricted: return isUnrestricted
        case .own: return item.isOwn || isUnrestricted && permissions.contains(.administer)
        case .submission, .entry, .note, .revision, .release, .releaseItem:
            return item.content.allSatisfy(scope.contains)
        }
    }

    /// The constraints by which the database refuses the operation in each attempt; empty if nothing about access refuses it.
    private func refusals(
        _ operation: AccessWorld.Operation, _ item: AccessWorld.Case, _ grant: (role: String, columns: [String]),
        _ attempts: [(permissions: Set<Permission>, scope: AccessWorld.Scope)], _ world: AccessWorld,
        besides companion: Actor? = nil
    ) async throws -> [String] {
        var row = item.row.objectValue ?? [:]
        if operation == .insert, let author = Self.expected[item.table]?.author {
            row[author] = .string(world.actor.rowID.uuidString.lowercased())
        }
        let names = grant.columns.filter { row[$0] != nil }.map { "\"\($0)\"" }.joined(separator: ", ")
        // Everybody may change the language of their own account.
        let column = grant.columns.contains("locale") ? "locale" : grant.columns.first ?? ""
        let deletion = "delete from \(item.table) where \(item.key)"
        let change =
            switch operation {
            case .insert:
                """
                insert into \(item.table) (\(names)) overriding system value
                select \(names) from jsonb_populate_record(null::\(item.table), $1)
                """
            case .update: "update \(item.table) set \(column) = \(column) where \(item.key)"
            case .delete: deletion
            }
        return try await world.owner.query(
            """
            select attempt(string_to_array(a.permissions, ' '), string_to_array(a.type, ' '), string_to_array(a.category_group, ' ')::uuid[],
                \(world.actor.rowID), \(world.actor.credential?.bytes ?? []), \(grant.role),
                \(operation == .insert ? deletion : ""), \(change), \(JSONValue.object(row))::jsonb, \(companion?.rowID)::uuid,
                \(companion?.credential?.bytes)::bytea) as refusal
            from unnest(\(attempts.map { $0.permissions.map(\.rawValue).sorted().joined(separator: " ") })::text[],
                \(attempts.map(\.scope.type))::text[], \(attempts.map(\.scope.group))::text[]) with ordinality
                a (permissions, type, category_group, position) order by a.position
            """
        ).map { try $0("refusal") }
    }
}
