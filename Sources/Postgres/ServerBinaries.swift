// Finds an installed PostgreSQL server.
import Glibc

/// A folder with `initdb` and `postgres`, and the major version they are of.
struct ServerBinaries {
    let folder: String
    let version: Int

    /// The server of the given major version or, without one, that of `folder`, of PATH, or the newest installed.
    static func find(folder: String?, version: Int?) async -> ServerBinaries? {
        var folders = [folder].compactMap { $0 }
        if folder == nil {
            if let initdb = ServerProgram.path(of: "initdb"), let real = realpath(initdb, nil) {
                folders.append(String(cString: real).split(separator: "/").dropLast().map { "/" + $0 }.joined())
                free(real)
            }
            let installed = (FileText.names(in: "/usr/lib/postgresql") ?? []).compactMap { Int($0) }.sorted(by: >)
            folders += installed.map { "/usr/lib/postgresql/\($0)/bin" }
        }
        for folder in folders {
            guard let found = await majorVersion(of: folder) else { continue }
            if version == nil || found == version { return ServerBinaries(folder: folder, version: found) }
        }
        return nil
    }

    private static func majorVersion(of folder: String) async -> Int? {
        guard access(folder + "/initdb", X_OK) == 0, access(folder + "/postgres", X_OK) == 0,
            let run = await ServerProgram(user: .own).run([folder + "/postgres", "--version"]), run.status == 0
        else { return nil }
        // postgres (PostgreSQL) 15.4 (Debian 15.4-1)
        let parts = run.output.split(separator: " ")
        return parts.count > 2 ? Int(parts[2].prefix { $0.isNumber }) : nil
    }
}
