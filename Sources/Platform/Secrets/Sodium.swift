// Makes libsodium ready before its first use, once per process.
import CSodium

enum Sodium {
    private static let isReady = sodium_init() >= 0

    /// libsodium fails to start only when the system gives no random bytes; nothing may go on without them.
    static func start() {
        precondition(isReady, "libsodium could not start: the system gives no random bytes")
    }
}
