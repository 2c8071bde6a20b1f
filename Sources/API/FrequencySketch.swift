// Estimates how often each of many keys was used recently, in a fixed amount of memory.

/// A count-min sketch: each key has a counter in each of four rows, and the lowest of them is the estimate. All are
/// halved from time to time, so that what was frequent once is forgotten.
struct FrequencySketch: Sendable {
    private static let rows = 4
    private static let highest: UInt8 = 15

    private let width: Int
    private var counters: [UInt8]
    private var additions = 0

    /// For about as many keys as `width`, which is rounded up to a power of two.
    init(width: Int) {
        var rounded = 64
        while rounded < width { rounded *= 2 }
        self.width = rounded
        counters = [UInt8](repeating: 0, count: rounded * Self.rows)
    }

    mutating func add(_ hash: Int) {
        for row in 0..<Self.rows {
            let slot = slot(of: hash, in: row)
            if counters[slot] < Self.highest { counters[slot] += 1 }
        }
        additions += 1
        if additions >= width * 10 {
            for index in counters.indices { counters[index] >>= 1 }
            additions = 0
        }
    }

    func estimate(_ hash: Int) -> UInt8 {
        var lowest = Self.highest
        for row in 0..<Self.rows { lowest = min(lowest, counters[slot(of: hash, in: row)]) }
        return lowest
    }

    private func slot(of hash: Int, in row: Int) -> Int {
        // Each row takes other bits of the product with a constant of its own.
        let mixed = (UInt64(bitPattern: Int64(hash)) &+ UInt64(row)) &* (0x9E37_79B9_7F4A_7C15 &+ UInt64(row) << 17)
        return row * width + Int(truncatingIfNeeded: mixed >> 32) & (width - 1)
    }
}
