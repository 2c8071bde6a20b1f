// Tests the read tables of onboarding, texts and settings, and their constraints.
import Domain
import Operations
import Postgres
import Store
import TestSupport
import Testing

@Suite("Onboarding, texts and settings for readers", .databases)
struct TextPublicationTests {
    private struct World {
        let test: TestDatabase
        let write: WriteEntry

        init() async throws {
            test = try await TestDatabase.make()
            write = test.write
        }

        func publish(_ type: String, _ fields: [String: JSONValue], _ publishTiming: PublishTiming = .now) async throws
            -> ID<Entry>
        {
            try await write.create(
                type: type, fields: fields.merging(["title": "T"]) { old, _ in old }, publishTiming: publishTiming,
                by: TestDatabase.administrator
            ).entry
        }

        func edit(_ id: ID<Entry>, _ changes: [String: JSONValue], _ publishTiming: PublishTiming = .now) async throws {
            let newest = try #require(try await test.database.revisions.newest(of: id))
            _ = try await write.edit(
                id, fields: newest.content.fields.merging(changes) { $1 }, base: newest.number,
                publishTiming: publishTiming,
                by: TestDatabase.administrator)
        }

        /// Writes a revision past all checks of the program, and publishes it: what a mistake of ours would do.
        func force(_ id: ID<Entry>, _ change: String) async throws {
            try await test.client.run(
                script: """
                    begin;
                    insert into ops.audit_event (actor_id, action, object_type)
                    values ('00000000-0000-7000-8000-000000000001', 'test.force', 'test');
                    update curation.revision set content = \(change)
                    where id = (select revision_id from curation.ready where entry_id = '\(id)');
                    commit
                    """)
            let revision = try await test.database.revisions.newest(of: id)?.id
            _ = try await test.services.publishRelease.now(
                [LiveChange(entry: id, revision: revision)], note: "forced", by: TestDatabase.administrator)
        }

        func setting(_ key: String) async throws -> ID<Entry> {
            try await test.client.one("select id from api_v1.setting where key = \(key)")("id")
        }

        func count(_ table: String) async throws -> Int {
            try await test.client.one("select count(*) as n from api_v1.\(raw: table)")("n")
        }
    }

    private func screens(_ count: Int, _ words: String = "Screen") -> JSONValue {
        .array(
            (1...count).map {
                .object(["text": .string("\(words) \($0)"), "image": .string("https://example.org/\($0).png")])
            })
    }

    private func set(_ key: String = "onboarding.main", _ count: Int = 2) -> [String: JSONValue] {
        ["key": .string(key), "locale": "en", "screens": screens(count)]
    }

    /// Bypasses the checks of the program, so that the constraints of the table are tested.
    private func expectRefused(
        _ world: World, _ fields: [String: JSONValue], of type: String, _ change: String, at pointer: String
    ) async throws {
        let id = try await world.publish(type, fields, .approveOnly)
        let before = try await world.test.database.publications.current()
        do {
            try await world.force(id, change)
            Issue.record("published all the same: \(change)")
        } catch Failure.invalid(let errors) {
            #expect(errors.items.map(\.pointer) == [pointer], "\(change)")
        }
        #expect(try await world.test.database.publications.current() == before)
        _ = try await world.test.database.transaction(
            by: TestDatabase.administrator, AuditEvent("entry.test", on: "entry")
        ) { try await $0.revisions.removeFromReady([id]) }
    }

    @Test(
        "B16, K10: the read tables refuse 1 and 6 screens, and a screen without text or image"
    )
    func onboardingConstraints() async throws {
        let world = try await World()
        func refused(_ change: String) async throws {
            try await expectRefused(world, set(), of: "onboarding_set", change, at: "/fields/screens")
        }
        try await refused("content #- '{screens,1}'")
        try await refused(
            "jsonb_set(content, '{screens}', (select jsonb_agg(content -> 'screens' -> (n * 0)) from generate_series(1, 6) n))"
        )
        try await refused("content #- '{screens,0,text}'")
        try await refused("jsonb_set(content, '{screens,0,text}', '\" \"')")
        try await refused("content #- '{screens,1,image}'")
        try await refused("content #- '{screens,1,image,url}'")
        #expect(try await world.count("onboarding_set") == 0)
    }

    @Test(
        "B16, B17, C25: sets of 2 and 5 screens are published with all that a screen shows, and their version for apps")
    func onboarding() async throws {
        let world = try await World()
        let main = try await world.publish("onboarding_set", set("onboarding.main", 5))
        var bop = set("onboarding.bop", 1)
        bop["min_screens"] = .int(1)
        _ = try await world.publish("onboarding_set", bop)
        #expect(try await world.count("onboarding_set") == 2)
        #expect(try await world.count("onboarding_screen") == 6)
        let document: JSONValue = try await world.test.client.one(
            "select document from api_v1.onboarding_set where id = \(main.uuid)")("document")
        #expect(document["set_version"] == .int(1) && document["revision"] == .int(1))
        #expect(document["screens"]?.arrayValue?.count == 5)
        #expect(document["screens"]?.arrayValue?[4]["text"] == "Screen 5")
        #expect(
            document["screens"]?.arrayValue?[4]["image"] == .object(["url": "https://example.org/5.png"]))
        try await world.edit(main, ["screens": screens(2, "New"), "set_version": .int(2)])
        #expect(try await world.count("onboarding_screen") == 3, "the screens that are gone are gone")
        let version: Int = try await world.test.client.one(
            "select set_version from api_v1.onboarding_set where id = \(main.uuid)")("set_version")
        #expect(version == 2)
        _ = try await world.write.unpublish(main, by: TestDatabase.administrator)
        #expect(try await world.count("onboarding_screen") == 1)
        #expect(try await world.test.database.publications.verify().isEmpty)
    }

    @Test("A second live set of one key and language, text of one key or setting of one key is refused at the key")
    func twice() async throws {
        let world = try await World()
        let text: [String: JSONValue] = ["key": "site.x", "values": .array([.object(["locale": "en", "value": "X"])])]
        let setting: [String: JSONValue] = ["key": "x", "section": "G", "kind": "integer", "value": "1"]
        for (type, fields) in [("onboarding_set", set()), ("text", text), ("setting", setting)] {
            let first = try await world.publish(type, fields)
            do {
                _ = try await world.publish(type, fields)
                Issue.record("\(type) twice")
            } catch Failure.invalid(let errors) {
                #expect(errors.items.map(\.pointer) == ["/fields/key"])
            }
            // In one publication the key moves from one to the other.
            let second = try await world.publish(type, fields, .approveOnly)
            let revision = try await world.test.database.revisions.newest(of: second)
            _ = try await world.test.services.publishRelease.now(
                [LiveChange(entry: first, revision: nil), LiveChange(entry: second, revision: revision?.id)],
                note: "moved", by: TestDatabase.administrator)
        }
        var german = set()
        german["locale"] = "de"
        _ = try await world.publish("onboarding_set", german)
        #expect(try await world.test.database.publications.verify().isEmpty)
    }

    @Test("B21, B60: a text whose placeholder is missing or unknown is refused by the read table too")
    func textConstraints() async throws {
        let world = try await World()
        func refused(_ change: String) async throws {
            let fields: [String: JSONValue] = [
                "key": "mail.test", "placeholders": .array([.object(["name": "link", "required": .bool(true)])]),
                "values": .array([.object(["locale": "en", "value": "Go {link}"])]),
            ]
            try await expectRefused(world, fields, of: "text", change, at: "/fields/values")
        }
        try await refused("jsonb_set(content, '{values,0,value}', '\"Go\"')")
        try await refused("jsonb_set(content, '{values,0,value}', '\"{link} {lnik}\"')")
        try await refused("jsonb_set(content, '{values,0,value}', '\" \"')")
        try await refused("jsonb_set(content, '{values,1}', '{\"locale\": \"en\", \"value\": \"{link}\"}')")
    }

    @Test("K9: a setting of another kind, or beyond its limits, is refused by the read table too")
    func settingConstraints() async throws {
        let world = try await World()
        func refused(_ value: String) async throws {
            let fields: [String: JSONValue] = [
                "key": "n", "section": "G", "kind": "integer", "value": "5", "minimum": .int(3), "maximum": .int(10),
            ]
            try await expectRefused(
                world, fields, of: "setting", "jsonb_set(content, '{value}', '\"\(value)\"')", at: "/fields/value")
        }
        for value in ["2", "11", "five", "5.5", ""] { try await refused(value) }
    }

    @Test("A setting is published as JSON of its kind")
    func settingValues() async throws {
        let world = try await World()
        let cases: [(String, String, [String: JSONValue], JSONValue)] = [
            ("integer", "-7", [:], .int(-7)), ("number", "0.50", [:], .double(0.5)),
            ("boolean", "false", [:], .bool(false)), ("text", "a \"b\"", [:], "a \"b\""),
            ("list", " a \nb,c\n\n", [:], .array(["a", "b,c"])), ("list", "", [:], .array([])),
            ("choice", "<=", ["choices": "<\n<="], "<="),
        ]
        for (index, (kind, value, more, json)) in cases.enumerated() {
            let fields: [String: JSONValue] = [
                "key": .string("x.k\(index)"), "section": "G", "kind": .string(kind), "value": .string(value),
            ]
            let id = try await world.publish("setting", fields.merging(more) { $1 })
            let row = try await world.test.client.one(
                "select value, document from api_v1.setting where id = \(id.uuid)")
            #expect(try row("value") as JSONValue == json, "\(kind) \(value)")
            #expect((try row("document") as JSONValue)["value"] == json)
        }
    }

    @Test(
        "K1, A23, B31: empty categories are hidden, shown with a count of 0 when the setting says so, and hidden again")
    func includeEmpty() async throws {
        let world = try await World()
        let topic = JSONValue.string(SeedEntry.topicGroup.description)
        let empty = try await world.publish("category", ["title": "Empty", "group": topic])
        let full = try await world.publish("category", ["title": "Full", "group": topic])
        _ = try await world.publish(
            "article", ["title": "A", "body": "<p>x</p>", "categories": .array([.string(full.description)])])
        func categories() async throws -> [String: Int] {
            let rows = try await world.test.client.query("select name, item_count from api_v1.category")
            return try Dictionary(uniqueKeysWithValues: rows.map { (try $0("name"), try $0("item_count")) })
        }
        #expect(try await categories() == ["Full": 1])
        let setting = try await world.setting("categories.include_empty")
        try await world.edit(setting, ["value": "true"])
        #expect(try await categories() == ["Full": 1, "Empty": 0, "Unsorted": 0])
        #expect(
            try await changes(world) == [
                "insert category", "insert category", "insert search", "insert search", "insert search_full",
                "insert search_full", "update setting",
            ])
        #expect(try await world.test.database.publications.verify().isEmpty)
        // While it is on, a new one is there at once, and the last member's leaving only counts.
        _ = try await world.publish("category", ["title": "New", "group": topic])
        #expect(try await categories()["New"] == 0)
        try await world.edit(setting, ["value": "false"])
        #expect(try await categories() == ["Full": 1])
        #expect(
            try await changes(world) == [
                "delete category", "delete category", "delete category", "delete search", "delete search",
                "delete search", "delete search_full", "delete search_full", "delete search_full",
                "update setting",
            ])
        #expect(try await world.test.database.publications.verify().isEmpty)
        // Without the setting the rule is the usual one.
        try await world.edit(setting, ["value": "true"])
        _ = try await world.write.unpublish(setting, by: TestDatabase.administrator)
        #expect(try await categories() == ["Full": 1])
        #expect(try await world.test.database.publications.verify().isEmpty)
        _ = empty
    }

    /// What the newest publication wrote.
    private func changes(_ world: World) async throws -> [String] {
        try await world.test.client.query(
            """
            select operation || ' ' || read_table as text from api_v1.change
            where publication = (select max(number) from api_v1.publication) order by 1
            """
        ).map { try $0("text") }
    }
}
