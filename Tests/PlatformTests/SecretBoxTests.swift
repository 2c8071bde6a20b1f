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
        #expect(key.isMissing)
        let missing = #expect(throws: SecretBoxKey.InvalidKey.self) { try key.box() }
        #expect(missing?.description.hasPrefix("\(path) doesn't exist.") == true && key.isMissing)
        try key.create()
        #expect(!key.isMissing)
        let first = try key.box().fingerprint
        try key.create()
        #expect(try key.box().fingerprint == first)
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
        #expect(throws: SecretBoxKey.InvalidKey.self) { try SecretBoxKey(given: nil, path: "/proc/none/key").create() }
    }

    @Test("S53: the fingerprint tells keys apart, is 32 digits and does not contain the key")
    func fingerprint() throws {
        let one = try #require(SecretBox(key: [UInt8](repeating: 1, count: 32)))
        let two = try #require(SecretBox(key: [UInt8](repeating: 2, count: 32)))
        #expect(one.fingerprint != two.fingerprint && one.fingerprint.utf8.count == 32)
        #expect(one.fingerprint.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        #expect(one.fingerprint != Hex.text([UInt8](repeating: 1, count: 16)))
        #expect(one.box(for: "x").fingerprint != one.fingerprint)
    }

    @Test("A folder of another user is named with both users; the own one and a missing one are fine")
    func owner() throws {
        let folder = "/tmp/vitrine-owner-\(getpid())-\(UUID())"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(FolderOwner.problem(with: folder) == nil)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        #expect(FolderOwner.problem(with: folder) == nil)
        #expect(FolderOwner.problem(with: folder, owner: 7, user: 7) == nil)
        let problem = try #require(FolderOwner.problem(with: folder, owner: 0, user: 65534))
        #expect(problem.hasPrefix("\(folder) belongs to user root, but this process runs as user nobody."))
        #expect(FolderOwner.problem(with: folder, owner: 4_000_000, user: 0)?.contains("user 4000000") == true)
    }
}
