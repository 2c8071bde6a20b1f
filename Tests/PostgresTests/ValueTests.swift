// Tests that values are read back from PostgreSQL unchanged.
import FoundationEssentials
import Postgres
import Testing

@Suite("Values")
struct ValueTests {
    private static let naughty = [
        "", " ", "'", "''", "\"", "\\", "\\'", "\\\\", "'; drop table entry; --", "$1", "%s%n", "{a,b}", "{}", "NULL",
        "null", "a,b", "{\"x\"}", "\t\n\r", "\u{1}\u{7f}", "\u{feff}", "\u{202e}rtl", "Ω≈ç√", "田中さん", "👩‍👩‍👧‍👦🇺🇸",
        "e\u{301}", "1 or 1=1", "\\x41", "\u{10ffff}", String(repeating: "ä'\\", count: 20_000),
    ]

    @Test("S1: every string is read back unchanged, as a value and inside arrays", arguments: [true, false])
    func strings(prepare: Bool) async throws {
        try await PostgresFixture.run(configure: { $0.prepare = prepare }) { client, _ in
            for string in Self.naughty {
                let row = try await client.one("select \(string)::text as value, octet_length(\(string)::text) as size")
                #expect(try row("value") == string)
                #expect(try row("size") == string.utf8.count)
            }
            let row = try await client.one(
                "select \(Self.naughty)::text[] as values, cardinality(\(Self.naughty)::text[])")
            #expect(try row("values") == Self.naughty)
            #expect(try row(1) == Self.naughty.count)
            let holes: [String?] = ["NULL", nil, "", nil]
            #expect(try await client.one("select \(holes)::text[]")(0) == holes)
        }
    }

    @Test("S1: a NUL character is rejected, not truncated")
    func nul() async throws {
        try await PostgresFixture.run { client, _ in
            let error = await PostgresFixture.error { try await client.query("select \("a\0b")::text") }
            #expect(error?.sqlState == "22021")
            #expect(error?.kind == .server)
            // The connection stays in sync.
            let next = try await client.one("select 1")(0) as Int
            #expect(next == 1)
        }
    }

    @Test("Numbers, booleans and UUIDs are read back unchanged, at their limits too")
    func scalars() async throws {
        try await PostgresFixture.run { client, _ in
            for number in [0, 1, -1, Int.max, Int.min] {
                #expect(try await client.one("select \(number)::bigint")(0) == number)
                #expect(try await client.one("select \(Int64(number))::bigint")(0) == Int64(number))
            }
            #expect(try await client.one("select \(Int32.min)::int")(0) == Int32.min)
            for number in [0.1, -0.0, 1e308, .leastNonzeroMagnitude, .infinity, -.infinity, Double.pi] {
                let back = try await client.one("select \(number)::float8")(0) as Double
                #expect(back.bitPattern == number.bitPattern)
            }
            #expect((try await client.one("select \(Double.nan)::float8")(0) as Double).isNaN)
            let uuid = UUID()
            let row = try await client.one("select \(uuid)::uuid as id, \(true)::bool as yes, \(false)::bool as no")
            #expect(try row("id") == uuid)
            #expect(try row("yes") == true)
            #expect(try row("no") == false)
            #expect(try await client.one("select \([uuid, nil])::uuid[]")(0) == [uuid, nil])
            #expect(try await client.one("select \([1, -2])::bigint[]")(0) == [1, -2])
            #expect(try await client.one("select \([Int]())::bigint[]")(0) == [Int]())
            #expect(try await client.one("select \([1.5])::float8[]")(0) == [1.5])
        }
    }

    @Test("Bytes are read back unchanged; the bytes of any other column are its text")
    func bytes() async throws {
        try await PostgresFixture.run { client, _ in
            let all = (0...255).map { UInt8($0) }
            for bytes in [[], [0], all] {
                let row = try await client.one("select \(bytes)::bytea as content, length(\(bytes)::bytea) as size")
                #expect(try row("content") == bytes)
                #expect(try row.bytes("content") == bytes)
                #expect(try row("size") == bytes.count)
            }
            let row = try await client.one("select '{\"a\": 1}'::json as document, null::json as nothing")
            #expect(try row.bytes("document") == Array("{\"a\": 1}".utf8))
            #expect(try row.withBytes("nothing") { $0 == nil })
        }
    }

    @Test("Dates are read back exact to the microsecond, in any time zone of the session")
    func dates() async throws {
        try await PostgresFixture.run { client, _ in
            // 1970, a leap day, the year 1, 1 BC, far future, before 1970 with a fraction.
            let texts = [
                "1970-01-01 00:00:00+00", "2024-02-29 23:59:59.999999+00", "0001-01-01 00:00:00+00",
                "0001-12-31 12:00:00+00 BC", "4713-01-02 00:00:00+00 BC", "12345-06-07 08:09:10.5+00",
                "1969-12-31 23:59:59.000001+00", "2000-03-01 00:00:00+00", "1900-02-28 00:00:00+00",
            ]
            for zone in ["UTC", "Asia/Kathmandu", "America/New_York", "Europe/Amsterdam"] {
                try await client.transaction { tx in
                    try await tx.execute("set local timezone to \(raw: "'\(zone)'")")
                    for text in texts {
                        let row = try await tx.one(
                            """
                            select \(text)::timestamptz as date,
                                extract(epoch from \(text)::timestamptz)::float8 as epoch
                            """
                        )
                        let date = try row("date") as Date
                        let epoch = try row("epoch") as Double
                        #expect(abs(date.timeIntervalSince1970 - epoch) < 1e-6, "\(text) in \(zone)")
                        let isSame = try await tx.one("select \(date)::timestamptz = \(text)::timestamptz")(0) as Bool
                        // A Date is a Double: within 300 years of 2001 it stores microseconds.
                        #expect(isSame, "\(text) in \(zone)")
                    }
                }
            }
            #expect(try await client.one("select date '2024-05-06'")(0) == Date(timeIntervalSince1970: 1_714_953_600))
            let error = await PostgresFixture.error {
                try await client.query("select \(Date(timeIntervalSince1970: .infinity))::timestamptz")
            }
            #expect(error?.sqlState == "22007")
        }
    }

    private enum Mood: String, PostgresEncodable, PostgresDecodable {
        case good, bad
    }

    @Test("An enum is stored as its raw value, and an unknown one is an error")
    func enums() async throws {
        try await PostgresFixture.run { client, _ in
            #expect(try await client.one("select \(Mood.bad)::text")(0) == Mood.bad)
            let row = try await client.one("select 'ugly' as mood")
            #expect(throws: DecodingError.self) { try row("mood") as Mood }
        }
    }

    @Test("Decoding errors name the column and the type, but not the value")
    func decodingErrors() async throws {
        try await PostgresFixture.run { client, _ in
            let row = try await client.one("select 'secret' as title, null as nothing, 1 as \"Odd Name\"")
            #expect(try row("Odd Name") == 1)
            #expect(try row("nothing") as Int? == nil)
            func message(_ body: () throws -> some Any) -> String {
                do {
                    return "\(try body())"
                } catch {
                    return "\(error)"
                }
            }
            let wrongType = message { try row("title") as Int }
            #expect(wrongType.contains("title") && wrongType.contains("Int") && !wrongType.contains("secret"))
            let isNull = message { try row("nothing") as String }
            #expect(isNull.contains("nothing") && isNull.contains("NULL"))
            #expect(message { try row("absent") as Int }.contains("Odd Name"))
            #expect(throws: DecodingError.self) { try row(3) as Int }
            #expect(throws: DecodingError.self) { try row(-1) as Int }
            let large = try await client.one("select 9223372036854775808 as n, 2147483648 as m")
            #expect(throws: DecodingError.self) { try large("n") as Int }
            #expect(throws: DecodingError.self) { try large("m") as Int32 }
        }
    }

    @Test("Columns may be read in any order, and a repeated name returns the first")
    func columnOrder() async throws {
        try await PostgresFixture.run { client, _ in
            let rows = try await client.query("select n as a, n * 2 as b, n * 3 as c from generate_series(1, 3) n")
            for (index, row) in rows.enumerated() {
                #expect(try row("c") == (index + 1) * 3)
                #expect(try row("a") == index + 1)
                #expect(try row("b") == (index + 1) * 2)
            }
            #expect(try await client.query("select where false").isEmpty)
        }
    }
}
