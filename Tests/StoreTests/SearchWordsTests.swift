// Tests the words of texts: what finds them, and how they are highlighted.
import Postgres
import TestBasics
import TestSupport
import Testing

@Suite("Words of texts", .databases)
struct SearchWordsTests {
    /// A text, queries that find it, and queries that don't.
    private static let texts: [(text: String, found: [String], missing: [String])] = [
        (
            "Ferry Linz/Zwettl resumes", ["Linz", "Zwettl", "zwe", "Linz/Zwettl", "\"linz zwettl\"", "Linz-Zwettl"],
            ["wettl"]
        ),
        ("at the pier.Embarkation starts", ["pier", "Embarkation", "pier.Embarkation"], ["arkation"]),
        (
            "your card/voucher, input/output", ["card", "voucher", "output", "\"card voucher input\""],
            ["\"voucher card\""]
        ),
        (
            "paddlesteamer-x.png and snake_case", ["paddlesteamer", "x", "png", "paddlesteamer-x.png", "case"],
            ["steamer"]
        ),
        (
            "write to jo.doe+news@mail.example.org", ["jo", "doe", "mail", "example", "jo.doe+news@mail.example.org"],
            ["exampl "]
        ),
        (
            "https://www.example.org/a/long-path?q=word#part",
            ["example", "path", "word", "part", "www.example.org/a"], ["http "]
        ),
        ("12km at 20°C for 5€, 3.5 kg", ["12km", "12 km", "km", "12", "20°C", "5€", "3.5", "3.5kg"], ["13km"]),
        (
            "well-known state-of-the-art", ["well", "known", "well-known", "art", "state-of-the-art"],
            ["\"known well\""]
        ),
        (
            "soft\u{AD}hyphen zero\u{200B}width \u{FEFF}mark", ["softhyphen", "zerowidth", "mark", "soft\u{AD}hyphen"],
            ["hyphen"]
        ),
        ("ＡＢＣ ﬁne №5 ｶﾞﾗｽ m²", ["abc", "fine", "No5", "№5", "ガラス", "m2"], ["abd"]),
        ("Crème brûlée, Straße, Øre", ["creme", "BRÛLÉE", "strasse", "ore"], ["brule "]),
        ("ΟΔΟΣ Ελλάδος", ["οδος", "οδός", "ελλαδος"], ["οδο "]),
        ("東京の古い橋を歩く", ["東京", "古い橋", "橋", "東", "\"の古い\"", "東京 歩く", "歩"], ["京東", "新しい", "東京 -橋"]),
        ("隅田川にかかる吾妻橋の歴史", ["吾妻橋", "隅田川", "かかる", "歴史", "史"], ["吾橋"]),
        ("城市花园里的蜜蜂", ["蜜蜂", "花园", "城市花园", "蜂"], ["蜜花"]),
        ("iPhone東京 3月", ["iphone", "東京", "iPhone東京", "3月", "月"], ["iphon "]),
        ("도서관에서 운하까지", ["도서관", "운하", "서관", "운하까지"], ["관서"]),
        ("สะพานเก่าข้ามแม่น้ำ", ["สะพาน", "แม่น้ำ", "น้ำ", "เก่า"], ["ถนน"]),
        ("ຂົວເກົ່າ", ["ຂົວ", "ເກົ່າ"], ["ຖະໜົນ"]), ("ស្ពានចាស់", ["ស្ពាន", "ចាស់"], ["ផ្លូវ"]),
        ("တံတားဟောင်း", ["တံတား", "ဟောင်း"], ["လမ်း"]), ("नमस्ते दुनिया।", ["नमस्ते", "दुनिया"], ["दुन "]),
    ]

    @Test("Every part of a text is found, in any script, and nothing else")
    func found() async throws {
        let test = try await TestDatabase.make()
        func isFound(_ text: String, _ query: String) async throws -> Bool {
            try await test.client.one("select api_v1.terms(\(text)) @@ api_v1.search_query(\(query)) as found")("found")
        }
        for (text, found, missing) in Self.texts {
            for query in found { #expect(try await isFound(text, query), "\(query) in \(text)") }
            for query in missing { #expect(try await !isFound(text, query), "\(query) in \(text)") }
        }
    }

    @Test(
        "The longest texts of any script are found by their last terms, and their titles fit into an index",
        arguments: [0x61, 0x4E00, 0x20000, 0x0E01])
    func longest(script: Int) async throws {
        let test = try await TestDatabase.make()
        let isSpaced = script == 0x61
        let count = isSpaced ? 26 : script == 0x0E01 ? 46 : 20_000
        let space = isSpaced ? " " : ""
        // In scripts without spaces, the terms of 50,000 characters are indexed.
        let (last, position) = isSpaced ? (" zwettl ", 100_000) : ("東京", 49_998)
        let sizes = try await test.client.one(
            """
            select length(api_v1.terms(t.text)) as n, api_v1.terms(t.text) @@ api_v1.parse_query(\(last)) as found,
                pg_column_size(api_v1.title_terms(t.text)) as bytes,
                pg_column_size(api_v1.title_terms(repeat('㌀㌁㌂ é1ü2', 40))) as expanded
            from (
                select string_agg(case i when \(position) then \(last)
                    else chr(\(script) + (i * 7919 % \(count))::integer)
                        || case when i % 7 = 0 then \(space) else '' end end, '' order by i) as text
                from generate_series(1, 100000) i) t
            """)
        let (terms, title, expanded): (Int, Int, Int) = (try sizes("n"), try sizes("bytes"), try sizes("expanded"))
        let isFound: Bool = try sizes("found")
        #expect(terms > count && isFound && title < 2500 && expanded < 2500)
    }

    @Test("Highlights mark what was found, in words and in parts of scripts without spaces")
    func highlights() async throws {
        let test = try await TestDatabase.make()
        for (text, query, expected) in [
            (
                "The old bridge & <b>Linz/Zwettl</b>", "old bri",
                "The <em>old</em> <em>bridge</em> &amp; &lt;b&gt;Linz/Zwettl&lt;/b&gt;"
            ),
            ("Ferry Linz/Zwettl café", "zwettl/cafe", "Ferry Linz/<em>Zwettl</em> <em>café</em>"),
            ("Zwettl Linz, Linz/Zwettl", "\"linz zwettl\"", "Zwettl Linz, <em>Linz</em>/<em>Zwettl</em>"),
            ("川の吾妻橋と橋、吾妻", "吾妻橋", "川の<em>吾妻橋</em>と橋、吾妻"), ("吾妻橋と橋", "橋", "吾妻<em>橋</em>と<em>橋</em>"),
            ("ขอบคุณน้ำใจ", "น้ำ", "ขอบคุณ<em>น้ำ</em>ใจ"), ("It is 12km long", "km", "It is <em>12km</em> long"),
            ("soft\u{AD}hyphen", "softhyphen", "<em>soft\u{AD}hyphen</em>"), ("nothing here", "bridge", nil),
            ("a bridge", "a -bridge", "<em>a</em> bridge"), ("", "bridge", nil),
        ] as [(String, String, String?)] {
            let row = try await test.client.one(
                "select api_v1.highlight(\(text), api_v1.search_query(\(query))) as html")
            #expect(try row("html") as String? == expected, "\(query)")
        }
    }

    @Test("An excerpt of a long text begins before the first place with most of the words")
    func excerpts() async throws {
        let test = try await TestDatabase.make()
        let row = try await test.client.one(
            """
            select api_v1.highlight(repeat('word ', 3000) || 'a bridge ' || repeat('more ', 3000) || 'the old bridge ' || repeat('end ', 900),
                api_v1.search_query('old bridge'), 30) as html,
                api_v1.highlight(repeat('word ', 3000), api_v1.search_query('old bridge'), 30) as missing
            """)
        let html: String = try row("html")
        #expect(html.contains("more the <em>old</em> <em>bridge</em> end") && html.count < 200, "\(html)")
        #expect(try row("missing") as String? == nil)
    }
}
