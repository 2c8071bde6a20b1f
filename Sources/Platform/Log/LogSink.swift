// Writes whole lines to a file descriptor without blocking.
import CSystem
import Synchronization

/// Drops and counts lines while the reader is slow or gone, and reports the count once writing works again.
package final class LogSink: Sendable {
    /// The log of the process.
    package static let standardError = LogSink(descriptor: STDERR_FILENO)

    private struct State {
        /// The rest of a partly written line, which must be written first.
        var rest: ArraySlice<UInt8> = []
        var dropped = 0
    }

    private enum Outcome {
        case all
        case some(Int)
        case none
    }

    private let descriptor: Int32
    private let isSocket: Bool
    private let isOwned: Bool
    private let canBlock: Bool
    private let state = Mutex(State())

    package init(descriptor: Int32) {
        let kind = csystem_descriptor_kind(descriptor)
        isSocket = kind == Int32(UInt8(ascii: "s"))
        let isPipeOrTerminal = kind == Int32(UInt8(ascii: "p")) || kind == Int32(UInt8(ascii: "c"))
        // O_NONBLOCK applies to the open file, which is shared with the shell and other programs: reopen it.
        let own = isPipeOrTerminal ? csystem_open_again_without_waiting(descriptor) : -1
        isOwned = own >= 0
        canBlock = isPipeOrTerminal && !isOwned
        self.descriptor = isOwned ? own : descriptor
    }

    deinit {
        if isOwned { close(descriptor) }
    }

    /// The number of dropped lines that were not reported yet.
    package var dropped: Int {
        state.withLock { $0.dropped }
    }

    /// `notice` formats the line that reports the number of dropped lines.
    func write(_ line: [UInt8], notice: (Int) -> [UInt8]) {
        state.withLock { state in
            guard finishRest(&state) else {
                state.dropped += 1
                return
            }
            if state.dropped > 0 {
                guard start(notice(state.dropped), &state) else {
                    state.dropped += 1
                    return
                }
                state.dropped = 0
            }
            if !state.rest.isEmpty || !start(line, &state) {
                state.dropped += 1
            }
        }
    }

    private func finishRest(_ state: inout State) -> Bool {
        guard !state.rest.isEmpty else { return true }
        switch put(state.rest) {
        case .all: state.rest = []
        case .some(let count): state.rest = state.rest.dropFirst(count)
        case .none: break
        }
        return state.rest.isEmpty
    }

    private func start(_ line: [UInt8], _ state: inout State) -> Bool {
        switch put(line[...]) {
        case .all: return true
        case .some(let count):
            state.rest = line.dropFirst(count)
            return true
        case .none: return false
        }
    }

    private func put(_ bytes: ArraySlice<UInt8>) -> Outcome {
        guard !canBlock || isReady() else { return .none }
        let count = bytes.withUnsafeBytes { bytes in
            csystem_write(descriptor, isSocket ? 1 : 0, bytes.baseAddress, bytes.count)
        }
        if count == bytes.count { return .all }
        return count > 0 ? .some(count) : .none
    }

    /// Polls a pipe or terminal that could not be reopened.
    private func isReady() -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&request, 1, 0) == 1 && request.revents & Int16(POLLOUT) != 0
    }
}
