// The timers of one event loop: a binary heap by due time.
import Glibc

/// Timers on the monotonic clock; used by one thread only.
package final class TimerQueue {
    /// Identifies one timer, so that it can be canceled.
    package struct Token: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    private struct Entry {
        let due: Int64
        let number: UInt64
    }

    private var heap: [Entry] = []
    private var actions: [UInt64: () -> Void] = [:]
    private var lastNumber: UInt64 = 0
    private var mustWakeNow = false

    /// Milliseconds of the monotonic clock.
    package static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    func add(at due: Int64, _ action: @escaping () -> Void) -> Token {
        lastNumber += 1
        actions[lastNumber] = action
        heap.append(Entry(due: due, number: lastNumber))
        siftUp(heap.count - 1)
        return Token(number: lastNumber)
    }

    func cancel(_ token: Token) {
        actions[token.number] = nil
        // Canceled entries leave the heap when they are due; sweep when they are the majority.
        if heap.count > 64, heap.count > actions.count * 2 { rebuild() }
    }

    func wakeNow() { mustWakeNow = true }

    /// How long epoll may wait in milliseconds: -1 without limit, 0 not at all.
    func millisecondsToNext() -> Int32 {
        if mustWakeNow {
            mustWakeNow = false
            return 0
        }
        dropCancelled()
        guard let first = heap.first else { return -1 }
        return Int32(clamping: max(0, first.due - TimerQueue.now()))
    }

    func fireDue() {
        guard !heap.isEmpty else { return }
        let now = TimerQueue.now()
        while let first = heap.first, first.due <= now {
            removeFirst()
            if let action = actions.removeValue(forKey: first.number) { action() }
        }
    }

    private func dropCancelled() {
        while let first = heap.first, actions[first.number] == nil { removeFirst() }
    }

    private func rebuild() {
        heap = heap.filter { actions[$0.number] != nil }.sorted { $0.due < $1.due }
    }

    private func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        siftDown(0)
    }

    private func siftUp(_ start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].due < heap[parent].due else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private func siftDown(_ start: Int) {
        var parent = start
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].due < heap[smallest].due {
                smallest = child
            }
            if smallest == parent { return }
            heap.swapAt(parent, smallest)
            parent = smallest
        }
    }
}

extension Duration {
    /// The duration in milliseconds, rounded up, so that a timer never fires early.
    package var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    }
}
