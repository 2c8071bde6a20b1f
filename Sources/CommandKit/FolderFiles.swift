// Reads files of a folder, and nothing outside it, whatever a path or a link says.
import Domain
import Glibc

package struct FolderFiles: Sendable {
    private let path: String

    /// `path` is given by the operator, and may be a link itself.
    package init(_ path: String) {
        self.path = path
    }

    /// The content of a file by its path in the folder.
    package func bytes(_ name: String) throws -> [UInt8] {
        let chunks = FileChunks("\(path)/\(name)", descriptor: try descriptor(of: name))
        var bytes: [UInt8] = []
        while let chunk = try chunks.next() { bytes += chunk }
        return bytes
    }

    /// Opens one step after another, so that a link can't appear between a check and the use of a path.
    private func descriptor(of name: String) throws(Failure) -> Int32 {
        let steps = name.split(separator: "/").map(String.init)
        guard !name.hasPrefix("/"), !name.utf8.contains(0), !steps.contains("..") else { throw refused(name) }
        var current = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        for (index, step) in steps.enumerated() where current >= 0 {
            let isFolder = index < steps.count - 1
            // A pipe without a writer is opened at once, to be refused.
            let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | (isFolder ? O_DIRECTORY : 0)
            let next = openat(current, step, flags)
            let error = errno
            close(current)
            if next < 0, error == ELOOP || (isFolder && error == ENOTDIR) { throw refused(name) }
            current = next
        }
        guard current >= 0 else { throw .unreadable("\(path)/\(name)") }
        var info = stat()
        guard fstat(current, &info) == 0, Int32(info.st_mode) & Int32(S_IFMT) == Int32(S_IFREG) else {
            close(current)
            throw refused(name)
        }
        return current
    }

    private func refused(_ name: String) -> Failure {
        .refused(
            code: "path",
            message: "\"\(name)\" is not a file inside the folder \(path). \"..\" and symbolic links are refused.")
    }
}
