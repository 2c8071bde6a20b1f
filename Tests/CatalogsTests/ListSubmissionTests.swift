// Tests lists that users submit: items named by a source's id or by title and year, looked up when they are approved.
import Domain
import Lists
import Operations
import Platform
import Store
import TestSupport
import Testing

@Suite("Submitted lists", .databases, .packs(.lists))
struct ListSubmissionTests {
    private static func external(_ id: String, source: String = "tmdb", kind: String? = nil) -> JSONValue {
        var members: [String: JSONValue] = ["source": .string(source), "external_id": .string(id)]
        if let kind { members["kind"] = .string(kind) }
        return .object(members)
    }

    private static func titled(_ title: String, _ year: Int64? = nil) -> JSONValue {
        var members: [String: JSONValue] = ["title": .string(title)]
        if let year { members["year"] = .int(year) }
        return .object(members)
    }

    private func submit(_ test: TestDatabase, _ items: [JSONValue]) async throws -> ID<Submission> {
        let receive = test.services.receiveSubmission
        return try await receive(
            SubmissionDraft(
                type: "list", contributor: "u",
                fields: [
                    "title": "Films", "owner": "user-7", "items": .array(items.map { .object(["item": $0]) }),
                ]), by: try await test.clientActor()
        ).id
    }

    private func approve(_ test: TestDatabase, _ id: ID<Submission>) async throws -> ID<Entry>? {
        try await test.services.decideSubmission(
            id, Decision.Draft(verdict: .approve, publishTiming: .now), version: nil,
            by: TestDatabase.administrator
        ).change?.entry
    }

    private func films(_ fixture: CatalogFixture) async throws -> [ID<CatalogItem>] {
        let kind = try #require(fixture.kinds["movie"])
        let records = [
            ("603", "The Matrix", "1999-03-31"), ("604", "The Matrix Reloaded", "2003-05-15"),
            ("1091", "The Thing", "1982-06-25"), ("60935", "The Thing", "2011-10-12"),
        ].compactMap { id, title, day in
            CatalogRecord(kind, externalID: id, title: title, details: ["released": .string(day)])
        }
        return try await fixture.record(records, kind: "movie")
    }

    @Test("D2: items are named by a source's id, by title and year or by our id, and approval looks them up")
    func lookUp() async throws {
        let fixture = try await CatalogFixture.make()
        let ids = try await films(fixture)
        let submission = try await submit(
            fixture.test,
            [
                Self.external("603"), Self.titled("the matrix RELOADED"), Self.titled("The Thing", 2011),
                .string(ids[2].description),
            ])
        let list = try #require(try await approve(fixture.test, submission))
        let titles = try await fixture.items(list).map(\.title)
        #expect(titles == ["The Matrix", "The Matrix Reloaded", "The Thing", "The Thing"])
        let revision = try #require(try await fixture.test.database.revisions.newest(of: list))
        let type = try fixture.test.rules.type(named: "list")
        #expect(revision.content.catalogUses(of: type).flatMap(\.items).map(\.id) == [ids[0], ids[1], ids[3], ids[2]])
        #expect(revision.author == "contributor")
    }

    @Test("D2: an ambiguous or unknown reference is shown with its candidates, and the submission stays in the queue")
    func ambiguous() async throws {
        let fixture = try await CatalogFixture.make()
        let ids = try await films(fixture)
        let submission = try await submit(
            fixture.test, [Self.external("603"), Self.titled("The Thing"), Self.titled("Nothing", 1999)])
        do {
            _ = try await approve(fixture.test, submission)
            Issue.record("it was approved")
        } catch Failure.invalid(let errors) {
            #expect(errors.items.map(\.pointer) == ["/fields/items/1/item", "/fields/items/2/item"])
            #expect(errors.items.map(\.code) == ["ambiguous", "unresolved"])
            #expect(errors.items[0].message.contains("\(ids[2])") && errors.items[0].message.contains("\(ids[3])"))
            #expect(errors.items[1].message.hasPrefix("Nothing (1999) is not stored in any catalog."))
        }
        #expect(try await fixture.test.database.submissions.find(submission)?.state == .pending)
    }

    @Test(
        "D2: a reference needs a source with its id, or a title",
        arguments: [
            (JSONValue.object(["source": "tmdb"]), "required /fields/items/0/item"),
            (.object(["external_id": "603"]), "required /fields/items/0/item"),
            (.object(["title": "A", "year": .int(999)]), "too_small /fields/items/0/item/year"),
            (.object(["title": "A", "year": "1999"]), "type /fields/items/0/item/year"),
            (.object(["name": "A"]), "unknown_field /fields/items/0/item/name"),
            (.object(["title": "A", "year": .int(1000)]), ""), (.object(["title": "A", "year": .int(2999)]), ""),
        ])
    func form(item: JSONValue, problem: String) async throws {
        let rules = try TestDatabase.standardRules()
        let fields: [String: JSONValue] = ["title": "Films", "items": .array([.object(["item": item])])]
        let type = try rules.type(named: "list")
        var found = ""
        do {
            _ = try await rules.checked(fields, as: type, for: .submission)
        } catch Failure.invalid(let errors) {
            found = errors.items.first.map { "\($0.code) \($0.pointer)" } ?? ""
        }
        #expect(found == problem)
    }

    @Test(
        "D2: a reference names a catalog and a source that there are, and that fit",
        arguments: [
            (JSONValue.object(["title": "A", "kind": "nosuch"]), ["choice /fields/items/1/item/kind"]),
            (.object(["source": "nosuch", "external_id": "1"]), ["choice /fields/items/1/item/source"]),
            (
                .object(["source": "tmdb", "external_id": "1", "kind": "book"]), ["choice /fields/items/1/item/source"]
            ),
            (
                .object(["source": "nosuch", "external_id": "1", "kind": "nosuch"]),
                ["choice /fields/items/1/item/kind"]
            ),
            (
                .object(["title": "A", "kind": "nosuch", "year": .int(1)]),
                ["too_small /fields/items/1/item/year", "choice /fields/items/1/item/kind"]
            ),
            (JSONValue.string(#"{"title":"A","kind":"nosuch"}"#), ["choice /fields/items/1/item/kind"]),
            (.object(["source": "tmdb", "external_id": "1", "kind": " tv "]), []),
            (.object(["source": "google_books", "external_id": "1"]), []),
            (.object(["title": "A", "kind": "song"]), []),
        ] as [(JSONValue, [String])])
    func catalogs(item: JSONValue, problems: [String]) async throws {
        let kinds = try CatalogKinds(folder: TestDatabase.packageRoot + "/Config/catalogs")
        let catalogs = try CatalogRules(Settings.Catalogs(sources: [:], fresh: .seconds(3600)), kinds: kinds).references
        let rules = ContentRules(types: try TestDatabase.standardRules().types, catalogs: catalogs)
        let fields: [String: JSONValue] = [
            "title": "Films", "items": .array([.null, .object(["item": item])]),
        ]
        var found: [String] = []
        do {
            _ = try await rules.checked(fields, as: rules.type(named: "list"), for: .submission)
        } catch Failure.invalid(let errors) {
            found = errors.items.map { "\($0.code) \($0.pointer)" }
        }
        #expect(found == problems)
    }

    @Test("D2: an unknown id of ours is refused at the item when it is submitted, and when an editor writes it")
    func unknown() async throws {
        let fixture = try await CatalogFixture.make()
        let (ids, nothing) = (try await films(fixture), ID<CatalogItem>(UUIDv7.make()))
        let items = [ids[0], nothing].map { JSONValue.string($0.description) }
        let error = Failure.invalid(
            FieldErrors("/fields/items/1/item", "reference", "There is no catalog item with the ID \(nothing)."))
        await #expect(throws: error) { try await submit(fixture.test, items) }
        let fields: [String: JSONValue] = ["title": "Films", "items": .array(items.map { .object(["item": $0]) })]
        await #expect(throws: error) {
            try await fixture.test.services.writeEntry.create(
                type: "list", fields: fields, publishTiming: .approveOnly, by: TestDatabase.administrator)
        }
    }

    @Test("D2: items that no catalog stores yet are looked up at their source once, in the background")
    func background() async throws {
        try await SourceWorld.with { world in
            let test = world.fixture.test
            world.source.respond { request in
                request.path.hasSuffix("/movie/603")
                    ? SourceServer.response(
                        Array(#"{"id": 603, "title": "The Matrix", "release_date": "1999-03-31"}"#.utf8))
                    : SourceServer.response(Array("{}".utf8), 404)
            }
            let submission = try await submit(
                test,
                [
                    Self.external("603", kind: "movie"), Self.external("604", kind: "movie"),
                    Self.external("9", source: "yelp", kind: "movie"),
                ])
            await #expect(throws: Failure.self) { _ = try await approve(test, submission) }
            #expect(world.source.requests.isEmpty, "an approval never waits for a source")
            let find = FindReferenced(
                database: test.database, types: test.rules.types, rules: world.rules, client: world.client,
                log: world.log)
            #expect(try await find.due() == 2)
            #expect(try await find.due() == 0)
            #expect(world.source.requests.count == 2)
            let stored = try await test.database.catalogs.find(kind: "movie", source: "tmdb", externalID: "603")
            #expect(stored?.title == "The Matrix")
            let other = try await submit(test, [Self.external("603")])
            #expect(try await approve(test, other) != nil)
        }
    }

    @Test("D2: an item named by its title alone is looked up in every catalog that can be searched for it, once")
    func titleAlone() async throws {
        try await SourceWorld.with { world in
            let test = world.fixture.test
            world.source.respond { request in
                switch request.path {
                case let path where path.hasSuffix("/search/movie"):
                    SourceServer.response(
                        Array(#"{"results": [{"id": 603, "title": "The Matrix", "release_date": "1999-03-31"}]}"#.utf8))
                case let path where path.hasSuffix("/search/tv"): SourceServer.response(Array(#"{"results": []}"#.utf8))
                case let path where path.hasSuffix("/volumes"):
                    SourceServer.response(Array(#"{"kind": "books#volumes"}"#.utf8))
                default:
                    SourceServer.response(
                        Array(#"<lfm status="ok"><results><trackmatches/></results></lfm>"#.utf8))
                }
            }
            let submission = try await submit(
                test, [Self.titled("The Matrix", 1999), Self.titled(String(repeating: "a", count: 201))])
            let find = FindReferenced(
                database: test.database, types: test.rules.types, rules: world.rules, client: world.client,
                log: world.log)
            #expect(try await find.due() == 4)
            #expect(try await find.due() == 0)
            let texts = world.source.requests.map { $0.query["query"] ?? $0.query["track"] ?? $0.query["q"] ?? "" }
            #expect(texts.sorted() == ["The Matrix", "The Matrix", "The Matrix", "intitle:The Matrix"])
            let other = try await submit(test, [Self.titled("The Matrix", 1999)])
            #expect(try await approve(test, other) != nil)
            #expect(try await test.database.submissions.find(submission)?.state == .pending)
        }
    }

    @Test("D34: an item moves only to a source of its catalog")
    func move() async throws {
        try await SourceWorld.with { world in
            let film = try #require(try await world.fixture.films(["A"]).first)
            let manage = ManageCatalog(database: world.fixture.test.database, rules: world.rules)
            do {
                _ = try await manage.move(film, source: "yelp", externalID: "x", by: TestDatabase.administrator)
                Issue.record("it was moved")
            } catch Failure.invalid(let errors) {
                #expect(errors.items.map(\.code) == ["choice"])
                #expect(errors.items.first?.message.hasSuffix("Choose one of: tmdb.") == true)
            }
            _ = try await manage.move(film, source: "tmdb", externalID: "x", by: TestDatabase.administrator)
            #expect(try await world.fixture.test.database.catalogs.find(film)?.externalID == "x")
        }
    }
}
