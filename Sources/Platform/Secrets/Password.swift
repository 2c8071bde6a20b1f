// Hashes and verifies passwords with Argon2id on dedicated threads.
import CSodium

package enum Password {
    /// Two passes over 64 MiB: 70 ms of CPU, well above the 19 MiB that OWASP asks for.
    private static let passes: UInt64 = 2
    private static let memory = 64 << 20
    /// Two hashes at once; 32 waiting take a little over a second on two cores.
    private static let workers = WorkerPool(threads: 2, waiting: 32)
    /// Places in the queue that only those who have not failed lately may take.
    private static let reserved = 16

    /// The hash of 32 random bytes that nobody knows, at the cost above (a test compares the two).
    static let dummyHash =
        "$argon2id$v=19$m=65536,t=2,p=1$JkjTd4WpNj//QKzCEowfKQ$1aRVJsh4Y9B7Z6ha/TzWKinOBJtxmJ6cpYdy/cRnR/Y"

    /// A PHC string (`$argon2id$v=19$...`) with salt and cost, at most 127 characters.
    /// Throws `WorkersBusy` if too many callers wait. Passwords are never trimmed or truncated.
    package static func hash(_ password: String) async throws -> String {
        let hash = try await workers.run { makeHash(password) }
        guard let hash else { throw WorkersBusy() }
        return hash
    }

    /// Whether `hash` was created from `password`. A malformed hash matches nothing. Those who have failed lately wait in a
    /// part of the queue only: their attempts don't keep others from signing in. Throws `WorkersBusy`.
    package static func verify(
        _ password: String, against hash: String, hasFailed: Bool = false
    ) async throws -> Bool {
        try await workers.run(leaving: hasFailed ? reserved : 0) { matches(password, hash) }
    }

    /// For unknown and disabled accounts: costs the same as `verify` and always returns false.
    package static func verifyAgainstNothing(_ password: String, hasFailed: Bool = false) async throws -> Bool {
        _ = try await verify(password, against: dummyHash, hasFailed: hasFailed)
        return false
    }

    /// Whether a hash has another cost than the current one: hash again after the next successful sign-in.
    package static func needsRehash(_ hash: String) -> Bool {
        Sodium.start()
        return crypto_pwhash_str_needs_rehash(hash, passes, memory) != 0
    }

    /// Nil only if 64 MiB can't be allocated.
    private static func makeHash(_ password: String) -> String? {
        Sodium.start()
        let characters = bytes(password)
        var hash = [CChar](repeating: 0, count: crypto_pwhash_strbytes())
        let failed = crypto_pwhash_str(&hash, characters, UInt64(characters.count), passes, memory)
        return failed == 0
            ? String(decoding: hash.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }

    private static func matches(_ password: String, _ hash: String) -> Bool {
        Sodium.start()
        let characters = bytes(password)
        let text = bytes(hash)
        // libsodium reads a buffer of full length, terminated by NUL.
        let length = crypto_pwhash_strbytes()
        guard text.count < length, !text.contains(0) else { return false }
        let padded = text + [CChar](repeating: 0, count: length - text.count)
        return crypto_pwhash_str_verify(padded, characters, UInt64(characters.count)) == 0
    }

    private static func bytes(_ text: String) -> [CChar] {
        text.utf8.map { CChar(bitPattern: $0) }
    }
}
