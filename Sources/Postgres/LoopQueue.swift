// A first-in first-out queue that does not move its elements for every removal.

struct LoopQueue<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var count: Int { elements.count - head }
    var isEmpty: Bool { head == elements.count }
    var first: Element? { isEmpty ? nil : elements[head] }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = elements[head]
        elements[head] = nil
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 256, head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }

    /// Removes and returns the first element that fulfills the condition; its time grows with the length of the queue.
    mutating func removeFirst(where isIt: (Element) -> Bool) -> Element? {
        guard let index = elements[head...].firstIndex(where: { $0.map(isIt) ?? false }) else { return nil }
        return elements.remove(at: index)
    }

    /// Removes and returns all elements, in order.
    mutating func removeAll() -> [Element] {
        defer { self = LoopQueue() }
        return elements[head...].compactMap { $0 }
    }

    func forEach(_ body: (Element) -> Void) {
        for case let element? in elements[head...] { body(element) }
    }
}
