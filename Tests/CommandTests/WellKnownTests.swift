// Tests what is served at fixed paths for browsers and researchers.
import EventLoop
import FoundationEssentials
import HTTP
import Platform
import Testing

@testable import vitrine

@Suite("Well-known paths")
struct WellKnownTests {
    private func respond(
        _ path: String, method: String = "GET", contact: String? = nil,
        at now: Date = Date(timeIntervalSince1970: 86_400)
    ) throws -> Response? {
        let settings = try Settings.load(environment: contact.map { ["VITRINE_SECURITY_CONTACT": $0] } ?? [:])
        return WellKnown(settings).respond(
            Request(
                method: method, path: path, rawTarget: path, query: FormFields(), headers: Headers(), body: .none,
                remoteAddress: "192.0.2.7", loop: EventLoop(name: "test")),
            now: now)
    }

    @Test("Password managers find the page to change a password")
    func changePassword() throws {
        let response = try #require(try respond("/.well-known/change-password"))
        #expect(response.status == 302 && response.headers["Location"] == "/account/password")
    }

    @Test("S24, S52: security.txt has the configured contact and an expiry within a year; without one there is none")
    func securityFile() throws {
        let response = try #require(try respond("/.well-known/security.txt", contact: "mailto:security@example.org"))
        #expect(response.headers["Content-Type"]?.hasPrefix("text/plain") == true)
        #expect(response.headers["X-Content-Type-Options"] == "nosniff")
        guard case .bytes(let bytes) = response.body else { throw Missing() }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        #expect(
            lines == [
                "Contact: mailto:security@example.org", "Expires: 1970-07-01T00:00:00Z", "Preferred-Languages: en",
                "Canonical: http://127.0.0.1:8080/.well-known/security.txt",
            ])
        #expect(try respond("/.well-known/security.txt") == nil)
        #expect(try respond("/.well-known/nothing") == nil)
        #expect(try respond("/.well-known/change-password", method: "POST") == nil)
    }

    private struct Missing: Error {}

    @Test(
        "A contact that is no mailto: or https: URL is refused", arguments: ["security@example.org", "mailto:a\nb", ""])
    func badContact(_ contact: String) throws {
        #expect(throws: ConfigurationError.self) { try respond("/", contact: contact) }
    }
}
