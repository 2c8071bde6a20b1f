// Initializes libsodium once per process.
import CSodium

enum Sodium {
    private static let isReady = sodium_init() >= 0

    /// Initialization fails only if the system provides no random bytes; the process must not continue without them.
    static func start() {
        precondition(isReady, "libsodium can't be initialized: the system provides no random bytes")
    }
}
