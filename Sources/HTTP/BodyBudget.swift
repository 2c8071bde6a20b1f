// Limits the memory of large bodies: those beyond it wait unread for a while.
import EventLoop
import Synchronization

/// The budgets of a server, shared by its loops.
struct BodyMemory: Sendable {
    private let known: BodyBudget
    private let others: BodyBudget

    init(_ configuration: ServerConfiguration) {
        let others = configuration.bodyMemory / 4
        known = BodyBudget(bytes: configuration.bodyMemory - others, maxWaiting: configuration.maxWaitingBodies)
        // Strangers have no reason to send much, and waiting would take connections from others.
        self.others = BodyBudget(bytes: others, maxWaiting: 0)
    }

    func budget(_ admission: Admission) -> BodyBudget {
        if case .known = admission { known } else { others }
    }

    /// How many bodies wait now.
    var waitingCount: Int { known.waitingCount + others.waitingCount }
}

/// The networks of clients take turns: of the bodies that wait, the next is one of the network that holds least, and a full queue
/// drops the newest body of the network that waits with most.
final class BodyBudget: Sendable {
    /// Room for one body. It is free again when neither the connection nor a handler holds it any more: a client that goes away
    /// while its request is handled frees nothing.
    final class Room: Sendable {
        fileprivate let bytes: Int
        fileprivate let network: String
        private let budget: BodyBudget

        fileprivate init(_ bytes: Int, _ network: String, of budget: BodyBudget) {
            self.bytes = bytes
            self.network = network
            self.budget = budget
        }

        deinit { budget.free(bytes, network) }
    }

    private struct Waiter {
        let number: Int
        let bytes: Int
        let network: String
        let continuation: CheckedContinuation<Room?, Never>
    }

    private struct State {
        var free: Int
        /// The bytes of each network.
        var held: [String: Int] = [:]
        /// In the order in which they came.
        var waiters: [Waiter] = []
        var lastNumber = 0

        mutating func take(_ bytes: Int, _ network: String) {
            free -= bytes
            held[network, default: 0] += bytes
        }

        mutating func give(_ bytes: Int, _ network: String) {
            free += bytes
            let left = held[network, default: 0] - bytes
            held[network] = left == 0 ? nil : left
        }

        /// Takes room for the next ones that fit.
        mutating func admit() -> [Waiter] {
            var admitted: [Waiter] = []
            while let next = waiters.indices.min(by: { rank($0) < rank($1) }), waiters[next].bytes <= free {
                let waiter = waiters.remove(at: next)
                take(waiter.bytes, waiter.network)
                admitted.append(waiter)
            }
            return admitted
        }

        private func rank(_ index: Int) -> (Int, Int) { (held[waiters[index].network] ?? 0, index) }

        /// Removes the newest body of the network that waits with most, if these are at least two more than those of `network`.
        mutating func displace(for network: String) -> Waiter? {
            let counts = waiters.reduce(into: [String: Int]()) { $0[$1.network, default: 0] += 1 }
            guard let most = counts.max(by: { $0.value < $1.value }), most.value > (counts[network] ?? 0) + 1 else {
                return nil
            }
            return waiters.lastIndex { $0.network == most.key }.map { waiters.remove(at: $0) }
        }
    }

    private enum Decision {
        case room
        case wait(Int, instead: Waiter?)
        case full
    }

    private let capacity: Int
    private let maxWaiting: Int
    private let state: Mutex<State>

    init(bytes: Int, maxWaiting: Int) {
        capacity = bytes
        self.maxWaiting = maxWaiting
        state = Mutex(State(free: bytes))
    }

    var waitingCount: Int { state.withLock { $0.waiters.count } }

    /// Room for a body; nil if too many wait already, or after `wait`. A body larger than everything takes everything. Call on
    /// the loop's thread.
    func room(for length: Int, _ network: String, wait: Duration, on loop: EventLoop) async -> Room? {
        let bytes = min(length, capacity)
        return await withCheckedContinuation { continuation in
            let decision = state.withLock { state -> Decision in
                if state.waiters.isEmpty, state.free >= bytes {
                    state.take(bytes, network)
                    return .room
                }
                var displaced: Waiter?
                if state.waiters.count >= maxWaiting {
                    displaced = state.displace(for: network)
                    if displaced == nil { return .full }
                }
                state.lastNumber += 1
                state.waiters.append(
                    Waiter(number: state.lastNumber, bytes: bytes, network: network, continuation: continuation))
                return .wait(state.lastNumber, instead: displaced)
            }
            switch decision {
            case .room: continuation.resume(returning: Room(bytes, network, of: self))
            case .wait(let number, let displaced):
                displaced?.continuation.resume(returning: nil)
                loop.schedule(after: wait) { [self] in giveUp(number) }
                admitWaiting()
            case .full: continuation.resume(returning: nil)
            }
        }
    }

    private func giveUp(_ number: Int) {
        let waiter = state.withLock { state in
            state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0) }
        }
        waiter?.continuation.resume(returning: nil)
        // The next one may need less.
        admitWaiting()
    }

    private func free(_ bytes: Int, _ network: String) {
        state.withLock { $0.give(bytes, network) }
        admitWaiting()
    }

    private func admitWaiting() {
        for waiter in state.withLock({ $0.admit() }) {
            waiter.continuation.resume(returning: Room(waiter.bytes, waiter.network, of: self))
        }
    }
}
