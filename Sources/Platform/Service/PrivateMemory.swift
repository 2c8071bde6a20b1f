// Keeps what stands in memory, secrets among it, from being written into a core dump or read by other programs of the user.
import CSystem

enum PrivateMemory {
    /// For this process and, as to files of dumps, for every program that it starts.
    static func secure() {
        csystem_keep_memory_private()
    }
}
