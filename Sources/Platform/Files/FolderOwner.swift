// Checks that a folder belongs to the user of this process.
import Glibc

/// Files that another user creates in a daemon's folder can be unreadable for the daemon, or lock it out of the folder.
package enum FolderOwner {
    /// A sentence for the operator; nil if the folder belongs to this user or does not exist.
    package static func problem(with folder: String) -> String? {
        var info = stat()
        guard stat(folder, &info) == 0 else {
            return errno == ENOENT ? nil : "\(folder) can't be read: \(String(cString: strerror(errno)))."
        }
        return problem(with: folder, owner: info.st_uid, user: geteuid())
    }

    package static func problem(with folder: String, owner: uid_t, user: uid_t) -> String? {
        guard owner != user else { return nil }
        return "\(folder) belongs to user \(name(owner)), but this process runs as user \(name(user)). "
            + "Run it as user \(name(owner)), or change the owner of the folder and everything in it."
    }

    private static func name(_ user: uid_t) -> String {
        guard let entry = getpwuid(user), let name = entry.pointee.pw_name else { return String(user) }
        return String(cString: name)
    }
}
