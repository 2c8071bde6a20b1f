// Tests that interpolated values never become SQL text.
import FoundationEssentials
@testable import Postgres
import Testing

@Suite("SQL interpolation")
struct SQLTests {
    @Test("A value becomes a numbered placeholder and a bind")
    func values() {
        let sql: SQL = "select \("a'b") , \(3), \(nil as Int?), \(true)"
        #expect(sql.text == "select $1 , $2, $3, $4")
        #expect(sql.binds == [.text("a'b"), .text("3"), .null, .text("t")])
    }

    @Test("Nested SQL is renumbered, also past nine and next to text that resembles a placeholder")
    func splicing() {
        let inner: SQL = "x = \(1) and y = '$1' and z = \(2)"
        let outer: SQL = "select \(0) where \(inner) and \(inner) or \(9)"
        #expect(
            outer.text == "select $1 where x = $2 and y = '$1' and z = $3 and x = $4 and y = '$1' and z = $5 or $6")
        #expect(outer.binds.count == 6)
        var long = SQL.empty
        for number in 1...12 { long += "\(number)," }
        let twice = "\(0);" + long
        #expect(twice.text.hasSuffix("$10,$11,$12,$13,"))
        #expect(twice.binds == (0...12).map { Bind.text(String($0)) })
    }

    @Test("Raw text is inserted unchanged, and empty SQL adds nothing")
    func raw() {
        let sql = "select * from \(raw: "entry")" + .empty + " limit \(1)"
        #expect(sql.text == "select * from entry limit $1")
        #expect(SQL.empty.isEmpty)
    }

    @Test("Statements are split at semicolons outside of strings, names, comments and bodies")
    func statements() {
        let text = """
            -- first; comment
            create table a (b text default 'x;''y');
            /* c; /* nested; */ d; */
            do $body$ begin perform 1; end $body$ ; ;
            select E'\\';', "q;""r", $1, a$b$c from t;
            select $$;$$
            """
        let statements = StatementSplitter.statements(of: text)
        #expect(statements.count == 4)
        #expect(statements[1].contains("perform 1; end $body$"))
        #expect(statements[2].contains("a$b$c from t"))
        #expect(statements[3].hasSuffix("select $$;$$"))
        #expect(StatementSplitter.statements(of: " ; -- nothing\n;").isEmpty)
    }

    @Test("A full statement cache evicts the least recently used statement")
    func cache() {
        var cache = StatementCache(capacity: 2)
        let first = cache.add("a").name
        #expect(cache.add("b").evicted == nil)
        #expect(cache.name(of: "a") == first)
        let third = cache.add("c")
        #expect(third.evicted == "v2")
        #expect(cache.name(of: "b") == nil)
        #expect(cache.name(of: "a") == first)
        #expect(cache.remove("a") == first)
        #expect(cache.name(of: "a") == nil)
        #expect(cache.count == 1)
    }
}
