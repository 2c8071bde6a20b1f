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
            #expect(Role.presets.map { $0.may(action) ? "y" : "-" }.joined() == row, "\(action)")
        }
    }

    @Test("presets are ordered from curator to administrator: each includes the ones before it, and no later one")
    func order() {
        #expect(Role.presets == [.curator, .editor, .publisher, .administrator])
        for (index, role) in Role.presets.enumerated() {
            #expect(Role.presets.map { role.includes($0) } == Role.presets.indices.map { $0 <= index }, "\(role.name)")
        }
    }

    @Test("a role includes another one exactly when it has all its permissions")
    func inclusion() throws {
        let moderator = try Role.check(name: "moderator", label: "Moderator", permissions: ["decide", "suggest"])
        #expect(moderator.permissions == Role.curator.permissions, "every role can read the queue")
        #expect(moderator.includes(.curator) && Role.curator.includes(moderator) && moderator != .curator)
        for permission in Permission.allCases {
            let without = Role(
                name: "other", label: "Other", permissions: moderator.permissions.subtracting([permission]))
            #expect(without.includes(moderator) == !moderator.may(permission), "\(permission)")
            #expect(moderator.includes(without), "\(permission)")
        }
    }

    @Test("a team's role has a name, a label and known permissions; all errors are reported at once")
    func definition() throws {
        func found(_ name: String, _ label: String = "Moderator", _ permissions: [String] = []) -> [String] {
            problems { _ = try Role.check(name: name, label: label, permissions: permissions) }
        }
        for name in ["m", "moderator-2", String(repeating: "m", count: 40)] { #expect(found(name) == [], "\(name)") }
        for name in ["", "2m", "-m", "M", "m_n", "m n", "é", String(repeating: "m", count: 41)] {
            #expect(found(name) == ["format /name"], "\(name)")
        }
        #expect(found("m", String(repeating: "é", count: 60)) == [])
        #expect(found("m", String(repeating: "é", count: 61)) == ["required /label"])
        #expect(found("m", " \u{200B}") == ["required /label"])
        #expect(found("m", "a\u{202E}b") == ["control_characters /label"])
        #expect(found("m", "a\0b") == ["control_characters /label"])
        #expect(found("", "", ["rule"]) == ["format /name", "required /label", "choice /permissions"])
        let role = try Role.check(name: "m", label: " Night\nshift ", permissions: ["publish", "publish"])
        #expect(role.label == "Night shift" && role.permissions == [.readQueue, .publish] && !role.isPreset)
    }

    @Test("a preset is named by the program; a team's role keeps its label within a sentence")
    func labels() throws {
        #expect(Role.presets.map(\.label) == ["Curator", "Editor", "Publisher", "Administrator"])
        #expect(Role.editor.labelInText == "editor" && Role.editor.people == "editors")
        let role = try Role.check(name: "editor-de", label: "Editor (DE)", permissions: ["edit"])
        #expect(role.label == "Editor (DE)" && role.labelInText == "Editor (DE)" && role.people == "Editor (DE)")
        #expect(role.meaning == "Read the queue, Edit")
    }

    @Test("scopes have their public names")
    func scopes() {
        #expect(Scope.allCases.map(\.rawValue) == ["submit", "review", "report", "read-guest", "read-full"])
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
        "An internationalized domain is stored in its ASCII form, however it is written",
        arguments: [
            ("Redaktion@Kähne-und-Fähren.example", "redaktion@xn--khne-und-fhren-5hbj.example"),
            ("a@bu\u{308}cher.example", "a@xn--bcher-kva.example"), ("a@例え.テスト", "a@xn--r8jz45g.xn--zckzah"),
            ("a@straße.example", "a@xn--strae-oqa.example"), ("a@XN--BCHER-KVA.example", "a@xn--bcher-kva.example"),
            ("A@STRASSE.example", "a@strasse.example"), ("a@\u{FF42}ücher.Example", "a@xn--bcher-kva.example"),
            ("a@bücher\u{FF0E}example", "a@xn--bcher-kva.example"), ("a@ü\u{3002}c", "a@xn--tda.c"),
            ("a@क्\u{200D}ष.example", "a@xn--11b2ezcw70k.example"),
        ])
    func internationalized(written: String, stored: String) throws {
        #expect(try EmailAddress.check(written) == stored)
        #expect(EmailAddress.stored(written) == stored)
    }

    @Test(
        "S6: anything but a single plain email address is rejected",
        arguments: [
            "", "a", "@a.b", "a@", "a@b", "a@@b.c", "a@b@c.d", "a b@c.d", ".a@b.c", "a.@b.c", "a..b@c.d", "a@b..c",
            "a@-b.c",
            "a@b-.c", "a@b.c.", "\"a\"@b.c", "a@[1.2.3.4]", "a@b.c\r\nBcc: d@e.f", "a@b.c\n", "a@b.c\0", "ü@b.c",
            "a@-ü.c", "a@ü-.c", "a@ü..c", "a@ü", "a@ü c.d", "a@ü_b.c", "a@💌.c", "a@a\u{200D}b.c", "a@אb.c", "a@ü.c.",
            "a@xn--a.c", "a@xn--.c", "a@1.2.3.\u{FF14}", "a@ü\u{FF20}b.c", "a\u{FF20}ü.c",
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
}
