// Creates, starts and stops a private PostgreSQL server, reachable from this machine only.
import Glibc
import Synchronization

/// A PostgreSQL cluster in a folder, for trying the product out and for tests.
///
/// The server listens only on a socket in a private temporary folder. It runs in its own session, so
/// that neither Ctrl-C nor the death of this process stops it; the next `start` reuses it.
package final class PrivateCluster: Sendable {
    /// Part of the socket's name only.
    static let port = 5432
    private static let socketFolderPrefix = "/tmp/vitrine-"

    private let folder: String
    private let binaries: String?
    private let durable: Bool
    private let running = Mutex<PostmasterFile?>(nil)
    /// Kept across restarts, so that the URL stays the same.
    private let lastSocketFolder = Mutex<String?>(nil)

    /// - Parameters:
    ///   - dataDirectory: an absolute path; created if missing.
    ///   - postgresBinaries: the folder of `initdb` and `postgres`; searched for if nil.
    ///   - durable: false only for tests: a crash of the machine may then destroy the data.
    package init(dataDirectory: String, postgresBinaries: String? = nil, durable: Bool = true) {
        folder = dataDirectory
        binaries = postgresBinaries
        self.durable = durable
    }

    /// The server's own log.
    package var logFile: String { folder + "/server.log" }

    /// The connection URL of one of the running server's databases, or nil while it does not run.
    package func url(database: String = "postgres") -> String? {
        running.withLock { $0 }.map { file in
            let path = file.socketFolder.split(separator: "/").map { "%2F" + $0 }.joined()
            return "postgresql://postgres@/\(database)?host=\(path)&port=\(PrivateCluster.port)"
        }
    }

    // MARK: Starting

    /// Creates the cluster if the folder is missing or empty, starts its server unless it runs, and returns the URL
    /// of the database `postgres`. Waits for a server that is still stopping, unless `isCanceled`. Throws
    /// `PrivateClusterError`, whose description says what to do.
    package func start(
        isCanceled: @Sendable () -> Bool = { false }, progress: @Sendable (String) -> Void = { _ in }
    ) async throws -> String {
        guard folder.hasPrefix("/"), !folder.utf8.contains(0) else {
            throw PrivateClusterError.unusableFolder(folder, reason: "its path must begin with a slash")
        }
        if let file = PostmasterFile(dataFolder: folder), file.isCutOff { await stop(progress: progress) }
        if let file = PostmasterFile(dataFolder: folder), file.isStopping, file.isAlive {
            progress("The database server is still stopping. Waiting for it.")
            guard await waitForEnd(of: file, isCanceled: isCanceled, progress) else {
                throw PrivateClusterError.stillStopping(pid: file.pid)
            }
        }
        if let url = await adoptRunning() {
            progress("The database server is already running.")
            return url
        }
        let dataVersion = try readVersion()
        guard let found = await ServerBinaries.find(folder: binaries, version: binaries == nil ? dataVersion : nil)
        else { throw PrivateClusterError.noServer(version: dataVersion) }
        if let dataVersion, dataVersion != found.version {
            throw PrivateClusterError.versionMismatch(folder: folder, data: dataVersion, server: found.version)
        }
        let initializer = ClusterInitializer(folder: folder, binaries: found, durable: durable)
        if dataVersion == nil {
            progress("Creating a database in \(folder).")
            try await initializer.found()
        }
        progress("Starting the database server.")
        return try await startServer(found, as: try await initializer.userOfExisting())
    }

    /// The major version of the folder's cluster; nil when there is none yet.
    private func readVersion() throws -> Int? {
        if let text = FileText.read(folder + "/PG_VERSION") {
            guard let version = Int(text.prefix { $0.isNumber }) else {
                throw PrivateClusterError.unusableFolder(folder, reason: "its file PG_VERSION is damaged")
            }
            return version
        }
        if access(folder, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR) { return nil }
        guard let names = FileText.names(in: folder) else {
            throw PrivateClusterError.unusableFolder(
                folder, reason: "it can't be read. Check that it belongs to the user that runs this program")
        }
        if names.isEmpty { return nil }
        throw PrivateClusterError.unusableFolder(
            folder, reason: "it contains other files and no database. Choose a new or empty folder")
    }

    /// Reuses a server that an earlier start left running.
    func adoptRunning() async -> String? {
        guard let file = PostmasterFile(dataFolder: folder), file.isAlive, file.isResponding else { return nil }
        return await waitUntilReady(file.pid)
    }

    private func startServer(_ binaries: ServerBinaries, as user: ServerUser) async throws -> String {
        if let stale = PostmasterFile(dataFolder: folder), !stale.isAlive { clear(stale) }
        var status = stat()
        if stat(logFile, &status) == 0, status.st_size > 10_000_000 { rename(logFile, logFile + ".1") }
        let sockets = try makeSocketFolder(user)
        // After kill -9 of a server its children may keep its shared memory for some seconds.
        var lastLines = ""
        for attempt in 0..<40 {
            if attempt > 0 { try await Task.sleep(for: .milliseconds(250)) }
            let log = open(logFile, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
            guard log >= 0 else {
                removeSocketFolder(sockets)
                throw PrivateClusterError.unusableFolder(folder, reason: "its log file server.log can't be written")
            }
            let logStart = lseek(log, 0, SEEK_END)
            let command = [
                binaries.folder + "/postgres", "-D", folder, "-k", sockets, "-p", "\(PrivateCluster.port)",
                "-c", "listen_addresses=",
            ]
            let pid = ServerProgram(user: user).spawn(command, output: log, ownSession: true)
            close(log)
            if let pid, let url = await waitUntilReady(pid) { return url }
            // Another process may have started it at the same moment.
            if let url = await adoptRunning() {
                removeSocketFolder(sockets)
                return url
            }
            lastLines = readLog(from: logStart)
            guard lastLines.contains("lock file") || lastLines.contains("shared memory block") else { break }
        }
        removeSocketFolder(sockets)
        throw PrivateClusterError.start(log: logFile, lastLines: lastLines)
    }

    /// Removes the leftovers of a killed server.
    private func clear(_ stale: PostmasterFile) {
        // Our dead child process looks alive to the next server until it is reaped.
        if running.withLock({ $0?.pid }) == stale.pid { _ = hasEnded(stale.pid) }
        removeSocketFolder(stale.socketFolder)
    }

    private func makeSocketFolder(_ user: ServerUser) throws -> String {
        // Not in TMPDIR, because a socket's path is limited to 107 bytes.
        var path = Array("\(PrivateCluster.socketFolderPrefix)XXXXXX".utf8CString)
        if let last = lastSocketFolder.withLock({ $0 }), mkdir(last, 0o700) == 0 {
            path = Array(last.utf8CString)
        } else if mkdtemp(&path) == nil {
            throw PrivateClusterError.unusableFolder("/tmp", reason: "can't create a folder for the server's socket")
        }
        if case .other(let user, let group) = user { chown(path, user, group) }
        return String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Returns the URL as soon as connections are accepted, or nil when the server exited instead.
    private func waitUntilReady(_ pid: pid_t) async -> String? {
        // Recovery after a crash may take minutes; a server that fails exits.
        while true {
            if let file = PostmasterFile(dataFolder: folder), file.pid == pid, file.isReady {
                running.withLock { $0 = file }
                lastSocketFolder.withLock { $0 = file.socketFolder }
                return url()
            }
            if hasEnded(pid) { return nil }
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    private func hasEnded(_ pid: pid_t) -> Bool {
        var status: Int32 = 0
        // Only our own child process can be reaped.
        return waitpid(pid, &status, WNOHANG) == pid || kill(pid, 0) != 0
    }

    private func readLog(from start: off_t) -> String {
        let log = open(logFile, O_RDONLY | O_CLOEXEC)
        guard log >= 0 else { return "" }
        defer { close(log) }
        lseek(log, start, SEEK_SET)
        return FileText.read(log).split(separator: "\n").suffix(8).joined(separator: " ")
    }

    // MARK: Stopping

    /// Asks the server to end all sessions and to stop, and leaves it to that.
    package func requestStop() {
        guard let file = running.withLock({ $0 }) ?? PostmasterFile(dataFolder: folder), file.isAlive else { return }
        kill(file.pid, SIGINT)
    }

    /// Ends all sessions and stops the server, also one that another process started; does nothing when it is not
    /// running. Waits as long as the server takes: on a slow disk its last checkpoint takes minutes.
    package func stop(
        reportInterval: Duration = .seconds(10), progress: @Sendable (String) -> Void = { _ in }
    ) async {
        guard let file = running.withLock({ $0 }) ?? PostmasterFile(dataFolder: folder), file.isAlive else { return }
        kill(file.pid, SIGINT)
        _ = await waitForEnd(of: file, reportInterval: reportInterval, progress)
        forget(file)
    }

    /// False if it was canceled before the server ended.
    private func waitForEnd(
        of file: PostmasterFile, reportInterval: Duration = .seconds(10), isCanceled: () -> Bool = { false },
        _ progress: (String) -> Void
    ) async -> Bool {
        let start = ContinuousClock.now
        var next = start + reportInterval
        while !hasEnded(file.pid) {
            if isCanceled() { return false }
            if ContinuousClock.now >= next {
                next += reportInterval
                let seconds = (ContinuousClock.now - start).components.seconds
                progress("PostgreSQL is writing its data to the disk (\(seconds) s).")
            }
            try? await Task.sleep(for: .milliseconds(20))
        }
        return true
    }

    /// Stops the server at once, as a crash would; for the end of a test process.
    package func stopImmediately() {
        guard let file = running.withLock({ $0 }) ?? PostmasterFile(dataFolder: folder), file.isAlive else { return }
        kill(file.pid, SIGQUIT)
        for _ in 0..<500 where !hasEnded(file.pid) { usleep(10_000) }
        forget(file)
    }

    private func forget(_ file: PostmasterFile) {
        running.withLock { $0 = nil }
        removeSocketFolder(file.socketFolder)
    }

    private func removeSocketFolder(_ path: String) {
        // The name comes from a file: remove only names that match ours.
        guard path.hasPrefix(PrivateCluster.socketFolderPrefix), !path.dropFirst(5).contains("/") else { return }
        FileText.remove(path)
    }
}
