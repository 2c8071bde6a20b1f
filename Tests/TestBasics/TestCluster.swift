// Gives tests a real PostgreSQL: one private cluster for each test process.
import EventLoop
import Glibc
import Postgres
import Synchronization

/// A temporary cluster, started by the first test that needs it and removed with the process.
///
/// A killed test process leaves its cluster behind; the next one that starts removes it.
package final class TestCluster: Sendable {
    package static let shared = TestCluster()

    private struct Running: Sendable {
        let cluster: PrivateCluster
        let client: PostgresClient
    }

    /// In memory if there is room: creating and dropping databases then takes a third of the time.
    private static let isInMemory = hasRoom("/dev/shm", bytes: 2 << 30)
    private static let parent = isInMemory ? "/dev/shm" : "/tmp"
    private static let prefix = "vitrine-test-"
    private let start = Mutex<Task<Running, any Error>?>(nil)
    private let lastNumber = Atomic<Int>(0)

    private init() {}

    /// The server; started on first use.
    package func cluster() async throws -> PrivateCluster {
        try await running().cluster
    }

    /// A client of the database `postgres`, as superuser.
    package func administrator() async throws -> PostgresClient {
        try await running().client
    }

    /// Creates a new empty database, or a copy of `template`, and returns its URL.
    package func database(template: String? = nil) async throws -> String {
        let name = "test_\(lastNumber.wrappingAdd(1, ordering: .relaxed).newValue)"
        try await createDatabase(named: name, template: template)
        return try await url(database: name)
    }

    /// The URL of an existing database.
    package func url(database: String) async throws -> String {
        try await running().cluster.url(database: database) ?? ""
    }

    /// Creates a database; nobody may be connected to the template during that.
    package func createDatabase(named name: String, template: String? = nil) async throws {
        let source = SQLName.quoted(template ?? "template0")
        // In memory, copying files takes less than copying pages through the log.
        let strategy = Self.isInMemory ? "file_copy" : "wal_log"
        try await administrator().execute(
            "create database \(raw: SQLName.quoted(name)) template \(raw: source) strategy \(raw: strategy)")
    }

    /// Drops a database and ends its sessions; does nothing when it does not exist.
    package func dropDatabase(_ name: String) async throws {
        try await administrator().execute("drop database if exists \(raw: SQLName.quoted(name)) with (force)")
    }

    private func running() async throws -> Running {
        try await start.withLock { start in
            let task = start ?? Task { try await TestCluster.launch() }
            start = task
            return task
        }.value
    }

    private static func launch() async throws -> Running {
        removeAbandoned()
        let folder = try makeFolder()
        let cluster = PrivateCluster(dataDirectory: folder + "/data", durable: false)
        atExit.withLock { $0 = (folder, cluster) }
        atexit {
            guard let (folder, cluster) = TestCluster.atExit.withLock({ $0 }) else { return }
            cluster.stopImmediately()
            TestCluster.remove(folder)
        }
        let url = try await cluster.start()
        let loop = EventLoop(name: "test-admin")
        loop.start()
        // Many suites create their databases at the same time.
        let configuration = PostgresConfiguration(
            url: url, poolWait: .seconds(60), deadline: .seconds(60), lockTimeout: .seconds(60), prepare: false,
            applicationName: "tests")
        let client = PostgresClient(configuration: configuration, loops: [loop])
        client.start()
        // Databases live for a second: vacuuming them is wasted.
        try await client.execute("alter system set autovacuum = off")
        try await client.execute("select pg_reload_conf()")
        return Running(cluster: cluster, client: client)
    }

    private static let atExit = Mutex<(folder: String, cluster: PrivateCluster)?>(nil)

    private static func hasRoom(_ folder: String, bytes: UInt) -> Bool {
        var room = statvfs()
        return statvfs(folder, &room) == 0 && UInt(room.f_bavail) * UInt(room.f_frsize) >= bytes
    }

    /// A folder with a lock that this process holds until it exits.
    private static func makeFolder() throws -> String {
        var template = Array("\(parent)/\(prefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Unusable(folder: parent) }
        let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        // The server's user must be able to traverse the folder.
        chmod(folder, 0o755)
        // Named when it is locked, so that nobody finds it unlocked.
        guard lock(folder + "/new") >= 0, rename(folder + "/new", folder + "/lock") == 0 else {
            throw Unusable(folder: folder)
        }
        return folder
    }

    struct Unusable: Error {
        let folder: String
    }

    private static func lock(_ file: String) -> Int32 {
        let fd = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard fd >= 0 else { return -1 }
        if flock(fd, LOCK_EX | LOCK_NB) == 0 { return fd }
        close(fd)
        return -1
    }

    private static func removeAbandoned() {
        var found = glob_t()
        defer { globfree(&found) }
        guard glob("\(parent)/\(prefix)*", 0, nil, &found) == 0 else { return }
        for case let path? in UnsafeBufferPointer(start: found.gl_pathv, count: Int(found.gl_pathc)) {
            let folder = String(cString: path)
            // A folder without a lock file was just created by another process.
            guard access(folder + "/lock", F_OK) == 0 else { continue }
            let fd = lock(folder + "/lock")
            guard fd >= 0 else { continue }
            PrivateCluster(dataDirectory: folder + "/data").stopImmediately()
            remove(folder)
            close(fd)
        }
    }

    /// In the background, because a cluster with many databases has thousands of files.
    private static func remove(_ folder: String) {
        system("rm -rf '\(folder)' > /dev/null 2>&1 &")
    }
}
