// Tests the mail settings and their error messages.
import Platform
import Testing
@testable import Operations

@Suite("Mail settings")
struct MailRulesTests {
    private func rules(_ settings: [String: String]) throws -> MailRules {
        var environment: [String: String] = [:]
        for (name, value) in settings { environment["VITRINE_MAIL_" + name] = value }
        return try MailRules(try Settings.load(environment: environment))
    }

    @Test("Without a server the settings are valid and nothing is sent")
    func none() throws {
        #expect(try !rules([:]).isConfigured)
        #expect(try rules(["URL": "smtp://mail.example.org:587", "FROM": "a@example.org"]).isConfigured)
    }

    @Test(
        "An invalid server, or one that would receive the password unencrypted, is refused with a message",
        arguments: [
            (["URL": "smtp://mail.example.org"], "mail.from"),
            (["URL": "http://mail.example.org", "FROM": "a@example.org"], "smtp://host:port"),
            (["URL": "smtp://u:p@mail.example.org", "FROM": "a@example.org"], "without a name or password"),
            (["URL": "smtp://", "FROM": "a@example.org"], "smtp://host:port"),
            (["URL": "smtp://h/../x", "FROM": "a@example.org"], "smtp://host:port"),
            (["URL": "smtp://h", "FROM": "a@example.org", "USER": "a"], "mail.password"),
            (["URL": "smtp://h", "FROM": "a@example.org", "PASSWORD": "a"], "mail.password"),
            (
                ["URL": "smtp://h", "FROM": "a@example.org", "USER": "a", "PASSWORD": "b", "PLAIN": "true"],
                "mail.plain"
            ),
            (
                [
                    "URL": "smtp://localhost.evil.example", "FROM": "a@example.org", "USER": "a", "PASSWORD": "b",
                    "PLAIN": "true",
                ], "mail.plain"
            ),
            (["URL": "smtp://h", "FROM": "not an address"], "email address"),
            (["URL": "smtp://h", "FROM": "a@example.org\r\nBcc: b@example.org"], "email address"),
            (["INVITATION_HOURS": "0"], "1 to 24"), (["INVITATION_HOURS": "25"], "1 to 24"),
            (["RESET_MINUTES": "4"], "5 to 60"), (["RESET_MINUTES": "61"], "5 to 60"),
        ])
    func refused(settings: [String: String], sentence: String) {
        #expect {
            try rules(settings)
        } throws: { "\($0)".contains(sentence) }
    }

    @Test("A local relay may be unencrypted; limits are inclusive; the password is never shown")
    func allowed() throws {
        for host in ["localhost", "localhost:2525", "127.0.0.1:25", "[::1]:25"] {
            let made = try rules([
                "URL": "smtp://\(host)", "FROM": "a@example.org", "USER": "a", "PASSWORD": "hunter-two-and-more",
                "PLAIN": "true",
            ])
            var shown = ""
            dump(made, to: &shown)
            #expect(made.isConfigured && !shown.contains("hunter") && !"\(made)".contains("hunter"))
        }
        for (hours, minutes) in [(1, 5), (24, 60)] {
            let made = try rules(["INVITATION_HOURS": String(hours), "RESET_MINUTES": String(minutes)])
            #expect(made.minutes(of: .invitation) == hours * 60 && made.minutes(of: .passwordReset) == minutes)
        }
    }
}
