// Runs a real PgBouncer in front of a database for one test.
import FoundationEssentials
import Glibc
import Platform
import Synchronization

/// The Debian package `pgbouncer`, which scripts/setup.sh installs.
package final class PgBouncer: Sendable {
    /// Why there is none.
    package struct Missing: Error {}

    private let folder: String
    private let upstream: String
    /// The URL of the database through the pooler.
    package let url: String
    private let user: String?
    private let running = Mutex<ChildProcess?>(nil)

    /// `upstream` is a URL of `TestCluster`.
    package init(to upstream: String) throws {
        guard access("/usr/sbin/pgbouncer", X_OK) == 0 else { throw Missing() }
        var template = Array("/tmp/vitrine-pooler-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Missing() }
        folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        chmod(folder, 0o777)
        let parts = URLComponents(string: upstream)
        func value(_ name: String) -> String { parts?.queryItems?.first { $0.name == name }?.value ?? "" }
        self.upstream = "host=\(value("host")) port=\(value("port")) user=postgres"
        let database = String(parts?.path.dropFirst() ?? "")
        let host = folder.split(separator: "/").map { "%2F" + $0 }.joined()
        url = "postgresql://postgres@/\(database)?host=\(host)&port=6432"
        // It refuses to run as root.
        user = geteuid() == 0 ? "postgres" : nil
    }

    /// Runs `body` while the pooler runs in `mode`: session, transaction or statement.
    package func run<Value>(
        _ mode: String, poolSize: Int = 40, _ body: (_ url: String) async throws -> Value
    ) async throws -> Value {
        configure(mode, poolSize: poolSize)
        let socket = folder + "/.s.PGSQL.6432"
        unlink(socket)
        let process = try ChildProcess(
            "/usr/sbin/pgbouncer", (user.map { ["-u", $0] } ?? []) + [folder + "/pgbouncer.ini"],
            environment: ["PATH": "/usr/bin:/bin"], output: .nothing, error: .file(folder + "/log"))
        await until("the pooler listens") { !process.isRunning || access(socket, F_OK) == 0 }
        running.withLock { $0 = process }
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(url))
        } catch {
            result = .failure(error)
        }
        process.send(SIGKILL)
        _ = await process.wait()
        return try result.get()
    }

    /// Switches the running pooler to another mode without ending connections.
    package func reload(_ mode: String, poolSize: Int = 40) {
        configure(mode, poolSize: poolSize)
        running.withLock { $0 }?.send(SIGHUP)
    }

    /// What PostgreSQL's own client prints, which doesn't mind a pooler.
    package func psql(_ statement: String) async throws -> String {
        let path = "\(folder)/\(UUID())"
        let process = try ChildProcess(
            "/usr/bin/psql", ["-qXAtc", statement, url], environment: ["PATH": "/usr/bin:/bin"], output: .file(path),
            error: .nothing)
        _ = await process.wait()
        return String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
            .split(separator: "\n").joined(separator: "\n")
    }

    private func configure(_ mode: String, poolSize: Int) {
        let text = """
            [databases]
            * = \(upstream)
            [pgbouncer]
            unix_socket_dir = \(folder)
            unix_socket_mode = 0777
            listen_port = 6432
            auth_type = any
            pool_mode = \(mode)
            default_pool_size = \(poolSize)
            """
        _ = FileManager.default.createFile(atPath: folder + "/pgbouncer.ini", contents: Data(text.utf8))
        chmod(folder + "/pgbouncer.ini", 0o644)
    }

    package func remove() { try? FileManager.default.removeItem(atPath: folder) }
}
