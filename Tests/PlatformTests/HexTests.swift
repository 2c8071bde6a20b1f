// Tests hexadecimal encoding and decoding.
import Platform
import Testing

@Suite("Hexadecimal digits")
struct HexTests {
    @Test("Bytes become two digits each and are parsed in either case")
    func both() {
        let bytes: [UInt8] = [0, 1, 9, 10, 15, 16, 127, 128, 255]
        #expect(Hex.text(bytes) == "0001090a0f107f80ff")
        #expect(Hex.bytes("0001090a0f107f80ff") == bytes)
        #expect(Hex.bytes("0001090A0F107F80FF") == bytes)
        #expect(Hex.text([]) == "" && Hex.bytes("") == [])
        let all = (UInt8.min...UInt8.max).map { $0 }
        #expect(Hex.bytes(Hex.text(all)) == all)
    }

    @Test(
        "An odd number of digits, and what is no digit, is nothing",
        arguments: ["0", "000", "0g", "g0", "0x", " 0", "+1", "-1", "é0", "00 ", "０１"])
    func others(text: String) {
        #expect(Hex.bytes(text) == nil)
    }
}
