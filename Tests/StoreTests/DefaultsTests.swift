// Tests the settings and texts that every deployment starts with.
import Domain
import Postgres
import Store
import TestSupport
import Testing

@Suite("Defaults of a deployment", .databases)
struct DefaultsTests {
    @Test("Every default passes the checks of its type and has a unique key")
    func valid() async throws {
        let rules = try TestDatabase.standardRules()
        var keys: Set<String> = []
        for item in try TestDatabase.packs.defaults() {
            let name = try #require(item["type"]?.stringValue)
            let fields = try #require(item["fields"]?.objectValue)
            let content = try await rules.checked(fields, as: try rules.type(named: name), for: .revision).content
            // The seeded content equals what saving it would store.
            #expect(content.fields == fields, "\(fields["key"] ?? "")")
            let key = try #require(fields["key"]?.stringValue ?? fields["slug"]?.stringValue)
            let isNew = keys.insert("\(name) \(key)").inserted
            #expect(isNew)
        }
    }

    @Test(
        "The settings for apps are published from the start",
        arguments: [
            ("A42: product ids", "premium.product_ids", #"["premium.monthly","premium.yearly"]"#),
            ("A43: trial days", "premium.trial_days", "7"),
            (
                "B20: functions that require an account", "requires_login",
                #"["favorites","ratings","reviews","profile"]"#
            ),
            ("K1: empty categories", "categories.include_empty", "false"),
            ("B61: languages", "locales.offered", #"["en"]"#), ("B61: fallback", "locales.fallback", #"["en"]"#),
        ]
            + TestPack.places.ifEnabled([
                ("B38, K9: number of suggestions", "closest.count", "5"),
                ("K9: scope of suggestions", "closest.scope", #""everywhere""#),
            ])
            + TestPack.lists.ifEnabled([
                ("D3: kinds of catalog items", "catalogs.offered", #"["book","movie","tv","restaurant","song"]"#)
            ])
            + TestPack.routes.ifEnabled([
                ("C5: seconds of a pause", "run_pause_seconds", "2"),
                ("C5: compared by", "run_pause_comparator", #"">=""#),
                ("C6: swerves", "weaving.swerves", "4"), ("C6: swerves with pauses", "weaving.alt.swerves", "2"),
                ("C6: pauses", "weaving.alt.pauses", "2"), ("C6: window", "weaving.window_seconds", "60"),
                ("C6: at least", "weaving.comparator", #"">=""#),
                ("C10: unit of speed", "speed.unit", #""min/mile""#), ("C11: units", "speed.units", #"["min/mile"]"#),
                ("C19: miles between samples", "routes.sample_miles", "0.5"),
                ("C19: strictly less", "routes.heart_comparator", #""<""#),
                ("C19: meters of climb", "routes.zoom_max_elevation_m", "10"),
                ("C19: not more than", "routes.zoom_comparator", #""<=""#),
                ("C19, K13: heart", "routes.multiplier.heart", "1.25"),
                ("C19, K13: zoom", "routes.multiplier.zoom", "1.25"),
                ("C19, K13: both", "routes.multiplier.both", "2"),
                ("C25: music apps", "bop.music_apps", #"["apple-music","spotify","tidal","youtube-music"]"#),
                ("C26: text", "bop.ready_text", #""Ready to Bop!""#), ("C26: seconds", "bop.ready_seconds", "3"),
            ]))
    func settings(name: String, key: String, json: String) async throws {
        let test = try await Self.shared.value
        let row = try await test.guest.query(
            "select value::jsonb = \(json)::text::jsonb as same, document -> 'key' #>> '{}' as key from api_v1.setting where key = \(key)"
        ).first
        #expect(try row?("same") == true, "\(name)")
        #expect(try row?("key") == key)
    }

    @Test(
        "The texts that apps show are published from the start",
        arguments: [
            ("A22: guest view", "guest.feeds.text"), ("A22: guest view", "guest.profile.text"),
            ("A42: paywall", "paywall.text"), ("B17: skip", "onboarding.skip"),
            ("B21: forgotten password", "mail.password_reset"), ("B60: invitation", "mail.invitation"),
            ("B61: website", "site.about"),
        ]
            + TestPack.places.ifEnabled([
                ("B18: location rationale", "location.rationale"), ("B38: no match", "places.no_match"),
            ])
            + TestPack.routes.ifEnabled([("C15: heart", "badge.heart"), ("C15: zoom", "badge.zoom")])
            + TestPack.lists.ifEnabled([
                ("D21: books", "catalog.book"), ("D21, D35: music", "catalog.song"),
                ("D21, D35: food", "catalog.restaurant"), ("D21: movies", "catalog.movie"),
                ("D21: TV", "catalog.tv"),
            ]))
    func texts(name: String, key: String) async throws {
        let test = try await Self.shared.value
        let value = try await test.guest.query("select value from api_v1.text where key = \(key) and locale = 'en'")
            .first
        #expect(try value?("value") as String? != nil, "\(name)")
    }

    @Test("C15: the badges have the specified texts; A43: the trial's text takes its number from the setting")
    func words() async throws {
        let test = try await Self.shared.value
        func text(_ key: String) async throws -> (value: String, needed: [String]) {
            let row = try await test.guest.one("select value, required from api_v1.text where key = \(key)")
            return (try row("value"), try row("required"))
        }
        if TestPack.routes.isEnabled {
            #expect(
                try await text("badge.heart").value
                    == "this route is health friendly due to a lower than average pollution index")
            #expect(try await text("badge.zoom").value == "this route is likely to be faster than other routes")
        }
        #expect(try await text("paywall.trial").needed == ["trial_days"])
        #expect(try await text("mail.password_reset").needed == ["link"], "B21")
        #expect(try await text("mail.invitation").needed == ["name", "link"], "B60")
    }

    @Test("There is a text for every reason of a rejection, with the label of the reason")
    func reasons() throws {
        let texts = try TestDatabase.packs.defaults().compactMap { $0["fields"] }
        for reason in RejectReason.allCases {
            let text = texts.first { $0["key"]?.stringValue == "mail.reason_\(reason.rawValue)" }
            #expect(text?["values"]?.arrayValue?.first?["value"]?.stringValue == reason.label, "\(reason)")
        }
    }

    @Test(
        "C15: the badges of the rules are published from the start; one that the team created before stays",
        .packs(.routes))
    func badges() async throws {
        let test = try await TestDatabase.make()
        #expect(try await test.rows("badge", "key") == ["heart", "zoom"])
        #expect(try await test.isVerified())
        let owner = test.superuser()
        // As an older version left it: without defaults of badges.
        try await owner.run(
            script: """
                begin; set local session_replication_role = replica;
                create temp table old on commit drop as select entry_id as id from curation.live where kind = 'badge';
                delete from curation.live where entry_id in (select id from old);
                delete from curation.slug where entry_id in (select id from old);
                delete from curation.publish_approval where entry_id in (select id from old);
                delete from curation.publication_change where entry_id in (select id from old);
                delete from curation.revision where entry_id in (select id from old);
                delete from curation.entry where id in (select id from old);
                delete from api_v1.badge;
                commit
                """)
        let ours = try await test.publish("badge", "Our heart", ["slug": "heart", "description": "Ours."])
        try await Schema(client: owner, roles: try #require(TestDatabase.roles), packs: TestDatabase.packs).migrate(
            types: test.rules.types, version: "test")
        let titles = try await test.rows("badge", "title")
        #expect(titles == ["Our heart", "Zoom"])
        #expect(try await test.rows("badge", "id").contains(ours.description))
    }

    @Test("Seeding again changes nothing; changed or unpublished entries stay so; a new default is added")
    func again() async throws {
        let test = try await TestDatabase.make()
        let roles = try #require(TestDatabase.roles)
        let owner = test.superuser()
        let schema = Schema(client: owner, roles: roles, packs: TestDatabase.packs)
        let before = try await test.database.publications.current()
        try await schema.migrate(types: test.rules.types, version: "test")
        #expect(try await test.database.publications.current() == before)
        // As seeded by an older version with one default less.
        let id: String = try await owner.one(
            "select id::text as id from api_v1.setting where key = 'requires_login'")("id")
        #expect(id.hasPrefix("00000000-0000-7000-8"))
        try await owner.run(
            script: """
                begin; set local session_replication_role = replica;
                delete from curation.live where entry_id = '\(id)'; delete from curation.entry where id = '\(id)';
                delete from curation.revision where entry_id = '\(id)'; delete from api_v1.setting where id = '\(id)';
                commit
                """)
        try await schema.migrate(types: test.rules.types, version: "test")
        #expect(try await test.database.publications.current() == before + 1)
        #expect(try await owner.query("select from api_v1.setting where id = \(id)::uuid").count == 1)
        #expect(try await test.database.publications.verify().isEmpty)
    }

    private static let shared = Task.detached { try await TestDatabase.make() }
}
