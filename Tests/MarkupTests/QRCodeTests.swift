// Tests that a QR code has the shape of one: its size, its light edge, the three corners by which readers find it.
import Markup
import Testing

@Suite("QR codes")
struct QRCodeTests {
    @Test("A code has the size of a version, a light edge of four, and the corners that readers look for")
    func shape() throws {
        let code = try #require(QRCode("otpauth://totp/Vitrine:ann@example.org?secret=GEZDGNBVGY3TQOJQ&issuer=Vitrine"))
        let width = code.size - 8
        #expect((width - 17).isMultiple(of: 4) && width > 21)
        // The first row: the top of the left corner and that of the right one, and nothing before the edge.
        #expect(code.path.hasPrefix("M4 4h7v1h-7z"))
        #expect(code.path.contains("M\(4 + width - 7) 4h7v1h-7z"))
        #expect(code.path.contains("M4 \(4 + width - 1)h7v1h-7z"))
        #expect(!code.path.contains("M3 ") && !code.path.contains("M\(4 + width) "))
    }

    @Test("Another text is another code, the same text the same; what is too long for any code is none")
    func texts() {
        #expect(QRCode("a")?.path == QRCode("a")?.path)
        #expect(QRCode("a")?.path != QRCode("b")?.path)
        #expect(QRCode(String(repeating: "x", count: 4000)) == nil)
    }
}
