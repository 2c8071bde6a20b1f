// Reads what a refused client still sends, for a moment, so that the refusal reaches it.
import EventLoop
import Glibc

/// The sockets of refused requests. Their sending side is closed; input is thrown away until the client closes, sends
/// too much, or two seconds are over. Used on one loop's thread only.
final class LingeringClose {
    private let loop: EventLoop
    private var sockets: [Int32: (timer: TimerQueue.Token, left: Int)] = [:]
    private let maxSockets = 256
    /// Many clients read no response before they have sent a whole upload.
    private let maxBytes = 16 << 20

    init(loop: EventLoop) { self.loop = loop }

    var isEmpty: Bool { sockets.isEmpty }

    /// Takes over a descriptor; a negative one is ignored.
    func add(_ socket: Int32) {
        guard socket >= 0 else { return }
        guard sockets.count < maxSockets else {
            close(socket)
            return
        }
        let timer = loop.schedule(after: .seconds(2)) { [weak self] in self?.remove(socket) }
        sockets[socket] = (timer, maxBytes)
        loop.watch(socket, for: .read) { [weak self] _ in self?.drain(socket) }
    }

    private func drain(_ socket: Int32) {
        guard let left = sockets[socket]?.left else { return }
        // With MSG_TRUNC, TCP drops what it has received instead of copying it.
        let count = withUnsafeTemporaryAllocation(byteCount: 64 * 1024, alignment: 16) {
            recv(socket, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_TRUNC))
        }
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        sockets[socket]?.left = left - max(count, 0)
        if count <= 0 || count >= left { remove(socket) }
    }

    private func remove(_ socket: Int32) {
        guard let entry = sockets.removeValue(forKey: socket) else { return }
        loop.cancel(entry.timer)
        loop.unwatch(socket)
        close(socket)
    }

    /// Closes all that are left.
    func stop() {
        for socket in Array(sockets.keys) { remove(socket) }
    }
}
