// Limits requests per key and minute, in memory.
import Domain
import Synchronization

/// A token bucket per key: its capacity is one minute, and it refills evenly. Lost at a restart.
final class RateLimiter: Sendable {
    struct Allowance: Sendable {
        let isGranted: Bool
        let perMinute: Int
        /// How many more are allowed immediately.
        let remaining: Int
        /// Seconds until the next one is allowed, or until the bucket is full; at least 1.
        let seconds: Int
    }

    private struct Bucket {
        var tokens: Double
        /// The capacity.
        var size: Int
        var filledAt: MonotonicClock.Instant
    }

    /// Beyond this many keys, full buckets are removed, which has no effect on their limits.
    private static let manyKeys = 10_000

    private let perMinute: Int
    private let clock: MonotonicClock
    private let buckets = Mutex<[String: Bucket]>([:])

    /// The default limit; 0 means no limit.
    init(perMinute: Int, clock: MonotonicClock = .system) {
        self.perMinute = perMinute
        self.clock = clock
    }

    /// Nil without a limit. `limit` overrides the default for this key.
    func take(_ key: String, perMinute limit: Int? = nil, now: MonotonicClock.Instant? = nil) -> Allowance? {
        let now = now ?? clock.now()
        let perMinute = limit ?? perMinute
        guard perMinute > 0 else { return nil }
        return buckets.withLock { buckets in
            if buckets.count >= Self.manyKeys {
                buckets = buckets.filter { fill($0.value, now) < Double($0.value.size) }
            }
            var tokens = buckets[key].map { min(Double(perMinute), fill($0, now)) } ?? Double(perMinute)
            let isGranted = tokens >= 1
            if isGranted { tokens -= 1 }
            buckets[key] = Bucket(tokens: tokens, size: perMinute, filledAt: now)
            let missing = isGranted ? Double(perMinute) - tokens : 1 - tokens
            let seconds = Int((missing * 60 / Double(perMinute)).rounded(.up))
            return Allowance(
                isGranted: isGranted, perMinute: perMinute, remaining: Int(tokens), seconds: max(1, seconds))
        }
    }

    /// The same for the networks of an IP address: the widest first, so that what it refuses takes no memory for the others.
    func take(from address: String, now: MonotonicClock.Instant? = nil) -> Allowance? {
        var last: Allowance?
        for network in ClientNetwork.all(of: address).reversed() {
            last = take(network.name, perMinute: perMinute * network.clients, now: now)
            if let last, !last.isGranted { return last }
        }
        return last
    }

    private func fill(_ bucket: Bucket, _ now: MonotonicClock.Instant) -> Double {
        let seconds = max(0, (now - bucket.filledAt) / .seconds(1))
        return min(Double(bucket.size), bucket.tokens + seconds * Double(bucket.size) / 60)
    }
}
