// Holds each of many askers to a number of actions a minute, in memory.
import Synchronization

/// A bucket of tokens for each key: full it holds a minute's worth, and it fills evenly. Forgotten at a restart.
final class RateLimiter: Sendable {
    struct Allowance: Sendable {
        let isGranted: Bool
        let perMinute: Int
        /// How many more may follow at once.
        let remaining: Int
        /// Seconds until the next one may follow, or until the bucket is full again; at least 1.
        let seconds: Int
    }

    private struct Bucket {
        var tokens: Double
        /// What it holds when it is full.
        var size: Int
        var filledAt: ContinuousClock.Instant
    }

    /// Beyond so many keys those whose bucket is full are forgotten, which changes nothing for them.
    private static let manyKeys = 10_000

    private let perMinute: Int
    private let buckets = Mutex<[String: Bucket]>([:])

    /// For keys that have no limit of their own; 0 grants everything.
    init(perMinute: Int) {
        self.perMinute = perMinute
    }

    /// Nil where there is no limit. `limit` is that of this key, where it has one of its own.
    func take(_ key: String, perMinute limit: Int? = nil, now: ContinuousClock.Instant = .now) -> Allowance? {
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

    private func fill(_ bucket: Bucket, _ now: ContinuousClock.Instant) -> Double {
        let seconds = max(0, (now - bucket.filledAt) / .seconds(1))
        return min(Double(bucket.size), bucket.tokens + seconds * Double(bucket.size) / 60)
    }
}
