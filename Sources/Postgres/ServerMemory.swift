// How much memory a private cluster keeps tables and indexes in.
import Glibc

package enum ServerMemory {
    private static let mebibyte = 1 << 20

    /// MiB for `shared_buffers`: an eighth of what there is (of the machine, or of the container if that has less), at
    /// least
    /// PostgreSQL's own 128 and at most 2048. What lies outside of it is read from the system, page by page.
    package static var sharedBuffers: Int {
        sharedBuffers(of: min(machine, container ?? .max))
    }

    package static func sharedBuffers(of bytes: Int) -> Int {
        max(128, min(2048, bytes / 8 / mebibyte))
    }

    private static var machine: Int {
        max(0, sysconf(Int32(_SC_PHYS_PAGES))) * max(0, sysconf(Int32(_SC_PAGESIZE)))
    }

    private static var container: Int? {
        FileText.read("/sys/fs/cgroup/memory.max").flatMap { Int($0.prefix { $0.isNumber }) }
    }
}
