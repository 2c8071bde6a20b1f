// Tests roles, permissions, names, email addresses and passwords.
import Domain
import Testing

@Suite struct RoleTests {
    @Test("the permission table matches cell by cell")
    func table() {
        let table: [(Permission, String)] = [
            (.readQueue, "yyyy"), (.decide, "yyyy"), (.suggest, "yyyy"), (.edit, "-yyy"), (.approve, "-yyy"),
            (.createRelease, "-yyy"), (.publish, "--yy"), (.administer, "---y"),
        ]
        #expect(table.map(\.0) == Permission.allCases)
        for (action, row) in table {
            #expect(Role.allCases.map { $0.may(action) ? "y" : "-" }.joined() == row, "\(action)")
        }
    }

    @Test("roles are ordered from curator to administrator")
    func order() {
        #expect(Role.allCases.reversed().sorted() == [.curator, .editor, .publisher, .administrator])
        #expect(!(Role.editor < .editor))
    }

    @Test("scopes have their public names")
    func scopes() {
        #expect(Scope.allCases.map(\.rawValue) == ["submit", "review", "read-guest", "read-full"])
    }

    @Test("S6: names are one line without invisible characters")
    func names() throws {
        #expect(try AccountName.check("  Ana\r\nBcc: x ") == "Ana Bcc: x")
        #expect(try AccountName.check(String(repeating: "é", count: 100)).count == 100)
        #expect(problems { _ = try AccountName.check(String(repeating: "é", count: 101)) } == ["too_long /name"])
        #expect(problems { _ = try AccountName.check(" \u{200B}") } == ["required /name"])
        #expect(problems { _ = try AccountName.check("a\u{202E}b") } == ["control_characters /name"])
        #expect(problems { _ = try AccountName.check("a\0b") } == ["control_characters /name"])
    }

    @Test(
        "email addresses are stored in lowercase",
        arguments: [" Ana@Example.ORG ", "a.b+c@x-y.example", "o'neil@a.b", "x@xn--mnchen-3ya.example"])
    func addresses(written: String) throws {
        #expect(try EmailAddress.check(written) == written.split(separator: " ").joined().lowercased())
    }

    @Test(
        "S6: anything but a single plain email address is rejected",
        arguments: [
            "", "a", "@a.b", "a@", "a@b", "a@@b.c", "a@b@c.d", "a b@c.d", ".a@b.c", "a.@b.c", "a..b@c.d", "a@b..c",
            "a@-b.c",
            "a@b-.c", "a@b.c.", "\"a\"@b.c", "a@[1.2.3.4]", "a@b.c\r\nBcc: d@e.f", "a@b.c\n", "a@b.c\0", "ü@b.c",
            "a@ü.c",
            "<a@b.c>", "a@b.c,d@e.f",
        ])
    func wrongAddresses(written: String) {
        #expect(problems { _ = try EmailAddress.check(written) } == ["format /email"])
    }

    @Test("an email address has 64 bytes before the sign and 254 in all")
    func addressLength() {
        func found(_ local: Int, _ whole: Int) -> [String] {
            let label = String(repeating: "b", count: 60) + "."
            let domain = String(String(repeating: label, count: 4).prefix(whole - local - 4)) + "b.c"
            return problems { _ = try EmailAddress.check(String(repeating: "a", count: local) + "@" + domain) }
        }
        #expect(found(64, 254) == [] && found(65, 200) == ["format /email"] && found(64, 255) == ["format /email"])
    }

    @Test("S9: a password has 12 characters to 256 bytes, and is used as typed")
    func passwords() {
        func found(_ password: String) -> [String] { problems { try PasswordRule.check(password) } }
        #expect(found(String(repeating: " ", count: 12)) == [])
        #expect(found("12345678901") == ["too_short /password"])
        #expect(found(String(repeating: "é", count: 11)) == ["too_short /password"])
        #expect(found(String(repeating: "é", count: 128)) == [])
        #expect(found(String(repeating: "é", count: 128) + "a") == ["too_long /password"])
    }
}
