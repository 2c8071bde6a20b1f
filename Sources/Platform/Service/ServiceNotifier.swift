// Tells systemd how the service is doing (sd_notify), without its library.
import CSystem

/// Does nothing where there is no systemd. Messages are never waited for.
package struct ServiceNotifier: Sendable {
    private let address: String?
    /// How often `watchdog` must be called at least; half of it is a good pace. Nil: no watchdog.
    package let watchdogInterval: Duration?

    package init(environment: [String: String]) {
        address = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
        // The variables are inherited by children, which are not meant: then WATCHDOG_PID is another's.
        let isForUs = environment["WATCHDOG_PID"].map { $0 == String(getpid()) } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap { Int($0) } ?? 0
        watchdogInterval = isForUs && microseconds > 0 ? .microseconds(microseconds) : nil
    }

    package func ready() { send("READY=1") }

    package func stopping() { send("STOPPING=1") }

    package func watchdog() { send("WATCHDOG=1") }

    /// One line for `systemctl status`.
    package func status(_ text: String) {
        send("STATUS=\(text.split(whereSeparator: \.isNewline).joined(separator: " "))")
    }

    private func send(_ message: String) {
        guard let address else { return }
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        // A leading "@" stands for the NUL of an abstract socket, whose name has no NUL at its end.
        let isAbstract = address.hasPrefix("@")
        let path = Array((isAbstract ? "\0" + address.dropFirst() : address).utf8)
        guard path.count < MemoryLayout.size(ofValue: name.sun_path) else { return }
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path) }
        let length = MemoryLayout<sa_family_t>.size + path.count + (isAbstract ? 0 : 1)
        csystem_send_datagram(&name, socklen_t(length), message, message.utf8.count)
    }
}
