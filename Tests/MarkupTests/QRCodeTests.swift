// Tests the geometry of QR codes: size, quiet zone and finder patterns.
import Markup
import Testing

@Suite("QR codes")
struct QRCodeTests {
    @Test("A code has a valid size, a quiet zone of four modules, and finder patterns")
    func shape() throws {
        let code = try #require(QRCode("otpauth://totp/Vitrine:ann@example.org?secret=GEZDGNBVGY3TQOJQ&issuer=Vitrine"))
        let width = code.size - 8
        #expect((width - 17).isMultiple(of: 4) && width > 21)
        // The first row: the tops of the two upper finder patterns after the quiet zone.
        #expect(code.path.hasPrefix("M4 4h7v1h-7z"))
        #expect(code.path.contains("M\(4 + width - 7) 4h7v1h-7z"))
        #expect(code.path.contains("M4 \(4 + width - 1)h7v1h-7z"))
        #expect(!code.path.contains("M3 ") && !code.path.contains("M\(4 + width) "))
    }

    @Test("Different texts have different codes, equal texts equal ones; a text that is too long has none")
    func texts() {
        #expect(QRCode("a")?.path == QRCode("a")?.path)
        #expect(QRCode("a")?.path != QRCode("b")?.path)
        #expect(QRCode(String(repeating: "x", count: 4000)) == nil)
    }
}
