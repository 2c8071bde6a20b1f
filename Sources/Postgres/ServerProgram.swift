// Runs PostgreSQL's programs as a user that they accept.
import CPostgres
import Glibc

/// Who PostgreSQL's programs run as: they refuse to run as root.
enum ServerUser: Equatable {
    /// The user of this process.
    case own
    /// Another user, taken by root.
    case other(uid_t, gid_t)
    /// A user of a name space in which root is called by another name.
    case renamed

    /// What to put before a command.
    fileprivate var prefix: [String] {
        switch self {
        case .own: []
        case .other(let user, let group):
            ["setpriv", "--reuid=\(user)", "--regid=\(group)", "--clear-groups", "--"]
        case .renamed: ["unshare", "--user", "--map-user=postgres", "--"]
        }
    }
}

struct ServerProgram {
    let user: ServerUser

    /// Runs a program to its end and gives its exit status and all that it wrote; nil when it could not be started.
    func run(_ command: [String]) async -> (status: Int32, output: String)? {
        var template = Array("/tmp/vitrine-output-XXXXXX".utf8CString)
        let output = mkstemp(&template)
        guard output >= 0 else { return nil }
        unlink(template)
        defer { close(output) }
        guard let pid = spawn(command, output: output, ownSession: false) else { return nil }
        var status: Int32 = 0
        while waitpid(pid, &status, WNOHANG) == 0 { try? await Task.sleep(for: .milliseconds(10)) }
        lseek(output, 0, SEEK_SET)
        let hasExited = status & 0x7f == 0
        return (hasExited ? status >> 8 & 0xff : -1, FileText.read(output))
    }

    /// Starts a program and gives its process id.
    func spawn(_ command: [String], output: Int32, ownSession: Bool) -> pid_t? {
        let command = user.prefix + command
        guard let path = ServerProgram.path(of: command[0]) else { return nil }
        let arguments = command.map { strdup($0) }
        let environment = ServerProgram.environment.map { strdup($0) }
        defer { for text in arguments + environment { free(text) } }
        let pid = vitrine_spawn(path, arguments + [nil], environment + [nil], output, ownSession ? 1 : 0)
        return pid > 0 ? pid : nil
    }

    private static let searchPath: String = {
        let own = getenv("PATH").map { String(cString: $0) } ?? ""
        return own + ":/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    }()

    /// Without the PG... variables and the language of our own process.
    private static let environment = ["PATH=\(searchPath)", "LC_ALL=C.UTF-8", "HOME=/", "TZ=UTC"]

    /// Where a program is: itself when it is a path, else by PATH.
    static func path(of name: String) -> String? {
        let candidates = name.contains("/") ? [name] : searchPath.split(separator: ":").map { "\($0)/\(name)" }
        return candidates.first { access($0, X_OK) == 0 }
    }
}
