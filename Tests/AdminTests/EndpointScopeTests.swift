// Walks all pages and forms of the admin as restricted accounts: nothing outside the access scope is shown or changed.
import Domain
import FoundationEssentials
import Operations
import Postgres
import Store
import TestBasics
import TestSupport
import Testing

@testable import Admin

@Suite("Access scopes of the endpoints", .databases)
struct EndpointScopeTests {
    /// Endpoints for staff that access scopes don't concern, and why. A new one needs a reason here.
    private static let unscoped: [String: String] = [
        "GET /design": "examples, in development only", "GET /screening": "rules for all content",
        "GET /review-stages": "names of stages",
        "POST /media": "a new image", "GET /catalog": "items of public catalogs",
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
        /// The release that contains entries of both, and the publication and bulk action that changed or concern both.
        let mixed: Int64
        let mixedPublication: Int64
        let mixedAction: ID<BulkAction>
        /// A published category outside with another name in a draft.
        let renamed: ID<Entry>
        let hidden: [String]
    }

    /// What is inside is an article in the first category group, what is outside a film in the second. Published categories,
    /// feeds and places outside have newer drafts with other names.
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
        let mixedPublication = try await mixedPublication(walks, films, fixture)
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
        let renamed = try await fixture.publish("category", "Cinema", ["group": .entry(two)])
        try await fixture.edit(renamed, ["title": .string("\(marker) \(Self.word) category")], publishTiming: .draft)
        let feed = try await fixture.publish("feed", "Evening", ["source_category": .entry(films)])
        try await fixture.edit(feed, ["title": .string("\(marker) \(Self.word) feed")], publishTiming: .draft)
        if TestPack.places.isEnabled { try await renamedPlace(in: films, fixture) }
        let image = try await image(of: films, fixture)
        try await fixture.test.services.addNote(
            "\(marker) note", on: .submission(submission), by: try await fixture.test.actor(.curator, name: "Nora"))
        let compose = fixture.test.services.composeRelease
        let planner = try await fixture.test.actor(.administrator, name: "Planner")
        let services = fixture.test.services
        // In the history of a submission inside is an original outside.
        _ = try await services.decideSubmission(
            mine, Decision.Draft(verdict: .duplicate, original: .submission(submission)), version: nil, by: planner)
        try await services.undoDecision(mine, version: nil, by: planner)
        let rejected = try await fixture.submit("\(marker) rejected", type: "video", category: "Films")
        _ = try await services.decideSubmission(
            rejected, Decision.Draft(verdict: .reject, reason: .spam), version: nil, by: planner)
        try await trial(of: rejected, fixture)
        let theirs = try await compose.create(title: "\(marker) \(Self.word) release", by: planner)
        let mixed = try await compose.create(title: "Friday", by: planner)
        try await compose.add([LiveChange(entry: live, revision: nil)], to: theirs, by: planner)
        for entry in [inside, live] {
            try await compose.add([LiveChange(entry: entry, revision: nil)], to: mixed, by: planner)
        }
        let action = try await services.planBulkAction(.reject, .listed([submission]), by: planner)
        let mixedAction = try await services.planBulkAction(.reject, .listed([submission, mine]), by: planner)
        let publication = try #require(
            try await fixture.test.superuser().one(
                "select max(publication) as n from curation.publication_change where entry_id = \(live)")("n") as Int64?
        )
        let outside = [
            "queue": submission.description, "entries": draft.description, "categories": films.description,
            "feeds": feed.description, "media": image.description, "onboarding": live.description,
            "texts": live.description,
            "routes": live.description, "releases": String(theirs),
            "publications": String(publication), "bulk-actions": action.description,
            "contributors": try await contributor(of: submission, fixture),
            "reports": try await report(live, "\(marker) report", fixture),
        ]
        let within = [
            "queue": mine.description, "entries": inside.description, "categories": walks.description,
            "releases": String(mixed), "publications": String(mixedPublication),
            "bulk-actions": mixedAction.description, "contributors": try await contributor(of: mine, fixture),
            "reports": try await report(inside, "A report", fixture),
        ]
        return World(
            fixture: fixture, outside: outside, inside: within, mixed: mixed, mixedPublication: mixedPublication,
            mixedAction: mixedAction, renamed: renamed,
            hidden: [
                submission.description, rejected.description, draft.description, ready.description, image.description,
            ])
    }

    /// A published place with another name in a draft, and its promotion, which no access scope by groups excludes.
    private func renamedPlace(in films: ID<Entry>, _ fixture: AdminFixture) async throws {
        let center: JSONValue = .object(["lat": .int(1), "lon": .int(2)])
        let city = try await fixture.publish("city", "Bath", ["center": center])
        let place = try await fixture.publish(
            "place", "Palace",
            [
                "city": .entry(city), "address": "Quay 1", "point": center, "image": "https://images.example/a.jpg",
                "categories": .entries([films]),
            ])
        try await fixture.publish(
            "promotion", "Two for one",
            ["place": .entry(place), "starts_at": "2026-01-01T00:00:00Z", "ends_at": "2096-01-01T00:00:00Z"])
        try await fixture.edit(place, ["title": .string("\(Self.marker) \(Self.word) place")], publishTiming: .draft)
    }

    /// Test results of screening rules that name a submission outside.
    private func trial(of submission: ID<Submission>, _ fixture: AdminFixture) async throws {
        let sample: JSONValue = .object([
            "submission": .string(submission.description), "title": .string("\(Self.marker) rejected"),
            "verdict": "spam", "score": .int(0), "level": "low", "why": "",
        ])
        // The first version was tested before there were submissions.
        try await fixture.test.writeUnchecked(
            """
            insert into curation.screening_trial (version, decisions, result)
            values (1, 1, \(JSONValue.object(["samples": .array([sample])]))::jsonb)
            on conflict (version) do update set decisions = excluded.decisions, result = excluded.result
            """)
    }

    /// An image that only a draft outside shows.
    private func image(of films: ID<Entry>, _ fixture: AdminFixture) async throws -> ID<Media> {
        let image = try await fixture.test.services.ingestImage(
            SmallImage.bytes, name: "\(Self.marker).png", alt: "\(Self.marker) \(Self.word) image",
            by: TestDatabase.administrator
        ).media
        try await fixture.publish(
            "video", "\(Self.marker) illustrated",
            [
                "categories": .entries([films]), "image": .object(["media": .string(image.id.description)]),
            ], publishTiming: .draft)
        return image.id
    }

    /// Publishes an article inside and a film outside together.
    private func mixedPublication(
        _ walks: ID<Entry>, _ films: ID<Entry>, _ fixture: AdminFixture
    ) async throws -> Int64 {
        try await fixture.publish(
            "article", "Two walks", ["categories": .entries([walks])], publishTiming: .approveOnly)
        try await fixture.publish(
            "video", "Two films", ["categories": .entries([films])], publishTiming: .approveOnly)
        let publisher = try await fixture.test.actor(.publisher, name: "Pia")
        return try #require(try await fixture.test.services.publishRelease.waiting(by: publisher).publication)
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
        try await walk(role, try await world(), offset: Role.presets.firstIndex(of: role) ?? 0)
    }

    @Test(
        "S15: the same for roles with random permissions, each of which is in some of them",
        arguments: TestScale.seeds(1, 2))
    func walkWithRandomRoles(seed: UInt64) async throws {
        let world = try await world()
        var numbers = SeededGenerator(seed: seed)
        let permissions = Set(Permission.allCases.filter { $0 == .readQueue || Bool.random(using: &numbers) })
        // What the first role lacks, the second one has.
        let others = Set(Permission.allCases).subtracting(permissions).union([.readQueue])
        for (number, permissions) in [permissions, others].enumerated() {
            let role = try await world.fixture.test.role("mixed\(number)", permissions)
            try await walk(role, world, offset: number + 1)
        }
    }

    private func walk(_ role: Role, _ world: World, offset: Int) async throws {
        let owner = world.fixture.test.superuser()
        var (requests, refused) = (0, 0)
        let scopes = TestScale.sample(Self.scopes, every: Self.scopes.count, offset: offset)
        for scope in scopes {
            let visit = try await browser(role, scope, world, owner)
            let before = try await state(owner)
            for endpoint in Self.endpoints {
                let mustRefuse = endpoint.isClosed(to: scope) || !endpoint.isOpen(to: role)
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
                "/queue", "/queue/{id}", "/queue/{id}/similar/{other}", "/categories", "/feeds", "/media",
                "/media/{id}",
                "/entries", "/entries/{id}",
                "/entries/{id}/history", "/releases", "/releases/{number}", "/bulk-actions/{id}", "/publications/plan",
                "/reports/{id}", "/contributors", "/contributors/{id}", "/contributors/{id}/status",
                "/contributors/{id}/reports", "/contributors/{id}/messages", "/contributors/{id}/notes",
                "/contributors/{id}/export",
                "/screening/{version}",
            ]), "\(shown.sorted())")
        #expect(shown.isSuperset(of: TestPack.places.ifEnabled(["/promotions"])), "\(shown.sorted())")
        let history = try await visit.get("/queue/\(world.inside["queue"] ?? "")")
        #expect(history.says("\(Self.marker) \(Self.word) sent"))
    }

    @Test("S15: a publication and a bulk action say how much of them is outside the scope, and count what is inside")
    func mixed() async throws {
        let world = try await world()
        for scope in Self.scopes {
            let visit = try await browser(.curator, scope, world, world.fixture.test.client)
            let publication = try await visit.get("/publications/\(world.mixedPublication)")
            #expect(publication.says("Two walks") && !publication.says("Two films"), "\(scope)")
            #expect(publication.says("Outside your access scope, so not shown: 1 entry."), "\(scope)")
            #expect(!publication.says("Show database rows"), "\(scope)")
            #expect(try await entries(in: world.mixedPublication, visit) == "1 published", "\(scope)")
            let action = try await visit.get("/bulk-actions/\(world.mixedAction)")
            #expect(action.says("Reject: 1 submission") && action.says("About walks"), "\(scope)")
            #expect(action.says("Outside your access scope, so not shown: 1 submission."), "\(scope)")
            #expect(!action.hasButton("Reject 1 submission"), "\(scope)")
            let history = try await visit.get("/queue/\(world.inside["queue"] ?? "")")
            #expect(history.says("marked this as a duplicate of something outside your access scope"), "\(scope)")
        }
        let visit = try await world.fixture.browser(.curator, name: "Unrestricted")
        let publication = try await visit.get("/publications/\(world.mixedPublication)")
        #expect(publication.says("Two films") && publication.says("Show database rows"))
        #expect(!publication.says("Outside your access scope"))
        #expect(try await entries(in: world.mixedPublication, visit) == "2 published")
        let action = try await visit.get("/bulk-actions/\(world.mixedAction)")
        #expect(action.says("Reject: 2 submissions") && !action.says("Outside your access scope"))
    }

    /// How many entries the log says that a publication changed.
    private func entries(in publication: Int64, _ visit: Browser) async throws -> String {
        let log = try await visit.get("/publications").html
        let line = log[try #require(log.firstRange(of: ">\(publication)</a></th>")).upperBound...]
        let cells = line.prefix(upTo: try #require(line.firstRange(of: "</tr>")).lowerBound)
        let cell = try #require(cells.firstMatch(of: /<td[^>]*>(\d+ published)<\/td>/))
        return String(cell.1)
    }

    @Test("S15: choices outside the scope are found and shown as they are published, not by the words of a draft")
    func choices() async throws {
        let world = try await world()
        let id = world.renamed.description
        func found(_ text: String, _ visit: Browser) async throws -> BrowserPage {
            try await visit.send(
                "GET", "/entries/choices?types=category&q=\(text)", [], headers: ["Accept": "application/json"])
        }
        for scope in Self.scopes {
            let visit = try await browser(.editor, scope, world, world.fixture.test.client)
            let byDraft = try await found(Self.word, visit)
            #expect(byDraft.status == 200 && !byDraft.html.contains(id), "\(scope)")
            let byName = try await found("cinema", visit)
            #expect(byName.html.contains(id) && byName.html.contains("Cinema"), "\(scope)")
            #expect(!byName.html.contains(Self.marker), "\(scope)")
        }
        let visit = try await world.fixture.browser(.editor, name: "Unrestricted")
        #expect(try await found(Self.word, visit).html.contains(id))
    }

    @Test("S15: statistics and the chart of the home page count what is in the scope")
    func counts() async throws {
        let world = try await world()
        let statistics = world.fixture.test.database.queueStatistics
        @Sendable func numbers() async throws -> [Int] {
            [
                try await statistics.waiting(fromHours: [0]).reduce(0, +),
                try await statistics.statisticsByDecider().map(\.decisions).reduce(0, +),
                try await statistics.statisticsBySource().map(\.decisions).reduce(0, +),
                try await statistics.days(from: "2020-01-01").map(\.decisions).reduce(0, +),
            ]
        }
        #expect(try await numbers() == [2, 2, 2, 2])
        for scope in Self.scopes {
            let seen = try await AccessScope.$current.withValue(scope) { try await numbers() }
            #expect(seen == [1, 1, 1, 1], "\(scope)")
        }
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
                (select string_agg(m::text, ',' order by m.id) from ops.media m),
                (select count(*) from curation.publication), (select count(*) from curation.approval),
                (select count(*) from curation.contributor where status is not null),
                (select count(*) from curation.report_case where decided_at is not null),
                (select count(*) from curation.screening_activation), (select count(*) from curation.bulk_action),
                (select count(*) from ops.account where types is null and groups is null))) as state
            """)("state")
    }
}

extension AdminEndpoint {
    fileprivate func isOpen(to role: Role) -> Bool {
        if case .may(let permission) = access { role.may(permission) } else { true }
    }

    /// Whether the gate refuses an article's account what concerns a film.
    fileprivate func isClosed(to accessScope: AccessScope) -> Bool {
        switch scope {
        case .submission, .entry, .release, .bulkAction, .reportCase, .image, .unrestricted: true
        case .type(let type): !accessScope.contains(type: type)
        case .none, .own, .filtered, .operation: false
        }
    }
}

extension BrowserPage {
    /// Also as if the object did not exist.
    fileprivate var isRefused: Bool { status == 403 || status == 404 }
}
