// Limits the memory of large responses, and gives up what clients leave unread.

/// The large responses of one loop; used on its thread only.
final class ResponseMemory {
    /// One response, as long as somebody holds this.
    final class Held {
        let bytes: Int
        let network: String
        private let memory: ResponseMemory

        fileprivate init(_ bytes: Int, _ network: String, in memory: ResponseMemory) {
            self.bytes = bytes
            self.network = network
            self.memory = memory
            memory.used += bytes
        }

        deinit { memory.used -= bytes }
    }

    private let limit: Int
    private var used = 0

    init(bytes: Int) {
        limit = bytes
    }

    /// Counts a response. Beyond the limit, the network that holds most gives up the responses to its oldest requests; the new
    /// one is kept.
    func hold(_ bytes: Int, of network: String, among connections: [Connection]) -> Held {
        let new = Held(bytes, network, in: self)
        guard used > limit else { return new }
        var networks = [network: bytes]
        for connection in connections {
            if let held = connection.held { networks[held.network, default: 0] += held.bytes }
        }
        while used > limit, let most = networks.max(by: { $0.value < $1.value })?.key,
            let oldest = connections.filter({ $0.held?.network == most }).min(by: { $0.since < $1.since })
        {
            networks[most, default: 0] -= oldest.held?.bytes ?? 0
            oldest.abandon()
        }
        return new
    }
}
