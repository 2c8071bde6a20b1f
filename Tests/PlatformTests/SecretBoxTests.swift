// Tests encrypted secrets and the key file.
import FoundationEssentials
import Glibc
import Platform
import Testing

@Suite("Encrypted secrets")
struct SecretBoxTests {
    @Test("S41: a secret opens with the same key, not with another key, truncated or changed")
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

    @Test("S53: the key file is created once, and only its owner may read it")
    func file() async throws {
        let folder = "/tmp/vitrine-key-\(getpid())-\(UUID())"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/deep/webhooks.key"
        let key = SecretBoxKey(given: nil, path: path)
        let sealed = try key.box().seal([1, 2, 3])
        #expect(try SecretBoxKey(given: nil, path: path).box().open(sealed) == [1, 2, 3])
        var info = stat()
        #expect(stat(path, &info) == 0 && info.st_mode & 0o777 == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/deep") == ["webhooks.key"])
        let text = String(decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
        let line = String(text.dropLast())
        #expect(try SecretBoxKey(given: Secret(line), path: "/nowhere").box().open(sealed) == [1, 2, 3])
    }

    @Test(
        "An invalid key and an unwritable path are reported as sentences",
        arguments: ["", "abc", "QUJD"])
    func invalid(text: String) {
        #expect(throws: SecretBoxKey.InvalidKey.self) { try SecretBoxKey(given: Secret(text), path: "/nowhere").box() }
        #expect(throws: SecretBoxKey.InvalidKey.self) { try SecretBoxKey(given: nil, path: "/proc/none/key").box() }
    }
}
