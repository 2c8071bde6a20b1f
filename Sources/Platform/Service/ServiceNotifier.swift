// Reports the service state to systemd (sd_notify), without its library.
import CSystem

/// Does nothing without systemd. Never blocks.
package struct ServiceNotifier: Sendable {
    private let socketPath: String?

    package init(environment: [String: String]) {
        socketPath = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
    }

    package func ready() { send("READY=1") }

    package func stopping() { send("STOPPING=1") }

    /// One line for `systemctl status`.
    package func status(_ text: String) {
        send("STATUS=\(text.split(whereSeparator: \.isNewline).joined(separator: " "))")
    }

    private func send(_ message: String) {
        guard let socketPath else { return }
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        // A leading "@" denotes an abstract socket: a NUL at the start of the name and none at the end.
        let isAbstract = socketPath.hasPrefix("@")
        let path = Array((isAbstract ? "\0" + socketPath.dropFirst() : socketPath).utf8)
        guard path.count < MemoryLayout.size(ofValue: name.sun_path) else { return }
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path) }
        let length = MemoryLayout<sa_family_t>.size + path.count + (isAbstract ? 0 : 1)
        csystem_send_datagram(&name, socklen_t(length), message, message.utf8.count)
    }
}
