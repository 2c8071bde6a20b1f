// Lets only so many do something at the same time; the others wait in line.
import Synchronization

final class Limiter: Sendable {
    private let state: Mutex<(free: Int, line: [CheckedContinuation<Void, Never>])>

    init(_ count: Int) {
        state = Mutex((count, []))
    }

    func take() async {
        await withCheckedContinuation { waiting in
            let isFree = state.withLock { state in
                guard state.free > 0 else {
                    state.line.append(waiting)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { waiting.resume() }
        }
    }

    func give() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if !state.line.isEmpty { return state.line.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}
