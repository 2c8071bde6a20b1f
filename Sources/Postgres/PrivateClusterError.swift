// Why a private cluster could not be started, and what to do about it.

package enum PrivateClusterError: Error, Sendable, Equatable, CustomStringConvertible {
    case noServer(version: Int?)
    case versionMismatch(folder: String, data: Int, server: Int)
    case unusableFolder(String, reason: String)
    case noUser(folder: String)
    case initialization(output: String)
    case start(log: String, lastLines: String)
    case stillStopping(pid: Int32)

    package var description: String {
        switch self {
        case .noServer(nil):
            "No PostgreSQL server is installed here. Install one (on Debian: apt install postgresql), name the folder "
                + "of its programs, or give the URL of a database that runs elsewhere."
        case .noServer(let version?):
            "The database was made by PostgreSQL \(version), which is not installed here. Install it (on Debian: "
                + "apt install postgresql-\(version)), or move the data with pg_upgrade or pg_dump."
        case .versionMismatch(let folder, let data, let server):
            "The database in \(folder) was made by PostgreSQL \(data), but the server is PostgreSQL \(server). "
                + "Use the programs of PostgreSQL \(data), or move the data with pg_upgrade or pg_dump."
        case .unusableFolder(let folder, let reason):
            "The data folder \(folder) cannot be used: \(reason)."
        case .noUser(let folder):
            "PostgreSQL does not run as root, the user \"postgres\" cannot reach \(folder), and no user name space "
                + "can be made here. Run this program as another user, or choose a folder that the user \"postgres\" "
                + "can reach, such as one below /var/lib."
        case .initialization(let output): "PostgreSQL could not make a new database: \(output)"
        case .start(let log, let lastLines):
            "PostgreSQL did not start; its log \(log) ends with: \(lastLines)"
        case .stillStopping(let pid):
            "PostgreSQL (process \(pid)) is still stopping. Try again when it has ended."
        }
    }
}
