// Tests from which length on the sender of a body is asked for.
import Testing

@testable import vitrine

@Suite("Admission of bodies")
struct BodyLimitTests {
    @Test(
        "S29: 64 KiB are read from everybody, one byte more only from known senders",
        arguments: ["/entries", "/login", "/v1/submissions"])
    func boundary(_ path: String) {
        #expect(!Site.admitsFirst("POST", path, 64 << 10))
        #expect(Site.admitsFirst("POST", path, (64 << 10) + 1))
    }
}
