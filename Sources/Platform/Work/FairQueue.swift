// A queue in which callers take turns, so that one with much work delays each other by one piece of it at most.

/// First come, first served among the elements of one caller; the callers take turns.
package struct FairQueue<Element> {
    /// The line of a caller from a crowded network also has elements of others from there.
    private var lines: [Caller: [Element]] = [:]
    /// The callers that wait, in the order of their turns.
    private var turns: [Caller] = []
    package private(set) var count = 0

    package init() {}

    package mutating func append(_ element: Element, for caller: Caller) {
        let caller = line(of: caller)
        if lines[caller, default: []].isEmpty { turns.append(caller) }
        lines[caller, default: []].append(element)
        count += 1
    }

    package mutating func popFirst() -> Element? {
        guard !turns.isEmpty else { return nil }
        let caller = turns.removeFirst()
        guard var line = lines.removeValue(forKey: caller) else { return nil }
        let element = line.removeFirst()
        count -= 1
        if !line.isEmpty {
            lines[caller] = line
            turns.append(caller)
        }
        return element
    }

    /// Removes the newest element of the caller with the most, to make a place for `caller`; nil if none has at least two
    /// more than `caller`.
    package mutating func displace(for caller: Caller) -> Element? {
        let own = lines[line(of: caller)]?.count ?? 0
        guard let most = lines.max(by: { $0.value.count < $1.value.count }), most.value.count > own + 1 else {
            return nil
        }
        count -= 1
        return lines[most.key]?.removeLast()
    }

    /// Removes the first element of `caller` that fulfills the condition.
    package mutating func remove(of caller: Caller, where isIt: (Element) -> Bool) -> Element? {
        for key in [caller] + neighbors(of: caller) {
            guard var line = lines[key], let index = line.firstIndex(where: isIt) else { continue }
            let element = line.remove(at: index)
            count -= 1
            if line.isEmpty {
                lines[key] = nil
                turns.removeAll { $0 == key }
            } else {
                lines[key] = line
            }
            return element
        }
        return nil
    }

    /// The callers with lines from the same wider network.
    private func neighbors(of caller: Caller) -> [Caller] {
        guard let network = caller.widerNetwork else { return [] }
        return turns.filter { $0.widerNetwork == network }
    }

    /// The caller in whose line this one waits: itself, or, if ten of its wider network wait, the one that waits for least.
    private func line(of caller: Caller) -> Caller {
        if lines[caller] != nil { return caller }
        let neighbors = neighbors(of: caller)
        guard neighbors.count >= Caller.mostOfWiderNetwork else { return caller }
        return neighbors.min { lines[$0]?.count ?? 0 < lines[$1]?.count ?? 0 } ?? caller
    }

    /// Whether `caller` has at least as many elements as any other.
    package func isLongest(_ caller: Caller) -> Bool {
        guard let own = lines[line(of: caller)]?.count else { return false }
        return lines.allSatisfy { $0.value.count <= own }
    }
}
