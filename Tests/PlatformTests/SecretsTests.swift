// Tests random bytes, hashes, tokens and encodings with published vectors.
import FoundationEssentials
import Testing

@testable import Platform

@Suite struct SecretsTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test("SHA-256 matches the vectors of FIPS 180-4")
    func sha256() {
        #expect(SHA256.hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(SHA256.hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test("HMAC-SHA-256 matches the vectors of RFC 4231, also for keys longer than a block")
    func hmac() {
        let short = HMAC.sha256(key: bytes("Jefe"), message: bytes("what do ya want for nothing?"))
        #expect(Hex.text(short) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        let key = [UInt8](repeating: 0xaa, count: 131)
        let long = HMAC.sha256(key: key, message: bytes("Test Using Larger Than Block-Size Key - Hash Key First"))
        #expect(Hex.text(long) == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
    }

    @Test("S41: a code is valid only complete and unchanged")
    func hmacValidity() {
        let code = HMAC.sha256(key: [1], message: [2])
        #expect(HMAC.isValid(code, key: [1], message: [2]))
        #expect(!HMAC.isValid(Array(code.dropLast()), key: [1], message: [2]))
        #expect(!HMAC.isValid(code + [0], key: [1], message: [2]))
        #expect(!HMAC.isValid(code, key: [1], message: [3]))
        #expect(!HMAC.isValid([], key: [1], message: [2]))
    }

    @Test("Secrets are equal if their bytes are equal")
    func constantTime() {
        #expect(ConstantTime.equal("", ""))
        #expect(ConstantTime.equal("abc", "abc"))
        #expect(!ConstantTime.equal("abc", "abd"))
        #expect(!ConstantTime.equal("abc", "ab"))
        // The same letter, but different bytes.
        #expect(!ConstantTime.equal("\u{e9}", "e\u{301}"))
        #expect(Secret("a") == Secret("a"))
        #expect(Secret("a") != Secret("b"))
    }

    @Test(
        "Base64 gives the vectors of RFC 4648 in both directions",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy"),
        ])
    func base64(plain: String, encoded: String) {
        #expect(Base64.encode(bytes(plain)) == encoded)
        #expect(Base64.decode(encoded) == bytes(plain))
        let url = encoded.filter { $0 != "=" }
        #expect(Base64.encode(bytes(plain), .url) == url)
        #expect(Base64.decode(url, .url) == bytes(plain))
    }

    @Test("The alphabets differ in two characters")
    func alphabets() {
        #expect(Base64.encode([0xfb, 0xff]) == "+/8=")
        #expect(Base64.encode([0xfb, 0xff], .url) == "-_8")
    }

    @Test(
        "Base64 that we would not have written is refused",
        arguments: ["Zg", "Zg=", "Zg===", "Zh==", "Zm9v\n", " Zm9v", "Zm9vY", "Zm9-", "====", "Zg==Zg==", "Zm9v="])
    func notBase64(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test(
        "Base64url that we would not have written is refused", arguments: ["Zg==", "Zh", "Z", "+/8", "Zm9v\0", "-_8="])
    func notBase64URL(text: String) {
        #expect(Base64.decode(text, .url) == nil)
    }

    @Test("S11: a token is 256 random bits and is found by its hash")
    func token() throws {
        let token = Token.make()
        #expect(token.text.utf8.count == 43)
        #expect(token.hash.count == 32)
        let read = try #require(Token(text: token.text))
        #expect(read.hash == token.hash)
        #expect(Token.make().hash != token.hash)
        #expect("\(token)" == "[secret]")
        var dumped = ""
        dump(token, to: &dumped)
        #expect(dumped == "- [secret]\n")
    }

    @Test("S11: malformed tokens are rejected")
    func notToken() {
        let text = Token.make().text
        #expect(Token(text: "") == nil)
        #expect(Token(text: String(text.dropLast())) == nil)
        #expect(Token(text: text + "A") == nil)
        #expect(Token(text: text + "=") == nil)
        #expect(Token(text: String(text.dropLast()) + "*") == nil)
    }

    @Test("Random bytes have the requested count and differ")
    func random() {
        #expect(SecureRandom.bytes(0).isEmpty)
        #expect(SecureRandom.bytes(1).count == 1)
        #expect(SecureRandom.bytes(32) != SecureRandom.bytes(32))
    }
}

@Suite struct UUIDv7Tests {
    @Test("An id has version 7, the RFC's variant and the current millisecond")
    func layout() {
        let id = UUIDv7.make().uuid
        #expect(id.6 >> 4 == 7)
        #expect(id.8 >> 6 == 2)
        var generator = UUIDv7.Generator()
        let fixed = generator.next(milliseconds: 0x0123_4567_89ab).uuidString
        #expect(fixed.hasPrefix("01234567-89AB-7"))
    }

    @Test("Every id is greater than the one before, within a millisecond and when the clock steps back")
    func monotonic() {
        var generator = UUIDv7.Generator()
        var last = ""
        for round in 0..<20_000 {
            // 20,000 ids in one millisecond exceed the counter.
            let id = generator.next(milliseconds: round == 15_000 ? 500 : 1000).uuidString
            #expect(id > last)
            last = id
        }
        #expect(generator.next(milliseconds: 2_000_000).uuidString > last)
    }

    @Test("Ids generated by concurrent tasks are unique")
    func concurrent() async {
        let ids = await withTaskGroup(of: [UUID].self) { group in
            for _ in 0..<8 { group.addTask { (0..<2000).map { _ in UUIDv7.make() } } }
            return await group.reduce(into: Set<UUID>()) { $0.formUnion($1) }
        }
        #expect(ids.count == 16_000)
    }
}
