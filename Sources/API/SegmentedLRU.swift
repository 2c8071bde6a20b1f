// A dictionary with a limited total cost, which keeps what is used often and recently.

/// Values begin on probation, and their next use protects them. Protected values cost at most four fifths of the
/// capacity; beyond that, the one used longest ago is on probation again. A new value replaces others only if its key
/// was used more often than each of theirs, so a client that reads everything once displaces nothing.
struct SegmentedLRU<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Node: Sendable {
        let key: Key
        let value: Value
        var cost: Int
        var segment: Int
        /// Indices of `nodes`; -1 at the ends.
        var newer = -1
        var older = -1
    }

    private struct Segment: Sendable {
        var newest = -1
        var oldest = -1
        var cost = 0
    }

    private static var probation: Int { 0 }
    private static var protected: Int { 1 }

    private let capacity: Int
    private var index: [Key: Int] = [:]
    private var nodes: [Node?] = []
    private var unused: [Int] = []
    private var segments = [Segment(), Segment()]
    private var sketch: FrequencySketch

    /// `capacity` is the total cost; values are expected to cost about `usual` each.
    init(capacity: Int, usual: Int) {
        self.capacity = capacity
        sketch = FrequencySketch(width: capacity / max(1, usual))
    }

    var count: Int { index.count }
    var cost: Int { segments[Self.probation].cost + segments[Self.protected].cost }

    /// The value, if it is stored. Every call counts as a use of the key.
    mutating func use(_ key: Key) -> Value? {
        sketch.add(key.hashValue)
        guard let found = index[key], let node = nodes[found] else { return nil }
        unlink(found)
        link(found, in: Self.protected)
        while segments[Self.protected].cost > capacity / 5 * 4, segments[Self.protected].oldest != found {
            let oldest = segments[Self.protected].oldest
            unlink(oldest)
            link(oldest, in: Self.probation)
        }
        return node.value
    }

    /// Stores a value, unless what it would replace is used at least as often, or it costs more than everything.
    mutating func insert(_ key: Key, _ value: Value, cost: Int) {
        remove(key)
        guard cost <= capacity else { return }
        let frequency = sketch.estimate(key.hashValue)
        while self.cost + cost > capacity {
            guard let victim = victim, sketch.estimate(victim.hashValue) < frequency else { return }
            remove(victim)
        }
        let free = unused.popLast() ?? nodes.count
        if free == nodes.count { nodes.append(nil) }
        nodes[free] = Node(key: key, value: value, cost: cost, segment: Self.probation)
        index[key] = free
        link(free, in: Self.probation)
    }

    /// Adds to the cost of a value, for which others are removed if necessary, or it itself.
    mutating func grow(_ key: Key, by cost: Int, if isSame: (Value) -> Bool) {
        guard let found = index[key], let node = nodes[found], isSame(node.value) else { return }
        nodes[found]?.cost += cost
        segments[node.segment].cost += cost
        while self.cost > capacity, let victim { remove(victim) }
    }

    mutating func remove(_ key: Key) {
        guard let found = index.removeValue(forKey: key) else { return }
        unlink(found)
        nodes[found] = nil
        unused.append(found)
    }

    private var victim: Key? {
        let probation = segments[Self.probation].oldest
        let oldest = probation >= 0 ? probation : segments[Self.protected].oldest
        return oldest >= 0 ? nodes[oldest]?.key : nil
    }

    // MARK: Segments

    private mutating func link(_ number: Int, in segment: Int) {
        let next = segments[segment].newest
        nodes[number]?.segment = segment
        nodes[number]?.newer = -1
        nodes[number]?.older = next
        if next >= 0 { nodes[next]?.newer = number } else { segments[segment].oldest = number }
        segments[segment].newest = number
        segments[segment].cost += nodes[number]?.cost ?? 0
    }

    private mutating func unlink(_ number: Int) {
        guard let node = nodes[number] else { return }
        if node.newer >= 0 {
            nodes[node.newer]?.older = node.older
        } else {
            segments[node.segment].newest = node.older
        }
        if node.older >= 0 {
            nodes[node.older]?.newer = node.newer
        } else {
            segments[node.segment].oldest = node.newer
        }
        segments[node.segment].cost -= node.cost
    }
}
