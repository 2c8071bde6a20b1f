// Sealed secrets open with their key only, and the key's file is made once, for its owner alone.
import FoundationEssentials
import Glibc
import Platform
import Testing

@Suite("Sealed secrets")
struct SecretBoxTests {
    @Test("S41: what is sealed opens with the same key, and not with another, cut or changed")
    func box() throws {
        let box = try #require(SecretBox(key: [UInt8](repeating: 1, count: 32)))
        let other = try #require(SecretBox(key: [UInt8](repeating: 2, count: 32)))
        let secret = Array("a secret of some length".utf8)
        let sealed = box.seal(secret)
        #expect(box.open(sealed) == secret && box.seal(secret) != sealed && box.open(box.seal([])) == [])
        #expect(other.open(sealed) == nil && box.open([]) == nil && box.open(Array(sealed.dropLast())) == nil)
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(box.open(changed) == nil)
        }
        #expect(SecretBox(key: [UInt8](repeating: 1, count: 31)) == nil)
        #expect(SecretBox(key: [UInt8](repeating: 1, count: 33)) == nil)
    }

    @Test("S53: the key's file is made once, whoever asks first, and only its owner may read it")
    func file() async throws {
        let folder = "/tmp/vitrine-key-\(getpid())-\(UUID())"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/deep/webhooks.key"
        let key = SecretBoxKey(given: nil, path: path)
        let sealed = try key.box().seal([1, 2, 3])
        #expect(try SecretBoxKey(given: nil, path: path).box().open(sealed) == [1, 2, 3])
        var facts = stat()
        #expect(stat(path, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/deep") == ["webhooks.key"])
        let text = String(decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
        let line = String(text.dropLast())
        #expect(try SecretBoxKey(given: Secret(line), path: "/nowhere").box().open(sealed) == [1, 2, 3])
    }

    @Test(
        "A key that is none, and a place that cannot be written, are said in a sentence",
        arguments: ["", "abc", "QUJD"])
    func unusable(text: String) {
        #expect(throws: SecretBoxKey.Unusable.self) { try SecretBoxKey(given: Secret(text), path: "/nowhere").box() }
        #expect(throws: SecretBoxKey.Unusable.self) { try SecretBoxKey(given: nil, path: "/proc/none/key").box() }
    }
}
