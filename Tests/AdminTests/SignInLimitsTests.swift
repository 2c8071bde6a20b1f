// Tests whom failed sign-ins keep out, and which links a change of the account ends.
import Domain
import Operations
import Platform
import Store
import TestSupport
import Testing

@testable import Admin
@testable import HTTP

@Suite("Limits of signing in", .databases)
struct SignInLimitsTests {
    private func outcome(
        _ services: Services, _ password: String, from remoteAddress: String
    ) async throws -> String {
        switch try await services.signIn(
            email: "ann@example.org", password: password, remoteAddress: remoteAddress, userAgent: "test")
        {
        case .signedIn, .needsCode: "right"
        case .wrong: "wrong"
        case .tooMany: "too many"
        }
    }

    @Test("S10: failures from one network lock out that network, not the owner of the account")
    func strangersDoNotLockOut() async throws {
        let fixture = try await AdminFixture.make()
        let services = try fixture.test.services(["VITRINE_LOGIN_ATTEMPTS_PER_ACCOUNT": "2"])
        _ = try await fixture.account("ann@example.org")
        for expected in ["wrong", "wrong", "too many"] {
            #expect(try await outcome(services, "wrong", from: "192.0.2.66") == expected)
        }
        #expect(try await outcome(services, AdminFixture.password, from: "192.0.2.66") == "too many")
        #expect(try await outcome(services, AdminFixture.password, from: "192.0.2.7") == "right")
        // Her success does not give the stranger further attempts.
        #expect(try await outcome(services, "wrong", from: "192.0.2.66") == "too many")
    }

    @Test("S10: other addresses of an IPv6 network count as the same client, and a /48 as ten")
    func networks() async throws {
        let fixture = try await AdminFixture.make()
        let services = try fixture.test.services(["VITRINE_LOGIN_ATTEMPTS_PER_ACCOUNT": "2"])
        _ = try await fixture.account("ann@example.org")
        for (number, expected) in ["wrong", "wrong", "too many"].enumerated() {
            #expect(try await outcome(services, "wrong", from: "2001:db8:1:1::\(number)") == expected)
        }
        for number in 2...19 {
            let address = "2001:db8:1:\(String(number, radix: 16))::1"
            #expect(try await outcome(services, "wrong", from: address) == "wrong")
        }
        #expect(try await outcome(services, "wrong", from: "2001:db8:1:ff::1") == "too many")
        #expect(try await outcome(services, AdminFixture.password, from: "2001:db8:2::1") == "right")
    }

    @Test("S10: parallel guesses are no more than the limit")
    func parallel() async throws {
        let fixture = try await AdminFixture.make()
        let services = try fixture.test.services(["VITRINE_LOGIN_ATTEMPTS_PER_ACCOUNT": "3"])
        _ = try await fixture.account("ann@example.org")
        let outcomes = try await concurrently(1...12) { _ in
            try await outcome(services, "wrong", from: "192.0.2.66")
        }
        #expect(outcomes.filter { $0 == "wrong" }.count == 3)
        #expect(outcomes.filter { $0 == "too many" }.count == 9)
    }

    @Test("S43: a sign-in link ends with a new password, and with disabling the account", arguments: [true, false])
    func links(isNewPassword: Bool) async throws {
        let fixture = try await AdminFixture.make()
        let id = try await fixture.account("ann@example.org")
        let manage = fixture.test.services.manageAccount
        let link = try await manage.signInLink(for: id, by: TestDatabase.administrator)
        if isNewPassword {
            let account = try #require(try await fixture.test.database.accounts.find(id))
            try await manage.setPassword(account, "seven quiet herons wade", by: TestDatabase.administrator)
        } else {
            try await manage.setDisabled(id, true, by: TestDatabase.administrator)
            try await manage.setDisabled(id, false, by: TestDatabase.administrator)
        }
        let page = try await fixture.stranger.visit("/login/\(link.text)")
        #expect(page.status == 422 && page.says("was already used or has expired"))
    }

    @Test("S43: of two uses of a link at the same time one signs in, and the other leaves no trace")
    func linkRace() async throws {
        let fixture = try await AdminFixture.make()
        let id = try await fixture.account("ann@example.org")
        let link = try await fixture.test.services.manageAccount.signInLink(
            for: id, by: TestDatabase.administrator)
        let used = try await concurrently(1...6) { _ in
            try await fixture.test.services.signIn.withLink(link, remoteAddress: "192.0.2.7", userAgent: "test") != nil
        }
        #expect(used.count { $0 } == 1)
        let events = try await fixture.test.client.query(
            "select count(*) as n from ops.audit_event where action = 'session.create'"
        ).map { try $0("n") as Int }
        #expect(events == [1])
    }

    @Test("S44: a refused change of the password shows neither the current password nor what was typed as it")
    func noEcho() async throws {
        let browser = try await AdminFixture.make().browser(.curator)
        let page = try await browser.get("/account/password")
        let refused = try await browser.fill(
            page, "/account/password", [("current", "my current secret"), ("password", "short")])
        #expect(refused.status == 422 && !refused.holds("my current secret"))
        let fields = RejectedInput.fields(
            of: Request(
                method: "POST", path: "/x", rawTarget: "/x", query: FormFields(), headers: Headers(),
                body: .form(
                    FormFields([
                        FormFields.Field(name: "current", value: "one"),
                        FormFields.Field(name: "code", value: "123456"),
                        FormFields.Field(name: "note", value: "kept"),
                    ])), remoteAddress: "192.0.2.7", loop: browser.loop))
        #expect(fields.map(\.value) == ["kept"])
    }

    @Test("S44: the log shows the path without the token of a link")
    func loggedPath() {
        let parameters = PathParameters(names: ["token"], values: ["c2VjcmV0"])
        #expect(parameters.hidingToken(in: "/welcome/c2VjcmV0") == "/welcome/{token}")
        #expect(PathParameters.none.hidingToken(in: "/queue/7") == "/queue/7")
    }
}
