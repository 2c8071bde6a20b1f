// A queue in which the networks of clients take turns.

/// First come, first served among the elements of one network.
struct NetworkTurns<Element> {
    private var lines: [String: [Element]] = [:]
    /// The networks that wait, in the order of their turns.
    private var turns: [String] = []

    var isEmpty: Bool { turns.isEmpty }

    func contains(_ network: String) -> Bool { lines[network] != nil }

    mutating func append(_ element: Element, of network: String) {
        if lines[network] == nil { turns.append(network) }
        lines[network, default: []].append(element)
    }

    mutating func popFirst() -> Element? {
        guard !turns.isEmpty else { return nil }
        let network = turns.removeFirst()
        guard var line = lines.removeValue(forKey: network) else { return nil }
        let element = line.removeFirst()
        if !line.isEmpty {
            lines[network] = line
            turns.append(network)
        }
        return element
    }
}
