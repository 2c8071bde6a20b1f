// Tests the search over everything and the search operators of the queue, as pages and as JSON for the palette.
@testable import Admin
import Domain
import FoundationEssentials
import Operations
import Store
import TestSupport
import Testing

@Suite("Search pages", .databases)
struct SearchPagesTests {
    private struct World {
        let fixture: AdminFixture
        let curator: Actor
        let article: ID<Entry>
        let text: ID<Entry>
        let setting: ID<Entry>
        let pending: ID<Submission>
        let rejected: ID<Submission>
    }

    private func screen(_ fixture: AdminFixture) async throws {
        while try await fixture.test.database.work(
            as: Actor(kind: .system, name: "schedule"), { try await ScreenSubmissions.screen(fixture.test.rules, $0) })
        {}
    }

    /// One thing of each kind, named after herons.
    private func world() async throws -> World {
        let fixture = try await AdminFixture.make()
        let curator = try await fixture.test.actor(.curator, name: "Bea")
        let administrator = try await fixture.test.actor(.administrator, name: "Henrietta Heron")
        let article = try await fixture.article("The heron returns")
        try await fixture.publish("feed", "Heron news")
        _ = try await fixture.category("Herons and heron spotting")
        let text = try await fixture.publish("text", "Heron greeting", Self.text)
        let setting = try await fixture.publish("setting", "Heron limit", Self.setting)
        _ = try await fixture.test.services.composeRelease.create(title: "Heron week", by: administrator)
        let pending = try await fixture.submit(
            "Bird by the lock", contributor: "m.heron",
            fields: ["body": "<p>A grey <b>heron</b>, see <a href=\"https://birds.example.org/x\">here</a>.</p>"])
        let rejected = try await fixture.submit("Heron pills", contributor: "seller")
        try await screen(fixture)
        _ = try await fixture.test.services.decideSubmission(
            rejected, Decision.Draft(verdict: .reject, reason: .spam), version: 0, by: curator)
        return World(
            fixture: fixture, curator: curator, article: article, text: text, setting: setting, pending: pending,
            rejected: rejected)
    }

    private static let text: [String: JSONValue] = [
        "key": "birds.heron_greeting", "section": "app", "format": "plain",
        "values": .array([.object(["locale": "en", "value": "Hello, heron"])]),
    ]

    private static let setting: [String: JSONValue] = [
        "key": "birds.heron_limit", "section": "Birds", "kind": "integer", "value": "3", "help": "At one lock.",
    ]

    /// The headings of the groups.
    private func groups(_ page: BrowserPage) -> [String] {
        page.html.matches(of: /<h2 id="group-([a-z]+)">/).map { String($0.1) }
    }

    @Test("One search finds every kind, with its state and where it leads; administrators find accounts, too")
    func kinds() async throws {
        let world = try await world()
        let page = try await world.fixture.browser(.administrator).visit("/search?q=heron")
        #expect(
            groups(page) == [
                "submissions", "entries", "category", "feed", "text", "setting", "contributors", "releases", "accounts",
            ])
        let urls = page.links.map(\.url)
        for url in [
            AdminURL.entry(world.article), AdminURL.submission(world.pending), AdminURL.submission(world.rejected),
            "/queue?q=heron", "/queue/decided?q=heron", "/entries?q=heron&all=1", "/contributors?q=heron",
            "/texts?q=heron",
            // Where they are edited.
            "/settings#value-\(world.setting)", "/texts#value-\(world.text)",
        ] {
            #expect(urls.contains(url), "\(url)")
        }
        for (id, url) in [
            ("category", "/categories"), ("feed", "/feeds"), ("setting", "/settings"), ("releases", "/releases"),
            ("accounts", "/accounts"),
        ] {
            let start = try #require(page.html.firstRange(of: "<h2 id=\"group-\(id)\">")).upperBound
            let end = try #require(page.html[start...].firstRange(of: "</section>")).lowerBound
            #expect(page.html[start..<end].contains("<a href=\"\(url)\">Open list</a>"), "\(id)")
        }
        for (list, id) in [("/settings", world.setting), ("/texts", world.text)] {
            let opened = try await world.fixture.browser(.administrator).visit(list)
            #expect(opened.holds("id=\"value-\(id)\""), "\(list)")
        }
        #expect(page.says("Published v1") && page.says("Rejected") && page.says("Pending") && page.says("m.heron"))
        let curator = try await world.fixture.browser(.curator).visit("/search?q=heron")
        #expect(!groups(curator).contains("accounts") && groups(curator).contains("entries"))
    }

    @Test(
        "Roles × kinds: each finds what is on the pages that it may open, and nothing else", arguments: Role.presets)
    func roles(role: Role) async throws {
        let world = try await world()
        let browser = try await world.fixture.browser(role, name: "Ann")
        let lists = [
            ("submissions", "/queue"), ("entries", "/entries"), ("category", "/categories"), ("feed", "/feeds"),
            ("text", "/texts"), ("setting", "/settings"), ("contributors", "/contributors"), ("releases", "/releases"),
            ("accounts", "/accounts"),
        ]
        var open: [String] = []
        for (kind, url) in lists where try await browser.get(url).status == 200 { open.append(kind) }
        #expect(open.count >= 8)
        #expect(groups(try await browser.visit("/search?q=heron")) == open)
        let response = try await browser.send(
            "GET", "/search?q=heron", [], headers: ["Accept": "application/json"])
        let found = try JSONValue(parsing: Array(response.html.utf8))["groups"]?.arrayValue ?? []
        #expect(found.compactMap { $0["id"]?.stringValue } == open)
    }

    @Test("An access scope of types or category groups leaves out what is outside of it, of every kind")
    func scopes() async throws {
        let fixture = try await AdminFixture.make()
        let (one, two) = (try #require(ID<Entry>(Self.groups[0])), try #require(ID<Entry>(Self.groups[1])))
        let walks = try await fixture.publish("category", "Heron walks", ["group": .entry(one)])
        let films = try await fixture.publish("category", "Heron films", ["group": .entry(two)])
        try await fixture.publish("article", "Heron inside", ["categories": .entries([walks])])
        let outside = try await fixture.publish("video", "Heron xqz", ["categories": .entries([films])])
        try await fixture.submit("Heron pending inside", category: "Heron walks", contributor: "heron-in")
        try await fixture.submit("Heron pending xqz", type: "video", category: "Heron films", contributor: "heron-xqz")
        try await screen(fixture)
        try await fixture.submit("Heron new xqz", type: "video", category: "Heron films", contributor: "heron-xqz")
        let compose = fixture.test.services.composeRelease
        let planner = try await fixture.test.actor(.administrator, name: "Planner")
        let release = try await compose.create(title: "Heron release xqz", by: planner)
        try await compose.add([LiveChange(entry: outside, revision: nil)], to: release, by: planner)
        let scopes: [(types: String?, groups: String?)] = [
            ("{article,category}", nil), (nil, "{\(Self.groups[0])}"),
        ]
        for (number, scope) in scopes.enumerated() {
            let actor = try await fixture.test.actor(.editor, name: "Restricted \(number)")
            try await fixture.test.writeUnchecked(
                """
                update ops.account set types = \(scope.types)::text[], groups = \(scope.groups)::uuid[] where id = \(actor.rowID)
                """)
            let browser = fixture.browser(of: actor)
            for query in ["heron", "heron xq", "her", "type:video", "by:heron-xq", "is:pending heron"] {
                let page = try await browser.visit(AdminURL.search(query: ["q": query]))
                #expect(page.status == 200 && !page.html.contains("xqz"), "\(number) \(query)")
            }
            let page = try await browser.visit("/search?q=heron")
            for text in ["Heron inside", "Heron pending inside", "heron-in", "Heron walks"] {
                #expect(page.says(text), "\(number) \(text)")
            }
            #expect(page.says("Heron films") == (number == 0))
        }
    }

    private static let groups = ["00000000-0000-7000-8000-000000000011", "00000000-0000-7000-8000-000000000012"]

    @Test("The beginning of the last word is enough; keys and release numbers are found; nothing else is")
    func words() async throws {
        let world = try await world()
        let browser = try await world.fixture.browser(.administrator)
        for (query, text) in [
            ("her", "The heron returns"), ("the he", "The heron returns"), ("HERON RETURNS", "The heron returns"),
            ("heron_greeting", "Heron greeting"), ("birds greet", "Heron greeting"), ("1", "1 Heron week"),
            ("grey", "Bird by the lock"), ("henri", "Henrietta Heron"),
        ] {
            let page = try await browser.visit(AdminURL.search(query: ["q": query]))
            #expect(page.says(text), "\(query)")
        }
        for query in ["eron", "heron nothing", "'", "&|!:*", "-heron", "x\"y", "%", "-", "heron -heron"] {
            let page = try await browser.visit(AdminURL.search(query: ["q": query]))
            #expect(page.status == 200 && page.says("Nothing found"), "\(query)")
        }
        for path in ["/search", "/queue", "/queue/decided", "/entries", "/media"] {
            for query in ["%22%27%26%7C!*(", String(repeating: "-", count: 40) + "heron"] {
                #expect(try await browser.get("\(path)?q=\(query)").status == 200, "\(path): \(query)")
            }
        }
        let empty = try await browser.visit("/search")
        #expect(empty.status == 200 && groups(empty) == ["actions"])
    }

    @Test("Actions are those of the navigation and the Create menu, as far as the person may")
    func actions() async throws {
        let (fixture, curator) = try await AdminFixture.visited(by: .curator)
        let found = try await curator.visit("/search?q=go+to+queue")
        #expect(groups(found) == ["actions"] && found.links.contains { $0.url == "/queue/statistics" })
        #expect(try await curator.visit("/search?q=create+article").says("Create: Article"))
        #expect(try await !curator.visit("/search?q=create+webhook").says("Create: Webhook"))
        let administrator = try await fixture.browser(.administrator)
        #expect(try await administrator.visit("/search?q=create+webhook").says("Create: Webhook"))
        // The link of a form in a list leads to the first field of the form.
        for (action, url) in [
            ("Release", "/releases#title"), ("Preview", "/previews#title"), ("Account", "/accounts#email"),
            ("API client", "/clients#name"), ("Submission form", "/submission-forms#title"),
            ("Webhook", "/webhooks#url"),
        ] {
            let page = try await administrator.visit(AdminURL.search(query: ["q": "create \(action)"]))
            #expect(try page.link("Create: \(action)") == url)
            let parts = url.split(separator: "#").map(String.init)
            let list = try await administrator.visit(parts[0])
            #expect(list.html.contains(try Regex("<input [^>]*id=\"\(parts[1])\"")), "\(url)")
        }
    }

    @Test("The palette gets the same as JSON, at most five of each kind")
    func json() async throws {
        let world = try await world()
        for number in 1...7 { try await world.fixture.article("Heron \(number)") }
        let browser = try await world.fixture.browser(.curator)
        let response = try await browser.send("GET", "/search?q=heron", [], headers: ["Accept": "application/json"])
        let result = try JSONValue(parsing: Array(response.html.utf8))
        let groups = result["groups"]?.arrayValue ?? []
        let entries = try #require(groups.first { $0["id"] == "entries" })
        #expect(response.status == 200 && entries["lines"]?.arrayValue?.count == 5 && entries["isCut"] == .bool(true))
        let line = entries["lines"]?.arrayValue?.first
        #expect(line?["title"] == "Heron 7" && line?["url"]?.stringValue?.hasPrefix("/entries/") == true)
        let page = try await browser.visit("/search?q=heron")
        #expect(page.says("The heron returns") && page.says("Heron 1"))
        #expect(try await world.fixture.stranger.get("/search?q=heron").status == 303)
    }

    @Test("Operators restrict the search to submissions, and say what can't be read")
    func operators() async throws {
        let world = try await world()
        let browser = try await world.fixture.browser(.curator)
        let domain = try await browser.visit("/search?q=domain:example.org")
        #expect(groups(domain) == ["pending"] && domain.says("Bird by the lock"))
        // Who sent it, as the search without operators says.
        let note = try #require(domain.html.firstMatch(of: #/<span class="hint" dir="auto">([^<]*)</#)).1
        #expect(note == "Article · portal · m.heron")
        #expect(try await browser.visit("/search?q=lock").html.contains(">\(note)<"))
        let rejected = try await browser.visit("/search?q=is:rejected+heron")
        #expect(groups(rejected) == ["decided"] && rejected.says("Heron pills"))
        let unknown = try await browser.visit("/search?q=sorce:portal")
        #expect(groups(unknown).isEmpty && unknown.says("source:, by:, domain:"))
        #expect(unknown.html.contains("value=\"sorce:portal\""), "nothing typed is lost")
    }
}
