// A queue in which callers take turns, so that one with much work delays each other by one piece of it at most.

/// First come, first served among the elements of one caller; the callers take turns.
package struct FairQueue<Element> {
    private var lines: [Caller: [Element]] = [:]
    /// The callers that wait, in the order of their turns.
    private var turns: [Caller] = []
    package private(set) var count = 0

    package init() {}

    package mutating func append(_ element: Element, for caller: Caller) {
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
        let own = lines[caller]?.count ?? 0
        guard let most = lines.max(by: { $0.value.count < $1.value.count }), most.value.count > own + 1 else {
            return nil
        }
        count -= 1
        return lines[most.key]?.removeLast()
    }

    /// Removes the first element of `caller` that fulfills the condition.
    package mutating func remove(of caller: Caller, where isIt: (Element) -> Bool) -> Element? {
        guard var line = lines[caller], let index = line.firstIndex(where: isIt) else { return nil }
        let element = line.remove(at: index)
        count -= 1
        if line.isEmpty {
            lines[caller] = nil
            turns.removeAll { $0 == caller }
        } else {
            lines[caller] = line
        }
        return element
    }

    /// Whether `caller` has at least as many elements as any other.
    package func isLongest(_ caller: Caller) -> Bool {
        guard let own = lines[caller]?.count else { return false }
        return lines.allSatisfy { $0.value.count <= own }
    }
}
