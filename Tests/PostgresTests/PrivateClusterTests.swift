// Tests that a private cluster starts, recovers, is taken over and reports its errors.
import Glibc
import Postgres
import TestBasics
import Testing

@Suite("Private cluster")
struct PrivateClusterTests {
    /// Runs `body` with a data folder's path that does not exist yet.
    private func withFolder(mode: mode_t = 0o755, _ body: (String) async throws -> Void) async throws {
        var template = Array("/tmp/vitrine-own-XXXXXX".utf8CString)
        mkdtemp(&template)
        chmod(template, mode)
        let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        defer {
            PrivateCluster(dataDirectory: folder + "/deep/data").stopImmediately()
            system("rm -rf \(folder)")
        }
        try await body(folder + "/deep/data")
    }

    private func value(_ url: String, _ sql: SQL) async throws -> String {
        try await PostgresFixture.run(url: url) { client, _ in try await client.one(sql)(0) }
    }

    private func make(_ url: String) async throws {
        try await PostgresFixture.run(url: url) { client, _ in
            try await client.execute("create table kept as select 'here' as word")
        }
    }

    @Test("A cluster is created durable, private and UTF-8, keeps its data over a restart, and stops")
    func life() async throws {
        try await withFolder { folder in
            // No process has this number: an unfinished folder of a killed one.
            let draft = folder + ".new-4194305"
            system("mkdir -p \(draft)/base; touch \(draft)/base/file")
            let cluster = PrivateCluster(dataDirectory: folder)
            #expect(cluster.url() == nil)
            let url = try await cluster.start()
            let settings: SQL = """
                select concat_ws(' ', current_setting('fsync'), current_setting('synchronous_commit'),
                    current_setting('full_page_writes'), current_setting('server_encoding'),
                    '[' || current_setting('listen_addresses') || ']', current_setting('TimeZone'),
                    (select setting::integer / 128 from pg_settings where name = 'shared_buffers'))
                """
            #expect(try await value(url, settings) == "on on on UTF8 [] UTC \(ServerMemory.sharedBuffers)")
            try await make(url)
            await cluster.stop()
            #expect(access(folder + "/postmaster.pid", F_OK) != 0)
            #expect(access(draft, F_OK) != 0)
            await cluster.stop()
            let second = PrivateCluster(dataDirectory: folder)
            #expect(try await value(try await second.start(), "select word from kept") == "here")
            #expect(access(second.logFile, R_OK) == 0)
            await second.stop()
        }
    }

    @Test(
        "Shared memory is an eighth of the memory, at least 128 MiB and at most 2048",
        arguments: [(0, 128), (1024, 128), (1031, 128), (1032, 129), (16_376, 2047), (16_384, 2048), (1_048_576, 2048)])
    func memory(mebibytes: Int, expected: Int) {
        #expect(ServerMemory.sharedBuffers(of: mebibytes << 20) == expected)
    }

    @Test("A server that still runs is taken over, and gets a session of its own")
    func adoption() async throws {
        try await withFolder { folder in
            let url = try await PrivateCluster(dataDirectory: folder, durable: false).start()
            let postmaster = try serverProcess(folder)
            #expect(getsid(postmaster) == postmaster)
            let second = PrivateCluster(dataDirectory: folder, durable: false)
            #expect(try await second.start() == url)
            #expect(try serverProcess(folder) == postmaster)
            await second.stop()
            #expect(kill(postmaster, 0) != 0 || PrivateCluster(dataDirectory: folder).url() == nil)
        }
    }

    @Test("After kill -9 of the server the next start recovers")
    func crash() async throws {
        try await withFolder { folder in
            let cluster = PrivateCluster(dataDirectory: folder)
            let url = try await cluster.start()
            try await make(url)
            let postmaster = try serverProcess(folder)
            kill(postmaster, SIGKILL)
            // Dead but not reaped, as when its parent does not wait for it.
            var status = siginfo_t()
            waitid(P_PID, id_t(postmaster), &status, WEXITED | WNOWAIT)
            #expect(try await value(try await cluster.start(), "select word from kept") == "here")
            await cluster.stop()
        }
    }

    @Test("A server that takes long to stop is waited for; a second start says so, and can be canceled")
    func slowStop() async throws {
        try await withFolder { folder in
            let cluster = PrivateCluster(dataDirectory: folder, durable: false)
            let url = try await cluster.start()
            try await PostgresFixture.run(url: url, configure: { $0.poolSize = 1 }) { client, _ in
                // The server ends only after its sessions, and a frozen one doesn't end.
                let session: Int32 = try await client.one("select pg_backend_pid()")(0)
                kill(session, SIGSTOP)
                defer { kill(session, SIGCONT) }
                let messages = Shared<[String]>([])
                let stop = Task {
                    await cluster.stop(reportInterval: .milliseconds(10)) { text in
                        messages.withLock { $0.append(text) }
                    }
                }
                await until("the wait is reported") { messages.withLock { $0.count } > 2 }
                let second = PrivateCluster(dataDirectory: folder, durable: false)
                let said = Shared<[String]>([])
                await #expect(throws: PrivateClusterError.stillStopping(pid: try serverProcess(folder))) {
                    _ = try await second.start(isCanceled: { said.withLock { !$0.isEmpty } }) { text in
                        said.withLock { $0.append(text) }
                    }
                }
                #expect(said.withLock { $0 } == ["The database server is still stopping. Waiting for it."])
                kill(session, SIGCONT)
                await stop.value
                #expect(access(folder + "/postmaster.pid", F_OK) != 0)
            }
        }
    }

    @Test("A folder that only root can reach works too", .enabled(if: geteuid() == 0))
    func rootOnly() async throws {
        try await withFolder(mode: 0o700) { folder in
            let cluster = PrivateCluster(dataDirectory: folder, durable: false)
            let url = try await cluster.start()
            #expect(try await value(url, "select 'ok'") == "ok")
            await cluster.stop()
            #expect(try await value(try await cluster.start(), "select 'again'") == "again")
            await cluster.stop()
        }
    }

    @Test("A folder with other content, a wrong version and a missing server are reported")
    func refusals() async throws {
        try await withFolder { folder in
            system("mkdir -p \(folder); touch \(folder)/letter")
            await #expect {
                _ = try await PrivateCluster(dataDirectory: folder).start()
            } throws: {
                "\($0)".contains("contains other files")
            }
            system("echo 9 > \(folder)/PG_VERSION")
            await #expect {
                _ = try await PrivateCluster(dataDirectory: folder).start()
            } throws: {
                $0 as? PrivateClusterError == .noServer(version: 9)
            }
            let binaries = "/usr/lib/postgresql/15/bin"
            if access(binaries + "/postgres", X_OK) == 0 {
                await #expect {
                    _ = try await PrivateCluster(dataDirectory: folder, postgresBinaries: binaries).start()
                } throws: {
                    $0 as? PrivateClusterError == .versionMismatch(folder: folder, data: 9, server: 15)
                }
            }
            await #expect {
                _ = try await PrivateCluster(dataDirectory: folder + "/new", postgresBinaries: "/nowhere").start()
            } throws: {
                $0 as? PrivateClusterError == .noServer(version: nil)
            }
            await #expect {
                _ = try await PrivateCluster(dataDirectory: "relative").start()
            } throws: {
                "\($0)".contains("must begin with a slash")
            }
            await #expect {
                _ = try await PrivateCluster(dataDirectory: folder + "/letter/data").start()
            } throws: {
                "\($0)".contains("can't create files in")
            }
        }
    }

    private struct NoServer: Error {}

    private func serverProcess(_ folder: String) throws -> pid_t {
        guard let file = fopen(folder + "/postmaster.pid", "r") else { throw NoServer() }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 64)
        fgets(&line, 64, file)
        return atoi(line)
    }
}
