// Tests that the endpoint list is complete and tied to tables, that its queries run, and who may call it.
import Domain
import FoundationEssentials
import Postgres
import Store
import TestSupport
import Testing

@testable import API

@Suite("The contract of the endpoints", .databases)
struct EndpointContractTests {
    private struct Line {
        let route: String
        let isFull: Bool
        let table: String
        let query: String
    }

    private static func text(_ path: String) throws -> String {
        let data = try #require(FileManager.default.contents(atPath: "\(TestDatabase.packageRoot)/\(path)"))
        return String(decoding: data, as: UTF8.self)
    }

    /// The rows of docs/reference/endpoints.md.
    private static func lines() throws -> [Line] {
        try text("docs/reference/endpoints.md").split(separator: "\n").filter { $0.hasPrefix("| `GET ") }.map { row in
            let parts = row.replacing("\\|\\|", with: "\u{1}").split(separator: "|").map {
                $0.replacing("\u{1}", with: "||")
            }
            let code = parts.map { part in
                part.split(separator: "`", omittingEmptySubsequences: false).dropFirst().first.map(String.init) ?? ""
            }
            return Line(route: code[0], isFull: parts[0].contains("(full)"), table: code[1], query: code[2])
        }
    }

    private static let values = [
        "categories": "null::uuid[]", "coordinates": "public.cube(array[1, 0, 0])", "number": "0", "locale": "'de'",
        "id": "'00000000-0000-7000-8000-000000000013'::uuid", "tier": "null::text", "owner": "null::text",
    ]

    private static func reading(_ packs: PackSet) -> Set<String> {
        let reading = APISite.endpoints(packs).filter { route in
            if case .read = route.work { true } else { false }
        }
        return Set(reading.map { "GET \($0.pattern)" })
    }

    @Test(
        "A13, A10: over two dozen endpoints, each tied to one table and one query that runs as its login")
    func queries() async throws {
        let lines = try Self.lines()
        #expect(Set(lines.map(\.route)) == Self.reading(TestDatabase.allPacks))
        let served = Self.reading(TestDatabase.packs)
        #expect(served.count >= 24)
        let test = try await TestDatabase.make()
        let tables = Set(try await ReadContract.read(test.database, roles: Roles.standard).tables.map(\.name))
        for line in lines where served.contains(line.route) {
            #expect(tables.contains(line.table) && line.query.contains("from api_v1.\(line.table)"), "\(line.route)")
            var query = line.query
            for name in query.matches(of: /[^:]:([a-z]+)/).map({ String($0.output.1) }).sorted(by: >) {
                query = query.replacing(" :\(name)", with: " \(Self.values[name] ?? "'x'")")
                    .replacing("(:\(name)", with: "(\(Self.values[name] ?? "'x'")")
                    .replacing("[:\(name)", with: "[\(Self.values[name] ?? "'x'")")
            }
            await #expect(throws: Never.self, "\(line.route): \(query)") {
                _ = try await (line.isFull ? test.reader : test.guest).query("\(raw: query)")
            }
        }
    }

    @Test("B5: logins with SELECT on api_v1 only can serve every endpoint and reach nothing else")
    func selectOnly() async throws {
        let (api, reader) = try await APIFixture.serving([.readFull])
        for route in APISite.endpoints(TestDatabase.packs) {
            guard case .read = route.work else { continue }
            let target = route.pattern.replacing("{kind}", with: "movie")
                .replacing("{id}", with: SeedEntry.unsorted.description).replacing("{id_or_slug}", with: "unsorted")
                .replacing("{key}", with: "closest.count").replacing("{table}", with: "item")
            let query =
                ["/v1/search": "?q=word", "/v1/places": "?lat=1&lon=1", "/v1/promotions": "?city=x"][route.pattern]
                ?? ""
            let reply = try await api.get(target + query, as: reader)
            #expect([200, 400, 404, 422].contains(reply.status), "\(target): \(reply.status)")
        }
        for client in [api.test.reader, api.test.guest] {
            let other: [String] = try await client.query(
                """
                select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
                where n.nspname in ('curation', 'ops', 'projection', 'delivery', 'api_v1') and c.relkind in ('r', 'v')
                  and (has_schema_privilege(n.oid, 'usage') and n.nspname <> 'api_v1'
                       or has_table_privilege(c.oid, 'insert, update, delete, truncate, references, trigger'))
                """
            ).map { try $0("name") }
            #expect(other.isEmpty, "\(other)")
        }
    }

    @Test("B8, B14: every recorded path and parameter of version 1 still exists; additions are allowed")
    func recorded() throws {
        let now = Set(
            APISite.endpoints(TestDatabase.allPacks).flatMap { route -> [String] in
                let line = "\(route.method) \(route.pattern)"
                return [line] + route.query.map { "\(line) ?\($0.name)" }
            })
        let recorded = try Self.text("Tests/contract/endpoints-v1.txt").split(separator: "\n").map(String.init)
        #expect(recorded.count > 100)
        let broken = recorded.filter { !now.contains($0) }
        #expect(broken.isEmpty, "apps ask for these: \(broken)")
        let unrecorded = now.subtracting(recorded).sorted()
        #expect(unrecorded.isEmpty, "add to Tests/contract/endpoints-v1.txt:\n\(unrecorded.joined(separator: "\n"))")
    }

    @Test("B10: requests and responses between an app and the API are JSON, whatever the request and its result")
    func json() async throws {
        let (api, reader) = try await APIFixture.serving(Scope.allCases)
        for route in APISite.endpoints(TestDatabase.packs)
        where route.type == APIEndpoint.json || route.type.hasSuffix("+json") {
            for client in [reader, nil] {
                let reply = try await api.send(route.method, route.pattern, as: client)
                #expect(reply.json != .null, "\(route.pattern): \(reply.status)")
                #expect(reply["Content-Type"]?.contains("json") == true, "\(route.pattern)")
            }
        }
    }

    @Test(
        "B62: app and website are two consumers: each with its own credential and grants, over HTTP and SQL")
    func twoConsumers() async throws {
        let api = try await APIFixture.make()
        let (application, website) = (try await api.client([.readFull]), try await api.client([.readGuest]))
        for path in ["/v1/items", "/v1/texts", "/v1/feeds"] {
            #expect(try await api.get(path, as: application).status == 200)
            #expect(try await api.get(path, as: website).status == 200)
        }
        #expect(try await api.get("/v1/media", as: application).status == 200)
        #expect(try await api.get("/v1/media", as: website).status == 403)
        try await api.revoke(application)
        #expect(try await api.get("/v1/items", as: application).status == 401)
        #expect(try await api.get("/v1/items", as: website).status == 200)

        // The same by SQL: separate logins, each a member of one role.
        let superuser = api.test.superuser()
        let name = "website_\(UInt32.random(in: 0...UInt32.max))"
        try await superuser.execute("create role \(raw: name) in role \(raw: Roles.standard.guest)")
        let may = try await superuser.one(
            """
            select has_table_privilege(\(name), 'api_v1.item', 'select') as previews,
                has_table_privilege(\(name), 'api_v1.item_full', 'select') as everything
            """)
        #expect(try may("previews") == true)
        #expect(try may("everything") == false)
        try await superuser.execute("drop role \(raw: name)")
    }

    @Test("B63: a test deployment says so in every response, including errors")
    func environment() async throws {
        let api = try await APIFixture.make(environment: "test")
        let reader = try await api.client(Scope.allCases)
        for route in APISite.endpoints(TestDatabase.packs) {
            for client in [reader, nil] {
                let reply = try await api.send(route.method, route.pattern, as: client)
                #expect(reply["Environment"] == "test", "\(route.pattern)")
            }
        }
    }
}
