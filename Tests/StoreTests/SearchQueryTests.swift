// Tests how typed queries are parsed: against literals, and against PostgreSQL's own parser.
import Postgres
import TestBasics
import TestSupport
import Testing

@Suite("Search queries", .databases)
struct SearchQueryTests {
    @Test("Phrases, alternatives and exclusions are parsed; nothing else has a meaning")
    func forms() async throws {
        let test = try await TestDatabase.make()
        let forms: [(String, String)] = [
            ("", ""), ("-", ""), ("\"\" - |", ""), ("Walk HARBOUR", "'walk' & 'harbour'"),
            ("\"a b\" -c", "'a' <-> 'b' & !'c'"), ("a -\"b c\"", "'a' & !( 'b' <-> 'c' )"), ("\"a b", "'a' <-> 'b'"),
            ("a or b c", "'a' | 'b' & 'c'"), ("a b or c OR -d", "'a' & 'b' | 'c' | !'d'"), ("or a", "'or' & 'a'"),
            ("a or", "'a' & 'or'"), ("a or ", "'a'"), ("a or or b", "'a' | 'b'"), ("a - b", "'a' & 'b'"),
            ("a:* & !b | (c) <-> d'e\\f", "'a' & 'b' & 'c' & 'd' <-> 'e' <-> 'f'"), ("<b>x", "'b' <-> 'x'"),
            ("well-known", "'well-known' <-> 'well' <-> 'known'"), ("me@example.org", "'me@example.org'"),
            (String(repeating: "-", count: 200) + "a", "!'a'"),
        ]
        for (query, expected) in forms {
            let parsed: String = try await test.client.one("select api_v1.parse_query(\(query))::text as q")("q")
            #expect(parsed == expected, "\(query)")
        }
        let words = String(repeating: "-a ", count: 200)
        #expect(try await test.client.one("select numnode(api_v1.parse_query(\(words))) as n")("n") == 299)
    }

    @Test("The last word may continue if it is long enough and nothing ends it")
    func prefixes() async throws {
        let test = try await TestDatabase.make()
        let prefixes: [(String, String)] = [
            ("alpha bet", "'alpha' & 'bet':*"), ("alpha be", "'alpha' & 'be'"), ("alpha bet ", "'alpha' & 'bet'"),
            ("alpha -bet", "'alpha' & !'bet'"), ("alpha \"bet gam", "'alpha' & 'bet' <-> 'gam':*"),
            ("alpha \"bet gam\"", "'alpha' & 'bet' <-> 'gam'"), ("Café", "'cafe':*"), ("a or bet", "'a' | 'bet':*"),
        ]
        for (query, expected) in prefixes {
            let parsed: String = try await test.client.one("select api_v1.search_query(\(query))::text as q")("q")
            #expect(parsed == expected, "\(query)")
        }
        let team: String = try await test.client.one("select curation.search_query('café n', 1)::text as q")("q")
        #expect(team == "'café' & 'n':*")
        let excluding = try await test.client.one("select curation.search_query('-n', 1)::text as q")
        #expect(try excluding("q") as String? == nil)
    }

    @Test("A decomposed query is the composed one")
    func decomposed() async throws {
        let test = try await TestDatabase.make()
        for (query, team, readers) in [
            ("cafe\u{301}", "'caf\u{E9}'", "'cafe':*"), ("\u{1100}\u{1161}", "'\u{AC00}'", "'\u{AC00}'"),
            ("\u{438}\u{306}", "'\u{439}'", "'\u{439}'"),
        ] {
            let row = try await test.client.one(
                "select api_v1.parse_query(\(query))::text as team, api_v1.search_query(\(query))::text as readers")
            // Strings that differ in their form only are equal.
            #expect(Array((try row("team") as String).utf8) == Array(team.utf8))
            #expect(Array((try row("readers") as String).utf8) == Array(readers.utf8))
        }
    }

    @Test("Random queries are parsed without an error, and as PostgreSQL does", arguments: RandomRuns.seeds(2))
    func random(seed: UInt64) async throws {
        let test = try await TestDatabase.make()
        var random = SeededGenerator(seed: seed)
        let parts = [
            "a", "b", "Ab", " ", " ", "\t", "-", "\"", "'", "\\", "&", "|", "!", "(", ")", ":", "*", "<", ">", ".", "/",
            "@", "_", "1", "2.5", "é", "日", "🎏", "\u{200D}", "\u{301}", "%", "$1", "ß", "“", "+",
            "http://a.b/c?d=e", "a@b.c",
        ]
        for _ in 0..<500 {
            let length = Int.random(in: 1...12, using: &random)
            let query = (0..<length).map { _ in parts[Int.random(in: 0..<parts.count, using: &random)] }.joined()
            let row = try await test.client.one(
                """
                select api_v1.parse_query(\(query))::text as q, api_v1.search_query(\(query), 1)::text as reader,
                    curation.search_query(\(query), 2)::text as team
                """)
            // A minus sign excludes the word right after it, and only once.
            guard !query.unicodeScalars.contains("-") else { continue }
            let known = try await test.client.one(
                "select websearch_to_tsquery('simple', normalize(\(query)))::text as q")
            #expect(try row("q") as String == known("q") as String, "\(query)")
        }
    }
}
