// Reads, appends to and removes the few small files of a private cluster.
import Glibc

enum FileText {
    /// The text of a file, or nil when it can't be read.
    static func read(_ path: String) -> String? {
        let fd = open(path, O_RDONLY | O_CLOEXEC)
        guard fd >= 0 else { return nil }
        defer { close(fd) }
        return read(fd)
    }

    /// All text from the descriptor's position on.
    static func read(_ fd: Int32) -> String {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while case let count = Glibc.read(fd, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func append(_ text: String, to path: String) -> Bool {
        let fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
        guard fd >= 0 else { return false }
        defer { close(fd) }
        let bytes = Array(text.utf8)
        return write(fd, bytes, bytes.count) == bytes.count
    }

    static func names(in folder: String) -> [String]? {
        guard let directory = opendir(folder) else { return nil }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            // Read in place: the entry ends with its name, before the end of the C struct.
            guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return nil }
            let start = UnsafeRawPointer(entry) + offset
            let name = String(cString: start.assumingMemoryBound(to: CChar.self))
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }

    /// Removes a file, or a folder with its contents; follows no link.
    static func remove(_ path: String) {
        if unlink(path) == 0 { return }
        for name in names(in: path) ?? [] { remove(path + "/" + name) }
        rmdir(path)
    }

    static func owner(of path: String) -> uid_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_uid : nil
    }
}
