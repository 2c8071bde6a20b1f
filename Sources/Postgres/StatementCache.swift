// Which statements one connection has prepared, by their text.

/// Least recently used statements leave first, so that generated texts cannot fill the server's memory.
struct StatementCache {
    private struct Entry {
        let name: String
        var lastUse: UInt64
    }

    private let capacity: Int
    private var entries: [String: Entry] = [:]
    private var uses: UInt64 = 0
    private var lastNumber: UInt64 = 0

    init(capacity: Int = 500) {
        self.capacity = capacity
    }

    var count: Int { entries.count }

    /// The name under which `text` is prepared, or nil.
    mutating func name(of text: String) -> String? {
        uses += 1
        let now = uses
        return { (entry: inout Entry?) in
            entry?.lastUse = now
            return entry?.name
        }(&entries[text])
    }

    /// A new name for `text`, which is about to be prepared, and the name that is to be deallocated for it.
    mutating func add(_ text: String) -> (name: String, evicted: String?) {
        var evicted: String?
        if entries.count >= capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            entries[oldest.key] = nil
            evicted = oldest.value.name
        }
        lastNumber += 1
        uses += 1
        let name = "v\(lastNumber)"
        entries[text] = Entry(name: name, lastUse: uses)
        return (name, evicted)
    }

    /// Removes `text` and returns its name, so that it is prepared again next time.
    mutating func remove(_ text: String) -> String? {
        entries.removeValue(forKey: text)?.name
    }
}
