// Writes whole lines to a descriptor without ever waiting for whoever reads it.
import CSystem
import Synchronization

/// When the reader is slow or gone, lines are dropped and counted; the count is told once writing works again.
package final class LogSink: Sendable {
    /// Where the whole process logs.
    package static let standardError = LogSink(descriptor: STDERR_FILENO)

    private struct State {
        /// What is left of a line that was written in part: it must go first.
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
        // O_NONBLOCK belongs to the open file, which the shell and other programs share: open it once more for us.
        let own = isPipeOrTerminal ? csystem_open_again_without_waiting(descriptor) : -1
        isOwned = own >= 0
        canBlock = isPipeOrTerminal && !isOwned
        self.descriptor = isOwned ? own : descriptor
    }

    deinit {
        if isOwned { close(descriptor) }
    }

    /// How many lines were lost since the last one that could tell.
    package var dropped: Int {
        state.withLock { $0.dropped }
    }

    /// `notice` makes the line that tells how many were lost before this one.
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

    /// A pipe or terminal that could not be opened again: ask first.
    private func isReady() -> Bool {
        var question = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&question, 1, 0) == 1 && question.revents & Int16(POLLOUT) != 0
    }
}
