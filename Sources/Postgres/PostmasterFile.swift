// The file in which a running server describes itself.
import Glibc

/// The lines of `postmaster.pid`.
struct PostmasterFile {
    private let dataFolder: String
    let pid: pid_t
    let socketFolder: String
    /// Whether the server accepts connections.
    let isReady: Bool
    /// Whether the server shuts down: it ends its sessions, then writes what has changed to the disk.
    let isStopping: Bool

    /// Reads the file; nil when it is missing or incomplete.
    init?(dataFolder: String) {
        guard let text = FileText.read(dataFolder + "/postmaster.pid") else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count >= 5, let pid = pid_t(lines[0]), pid > 0 else { return nil }
        self.dataFolder = dataFolder
        self.pid = pid
        socketFolder = String(lines[4])
        let status = lines.count >= 8 ? lines[7] : ""
        isReady = status.hasPrefix("ready")
        isStopping = status.hasPrefix("stopping")
    }

    /// Whether the server is alive. After a crash the process id may be another program's, so its working directory is
    /// compared.
    var isAlive: Bool {
        guard let folder = realpath("/proc/\(pid)/cwd", nil), let own = realpath(dataFolder, nil) else { return false }
        defer {
            free(folder)
            free(own)
        }
        return strcmp(folder, own) == 0
    }

    private var socketPath: String { "\(socketFolder)/.s.PGSQL.\(PrivateCluster.port)" }

    /// Whether the server runs but its socket was removed, say by a cleaner of /tmp, so that nobody can reach it.
    var isCutOff: Bool { isReady && access(socketPath, F_OK) != 0 && isAlive }

    /// Whether the server accepts connections, though it may still be recovering.
    var isResponding: Bool {
        var address = sockaddr_un()
        let path = Array(socketPath.utf8)
        guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let fd = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard fd >= 0 else { return false }
        defer { close(fd) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(fd, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }
}
