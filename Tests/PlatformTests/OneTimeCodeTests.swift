// Tests one-time codes with the vectors of RFC 6238, and recovery codes.
import Testing

@testable import Platform

@Suite("One-time codes")
struct OneTimeCodeTests {
    private static let code = OneTimeCode(secret: Array("12345678901234567890".utf8))

    @Test(
        "S48: the codes are those of RFC 6238, appendix B",
        arguments: [
            (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
            (2_000_000_000, "279037"), (20_000_000_000, "353130"),
        ] as [(Int64, String)])
    func vectors(second: Int64, digits: String) {
        #expect(Self.code.code(at: second / 30) == digits)
    }

    @Test("S48: a code is valid in its own step and one before and after, not two")
    func window() {
        let now: Int64 = 41_152_263
        for offset in [-1, 0, 1] as [Int64] {
            #expect(Self.code.step(of: Self.code.code(at: now + offset), now: now) == now + offset)
        }
        for offset in [-2, 2] as [Int64] {
            #expect(Self.code.step(of: Self.code.code(at: now + offset), now: now) == nil)
        }
        for text in ["", "12345", "1234567", "abcdef"] { #expect(Self.code.step(of: text, now: now) == nil) }
    }

    @Test("The secret is base32 (RFC 4648), and is in the URL for apps")
    func url() {
        for (text, coded) in [
            ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"),
            ("foobar", "MZXW6YTBOI"),
        ] {
            #expect(Base32.encode(Array(text.utf8)) == coded)
        }
        let url = Self.code.url(issuer: "Vitrine example.org", account: "ann+1@example.org")
        #expect(
            url == "otpauth://totp/Vitrine%20example.org:ann%2B1@example.org"
                + "?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Vitrine%20example.org")
    }

    @Test("S44: secrets and recovery codes do not appear in logs and dumps")
    func hidden() {
        var dumped = ""
        dump(Self.code, to: &dumped)
        dump(RecoveryCode.make(), to: &dumped)
        #expect(!dumped.contains("49") && "\(Self.code)" == "[secret]" && "\(RecoveryCode.make())" == "[secret]")
    }

    @Test("A recovery code is recognized however it is typed, and is not confused with another")
    func recovery() throws {
        let code = RecoveryCode.make()
        #expect(code.text.utf8.count == 19)
        let typed = code.text.lowercased().replacing("-", with: " ").replacing("o", with: "0").replacing("i", with: "1")
        #expect(try #require(RecoveryCode(text: typed)).hash == code.hash)
        #expect(RecoveryCode.make().hash != code.hash)
        for text in ["", "123456", code.text + "A", String(code.text.dropLast())] {
            #expect(RecoveryCode(text: text) == nil)
        }
    }

    @Test("A box for one purpose does not open secrets of another purpose")
    func purposes() throws {
        let box = try #require(SecretBox(key: [UInt8](repeating: 1, count: 32)))
        let sealed = box.box(for: "one").seal([1, 2, 3])
        #expect(box.box(for: "one").open(sealed) == [1, 2, 3])
        #expect(box.box(for: "two").open(sealed) == nil && box.open(sealed) == nil)
    }
}
