// Limits the memory of large responses, and gives up what clients leave unread.

/// The large responses of one loop; used on its thread only.
final class ResponseMemory {
    /// One response, as long as somebody holds this.
    final class Held {
        let bytes: Int
        let network: String
        /// Increases from response to response.
        let number: Int
        private let memory: ResponseMemory

        fileprivate init(_ bytes: Int, _ network: String, in memory: ResponseMemory) {
            self.bytes = bytes
            self.network = network
            self.memory = memory
            memory.used += bytes
            memory.lastNumber += 1
            number = memory.lastNumber
        }

        deinit { memory.used -= bytes }
    }

    private let limit: Int
    private var used = 0
    private var lastNumber = 0

    init(bytes: Int) {
        limit = bytes
    }

    /// Counts a response. Beyond the limit, the network that holds most gives up its oldest ones; the new one is kept.
    func hold(_ bytes: Int, of network: String, among connections: [Connection]) -> Held {
        let new = Held(bytes, network, in: self)
        guard used > limit else { return new }
        var networks = [network: bytes]
        var others: [(connection: Connection, held: Held)] = []
        for connection in connections {
            guard let held = connection.held else { continue }
            others.append((connection, held))
            networks[held.network, default: 0] += held.bytes
        }
        others.sort { $0.held.number < $1.held.number }
        while used > limit {
            // Of the others: the network of the new one may have nothing else to give up.
            guard
                let most = others.map({ networks[$0.held.network, default: 0] }).max(),
                let index = others.firstIndex(where: { networks[$0.held.network, default: 0] == most })
            else { break }
            let oldest = others.remove(at: index)
            networks[oldest.held.network, default: 0] -= oldest.held.bytes
            oldest.connection.abandon()
        }
        return new
    }
}
