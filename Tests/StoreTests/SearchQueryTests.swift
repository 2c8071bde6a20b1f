// Tests how typed queries are parsed.
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
            ("well-known", "'well' <-> 'known'"), ("me@example.org", "'me' <-> 'example' <-> 'org'"),
            ("\u{201C}a b\u{201D} c", "'a' <-> 'b' & 'c'"), ("12km", "'12' <-> 'km'"), ("a\u{3000}b", "'a' & 'b'"),
            ("東京都", "'東京' <-> '京都'"), ("東京 橋", "'東京' & '橋':*"), ("\"東京 橋\"", "'東京' <-> '京' <-> '橋':*"),
            ("-東京 a", "!'東京' & 'a'"), ("東京。", "'東京'"), ("iPhone東京", "'iphone' <-> '東京'"),
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
        #expect(team == "'cafe' & 'n':*")
        let excluding = try await test.client.one("select curation.search_query('-n', 1)::text as q")
        #expect(try excluding("q") as String? == nil)
    }

    @Test("A decomposed query is the composed one")
    func decomposed() async throws {
        let test = try await TestDatabase.make()
        for (query, team, readers) in [
            ("cafe\u{301}", "'cafe'", "'cafe':*"), ("\u{1100}\u{1161}", "'\u{AC00}':*", "'\u{AC00}':*"),
            ("\u{438}\u{306}", "'\u{439}'", "'\u{439}'"),
        ] {
            let row = try await test.client.one(
                "select api_v1.parse_query(\(query))::text as team, api_v1.search_query(\(query))::text as readers")
            // Strings that differ in their form only are equal.
            #expect(Array((try row("team") as String).utf8) == Array(team.utf8))
            #expect(Array((try row("readers") as String).utf8) == Array(readers.utf8))
        }
    }

    @Test(
        "A text is found by any of its parts between spaces, and their highlights are the text with marks",
        arguments: TestScale.seeds(2))
    func random(seed: UInt64) async throws {
        let test = try await TestDatabase.make()
        var random = SeededGenerator(seed: seed)
        let parts = [
            "a", "b", "Ab", " ", " ", "\t", "-", "\"", "'", "\\", "&", "|", "!", "(", ")", ":", "*", "<", ">", ".", "/",
            "@", "_", "1", "2.5", "é", "日", "本", "ー", "น้ำ", "가", "រ\u{17D2}", "🎏", "\u{200D}", "\u{301}", "%", "$1", "ß",
            "“",
            "+", "\u{AD}", "Ａ", "ﬁ", "http://a.b/c?d=e", "a@b.c",
        ]
        for _ in 0..<500 {
            let length = Int.random(in: 1...12, using: &random)
            let text = (0..<length).map { _ in parts[Int.random(in: 0..<parts.count, using: &random)] }.joined()
            let missing = try await test.client.query(
                """
                select p.part, api_v1.terms(\(text))::text as terms, q.query::text as query
                from regexp_split_to_table(\(text), '[\\s"“]+') p (part)
                cross join lateral (select api_v1.search_query(ltrim(p.part, '-')) as query, curation.search_query(p.part, 2)) q
                where numnode(q.query) > 0 and not api_v1.terms(\(text)) @@ q.query
                """
            ).map { (try $0("part") as String, try $0("terms") as String, try $0("query") as String) }
            #expect(missing.isEmpty, "\(text): \(missing)")
            let wrong = try await test.client.query(
                """
                select p.part, h.html
                from regexp_split_to_table(\(text), '[\\s"“]+') p (part)
                cross join lateral (values (api_v1.search_query(p.part)), (curation.search_query(p.part, 2))) q (query)
                cross join lateral (select api_v1.highlight(\(text), q.query) as html) h
                where p.part not like '-%' and api_v1.terms(\(text)) @@ q.query and not coalesce(
                    h.html like '%<em>_%</em>%' and replace(replace(h.html, '<em>', ''), '</em>', '')
                        = btrim(replace(replace(replace(\(text), '&', '&amp;'), '<', '&lt;'), '>', '&gt;')), false)
                """
            ).map { (try $0("part") as String, try $0("html") as String?) }
            #expect(wrong.isEmpty, "\(text): \(wrong)")
            let whole = try await test.client.one(
                "select api_v1.highlight(\(text), api_v1.search_query(\(text)), 10) as text, api_v1.corrected_query(\(text)) as q"
            )
            #expect(try (whole("text") as String?)?.contains("<em></em>") != true)
        }
    }
}
