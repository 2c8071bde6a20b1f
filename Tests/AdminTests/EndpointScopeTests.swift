// Walks all pages and forms of the admin as restricted accounts: nothing outside the access scope is shown or changed.
import Domain
import FoundationEssentials
import Intake
import Postgres
import Publishing
import Review
import Store
import TestBasics
import TestSupport
import Testing

@testable import Admin

@Suite("Access scopes of the endpoints", .databases)
struct EndpointScopeTests {
    /// Endpoints for staff that access scopes don't concern, and why. A new one needs a reason here.
    private static let unscoped: [String: String] = [
        "GET /design": "examples, in development only", "GET /queue/statistics": "numbers",
        "GET /screening": "rules for all content",
        "GET /screening/{version}": "rules and numbers", "GET /review-stages": "names of stages",
        "GET /feeds": "titles of feeds", "GET /categories": "names of categories", "GET /media": "images of all",
        "POST /media": "images of all", "POST /media/{id}": "images of all",
        "POST /media/descriptions": "images of all", "POST /media/{id}/replace": "images of all",
        "POST /media/{id}/restore": "images of all", "POST /media/{id}/delete": "images that nothing uses",
        "GET /media/{id}/image": "images of all", "GET /catalog": "items of public catalogs",
        "POST /catalog": "items of public catalogs", "GET /catalog/{id}": "items of public catalogs",
        "POST /catalog/{id}": "items of public catalogs",
    ]

    /// In every text outside the scopes that is not published.
    private static let marker = "xqzhidden"
    /// A word to search for that is in these texts, too.
    private static let word = "findable"
    private static let first = ID<Entry>("00000000-0000-7000-8000-000000000011")
    private static let second = ID<Entry>("00000000-0000-7000-8000-000000000012")

    private struct World {
        let fixture: AdminFixture
        /// The IDs outside the scopes, by the first segment of the path.
        let outside: [String: String]
        let inside: [String: String]
        /// The release that contains entries of both.
        let mixed: Int64
        let hidden: [String]
    }

    /// What is inside is an article in the first category group, what is outside a film in the second.
    private func world() async throws -> World {
        let fixture = try await AdminFixture.make()
        let (one, two) = (try #require(Self.first), try #require(Self.second))
        let marker = Self.marker
        let walks = try await fixture.publish("category", "Walks", ["group": .entry(one)])
        let films = try await fixture.publish("category", "Films", ["group": .entry(two)])
        let inside = try await fixture.publish("article", "A walk", ["categories": .entries([walks])])
        // Published, so its title may appear; its newer draft may not.
        let live = try await fixture.publish("video", "A film", ["categories": .entries([films])])
        try await fixture.edit(live, ["title": .string("\(marker) \(Self.word) newer")], publishTiming: .draft)
        let draft = try await fixture.publish(
            "video", "\(marker) \(Self.word) draft", ["categories": .entries([films])], publishTiming: .draft)
        let ready = try await fixture.publish(
            "video", "\(marker) \(Self.word) ready", ["categories": .entries([films])], publishTiming: .approveOnly)
        let submission = try await fixture.submit(
            "\(marker) \(Self.word) sent", type: "video", category: "Films", contributor: "\(marker) person")
        let mine = try await fixture.submit("About walks", category: "Walks")
        let person = try #require(try await fixture.test.database.reputations.find(of: submission)).id
        try await fixture.test.services.addNote(
            "\(marker) remark", on: .contributor(person), by: try await fixture.test.actor(.curator, name: "Nils"))
        try await fixture.test.services.addNote(
            "\(marker) note", on: .submission(submission), by: try await fixture.test.actor(.curator, name: "Nora"))
        let compose = ComposeRelease(database: fixture.test.database)
        let planner = try await fixture.test.actor(.administrator, name: "Planner")
        let theirs = try await compose.create(title: "\(marker) \(Self.word) release", by: planner)
        let mixed = try await compose.create(title: "Friday", by: planner)
        try await compose.add([LiveChange(entry: live, revision: nil)], to: theirs, by: planner)
        for entry in [inside, live] {
            try await compose.add([LiveChange(entry: entry, revision: nil)], to: mixed, by: planner)
        }
        let action = try await fixture.test.services.planBulkAction(.reject, .listed([submission]), by: planner)
        let publication = try #require(
            try await fixture.test.superuser().one(
                "select max(publication) as n from curation.publication_change where entry_id = \(live)")("n") as Int64?
        )
        let outside = [
            "queue": submission.description, "entries": draft.description, "categories": films.description,
            "feeds": live.description, "onboarding": live.description, "texts": live.description,
            "settings": live.description, "routes": live.description, "releases": String(theirs),
            "publications": String(publication), "bulk-actions": action.description,
            "contributors": try await contributor(of: submission, fixture),
            "reports": try await report(live, "\(marker) report", fixture),
        ]
        let within = [
            "queue": mine.description, "entries": inside.description, "categories": walks.description,
            "releases": String(mixed), "publications": "1", "contributors": try await contributor(of: mine, fixture),
            "reports": try await report(inside, "A report", fixture),
        ]
        return World(
            fixture: fixture, outside: outside, inside: within, mixed: mixed,
            hidden: [submission.description, draft.description, ready.description])
    }

    private func contributor(of submission: ID<Submission>, _ fixture: AdminFixture) async throws -> String {
        try #require(try await fixture.test.database.reputations.find(of: submission)).id.description
    }

    private func report(_ entry: ID<Entry>, _ text: String, _ fixture: AdminFixture) async throws -> String {
        let report = try await fixture.test.services.receiveReport(
            ReportDraft(.id(entry), .spam, text: text), by: try await fixture.test.clientActor([.report]))
        return try #require(try await fixture.test.database.reports.find(report.id)).reportCase.description
    }

    /// `ids` of what it addresses.
    private func url(_ endpoint: AdminEndpoint, _ ids: [String: String], _ world: World) -> String {
        let segment = endpoint.pattern.split(separator: "/").first.map(String.init) ?? ""
        let id = ids[segment] ?? UUID().uuidString.lowercased()
        // The items of releases are entries.
        let isItem = endpoint.pattern.hasPrefix("/releases/{number}/items/")
        return endpoint.pattern.replacing("{id}", with: isItem ? world.outside["entries"] ?? "" : id)
            .replacing("{number}", with: id).replacing("{other}", with: world.outside["queue"] ?? "")
            .replacing(/\{(a|b|version)\}/) { _ in "1" }.replacing("{locale}", with: "en")
            .replacing(/\{[a-z]+\}/) { _ in UUID().uuidString.lowercased() }
    }

    @Test(
        "S15: what concerns no scope is listed here with its reason; administrators' endpoints are for unrestricted accounts"
    )
    func declared() {
        var unscoped: Set<String> = []
        for endpoint in AdminSite.endpoints(TestDatabase.allPacks) {
            guard case .may(let permission) = endpoint.access else { continue }
            let name = "\(endpoint.method) \(endpoint.pattern)"
            if case .none = endpoint.scope { unscoped.insert(name) }
            if permission == .administer {
                guard case .unrestricted = endpoint.scope else {
                    Issue.record("\(name) is open to restricted administrators")
                    continue
                }
            }
        }
        #expect(unscoped == Set(Self.unscoped.keys))
    }

    /// The scopes that exclude films of the second category group.
    private static let scopes: [AccessScope] = {
        let groups = Set([first].compactMap(\.self))
        return [
            AccessScope(types: ["article"], groups: []), AccessScope(types: [], groups: groups),
            AccessScope(types: ["article"], groups: groups),
        ]
    }()

    private static let endpoints = AdminSite.endpoints(TestDatabase.packs).filter {
        if case .may = $0.access { $0.pattern != "/logout" } else { false }
    }

    /// The browser of a new account with this scope.
    private func browser(
        _ role: Role, _ scope: AccessScope, _ world: World, _ owner: PostgresClient
    ) async throws -> Browser {
        let number = Self.scopes.firstIndex(of: scope) ?? 0
        let actor = try await world.fixture.test.actor(role, name: "Restricted \(number)")
        try await owner.transaction { transaction in
            try await transaction.execute("set local session_replication_role = replica")
            try await transaction.execute(
                """
                update ops.account set types = \(scope.types.isEmpty ? nil : "{article}")::text[],
                    groups = \(scope.groups.first.map { "{\($0)}" })::uuid[] where id = \(actor.rowID)
                """)
        }
        return world.fixture.browser(of: actor)
    }

    @Test(
        "S15: endpoints × roles × access scopes: pages show nothing unpublished outside the scope, forms change nothing",
        arguments: Role.presets)
    func walk(role: Role) async throws {
        let world = try await world()
        let owner = world.fixture.test.superuser()
        var (requests, refused) = (0, 0)
        let scopes = TestScale.sample(
            Self.scopes, every: Self.scopes.count, offset: Role.presets.firstIndex(of: role) ?? 0)
        for scope in scopes {
            let visit = try await browser(role, scope, world, owner)
            let before = try await state(owner)
            for endpoint in Self.endpoints {
                let mustRefuse = endpoint.isClosed(to: scope)
                if endpoint.method == "POST" {
                    let fields = [("id", world.outside["queue"] ?? ""), ("action", "reject")]
                    let page = try await visit.post(url(endpoint, world.outside, world), fields)
                    expectHidden(page, "POST \(endpoint.pattern) \(scope)", world)
                    #expect(!mustRefuse || page.isRefused, "POST \(endpoint.pattern) \(scope): \(page.status)")
                    (requests, refused) = (requests + 1, refused + (page.isRefused ? 1 : 0))
                    continue
                }
                let inside = url(endpoint, world.inside, world)
                let outside = url(endpoint, world.outside, world)
                for target in Set([outside, inside, "\(inside)?q=\(Self.word)&text=\(Self.word)"]) {
                    let page = try await visit.get(target)
                    expectHidden(page, "GET \(target) \(scope)", world)
                    let isWrong = mustRefuse && target == outside && !page.isRefused
                    #expect(!isWrong, "\(target) \(scope): \(page.status)")
                    (requests, refused) = (requests + 1, refused + (page.isRefused ? 1 : 0))
                }
            }
            #expect(try await state(owner) == before, "\(role) \(scope)")
        }
        #expect(requests > 160 * scopes.count && refused > 80 * scopes.count, "\(requests), \(refused)")
        await owner.close()
    }

    private func expectHidden(_ page: BrowserPage, _ name: String, _ world: World) {
        #expect(page.status < 500, "\(name)")
        #expect(!page.html.contains(Self.marker), "\(name)")
        for id in world.hidden where !page.url.contains(id) {
            #expect(!page.html.contains(id), "\(name) shows \(id)")
        }
    }

    @Test("Without a scope the same pages show what is hidden above")
    func control() async throws {
        let world = try await world()
        let visit = try await world.fixture.browser(.administrator, name: "Unrestricted")
        var shown: Set<String> = []
        for endpoint in Self.endpoints where endpoint.method == "GET" {
            for ids in [world.outside, world.inside] {
                let page = try await visit.get(url(endpoint, ids, world))
                if page.html.contains(Self.marker) { shown.insert(endpoint.pattern) }
            }
        }
        #expect(
            shown.isSuperset(of: [
                "/queue", "/queue/{id}", "/queue/{id}/similar/{other}", "/entries", "/entries/{id}",
                "/entries/{id}/history", "/releases", "/releases/{number}", "/bulk-actions/{id}", "/publications/plan",
                "/reports/{id}", "/contributors", "/contributors/{id}", "/contributors/{id}/export",
            ]), "\(shown.sorted())")
    }

    /// Everything about what is outside that a form could change.
    private func state(_ owner: PostgresClient) async throws -> String {
        try await owner.one(
            """
            select md5(concat(
                (select string_agg(q::text, ',' order by q.submission_id) from curation.queue_item q where q.type = 'video'),
                (select string_agg(d::text, ',' order by d.id) from curation.decision d),
                (select string_agg(n::text, ',' order by n.id) from curation.note n),
                (select string_agg(r::text, ',' order by r.id) from curation.revision r),
                (select string_agg(i::text, ',' order by i.release_id, i.entry_id) from curation.release_item i),
                (select string_agg(r::text, ',' order by r.id) from curation.release r),
                (select count(*) from curation.publication), (select count(*) from curation.approval),
                (select count(*) from curation.contributor where status is not null),
                (select count(*) from curation.report_case where decided_at is not null),
                (select count(*) from curation.screening_activation), (select count(*) from curation.bulk_action),
                (select count(*) from ops.account where types is null and groups is null))) as state
            """)("state")
    }
}

extension AdminEndpoint {
    /// Whether the gate refuses an article's account what concerns a film.
    fileprivate func isClosed(to accessScope: AccessScope) -> Bool {
        switch scope {
        case .submission, .entry, .release, .bulkAction, .reportCase, .unrestricted: true
        case .type(let type): !accessScope.contains(type: type)
        case .none, .own, .filtered, .operation: false
        }
    }
}

extension BrowserPage {
    /// Also as if the object did not exist.
    fileprivate var isRefused: Bool { status == 403 || status == 404 }
}
