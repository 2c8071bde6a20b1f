// Creates the files of a new private cluster, owned by a user that PostgreSQL accepts.
import Glibc

struct ClusterInitializer {
    let folder: String
    let binaries: ServerBinaries
    let durable: Bool

    /// The user that the server of an existing cluster runs as: the owner of its files.
    func userOfExisting() async throws -> ServerUser {
        let owner = FileText.owner(of: folder + "/PG_VERSION")
        if geteuid() != 0 {
            guard owner == geteuid() else { throw wrongOwner }
            return .own
        }
        if owner == 0 {
            guard await canRename() else { throw PrivateClusterError.noUser(folder: folder) }
            return .renamed
        }
        guard let postgres = ClusterInitializer.postgresUser, case .other(owner, _) = postgres else { throw wrongOwner }
        return postgres
    }

    private var wrongOwner: PrivateClusterError {
        .unusableFolder(folder, reason: "it belongs to another user; run this program as its owner")
    }

    private static var postgresUser: ServerUser? {
        getpwnam("postgres").map { .other($0.pointee.pw_uid, $0.pointee.pw_gid) }
    }

    /// Creates the cluster in a temporary folder and renames it when complete, so that a kill leaves no partial
    /// cluster.
    func found() async throws {
        let parent = folder.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        makeFolders(parent)
        removeAbandonedDrafts(parent)
        let draft = folder + draftSuffix + String(getpid())
        guard mkdir(draft, 0o700) == 0 else {
            let reason = "can't create files in \(parent.isEmpty ? "/" : parent) (\(String(cString: strerror(errno))))"
            throw PrivateClusterError.unusableFolder(folder, reason: reason)
        }
        do {
            try await initialize(draft, as: try await userForNew(draft))
        } catch {
            FileText.remove(draft)
            throw error
        }
        // The rename succeeds over an empty folder only.
        guard rename(draft, folder) == 0 else {
            let reason = "the new database can't be moved to it (\(String(cString: strerror(errno))))"
            FileText.remove(draft)
            throw PrivateClusterError.unusableFolder(folder, reason: reason)
        }
    }

    private var draftSuffix: String { ".new-" }

    /// Removes partial clusters of killed processes.
    private func removeAbandonedDrafts(_ parent: String) {
        let prefix = folder.split(separator: "/").suffix(1).joined() + draftSuffix
        for name in FileText.names(in: parent + "/") ?? [] where name.hasPrefix(prefix) {
            guard let pid = pid_t(name.dropFirst(prefix.count)) else { continue }
            if pid == getpid() || (kill(pid, 0) != 0 && errno == ESRCH) { FileText.remove(parent + "/" + name) }
        }
    }

    private func makeFolders(_ path: String) {
        var made = ""
        for name in path.split(separator: "/") {
            made += "/" + name
            mkdir(made, 0o755)
        }
    }

    private func userForNew(_ draft: String) async throws -> ServerUser {
        guard geteuid() == 0 else { return .own }
        if let postgres = ClusterInitializer.postgresUser, case .other(let user, let group) = postgres {
            chown(draft, user, group)
            if await ServerProgram(user: postgres).run(["test", "-w", draft])?.status == 0 { return postgres }
            chown(draft, 0, 0)
        }
        guard await canRename() else { throw PrivateClusterError.noUser(folder: folder) }
        return .renamed
    }

    private func canRename() async -> Bool {
        await ServerProgram(user: .renamed).run(["true"])?.status == 0
    }

    private func initialize(_ draft: String, as user: ServerUser) async throws {
        var command = [
            binaries.folder + "/initdb", "-D", draft, "-U", "postgres", "-E", "UTF8", "--auth-local=trust",
            "--auth-host=reject",
        ]
        // Sorts by code points, the same on every machine; from PostgreSQL 17 on independent of the system's locales.
        command +=
            binaries.version >= 17
            ? ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C.UTF-8"] : ["--locale=C.UTF-8"]
        if !durable { command.append("--no-sync") }
        guard let run = await ServerProgram(user: user).run(command) else {
            throw PrivateClusterError.initialization(output: "the program \(command[0]) can't be started")
        }
        guard run.status == 0, FileText.append(settings, to: draft + "/postgresql.conf") else {
            throw PrivateClusterError.initialization(
                output: run.output.split(separator: "\n").suffix(4).joined(separator: " "))
        }
    }

    private var settings: String {
        let safety = durable ? "on" : "off"
        return """

            # A private cluster: reached by its socket only.
            listen_addresses = ''
            unix_socket_permissions = 0700
            max_connections = \(durable ? 200 : 400)
            shared_buffers = \(durable ? ServerMemory.sharedBuffers : 128)MB
            timezone = 'UTC'
            log_timezone = 'UTC'
            log_checkpoints = off
            fsync = \(safety)
            synchronous_commit = \(safety)
            full_page_writes = \(safety)

            """
    }
}
