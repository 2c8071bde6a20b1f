// Keeps memory, which contains secrets, out of core dumps and away from the user's other processes.
import CSystem

enum PrivateMemory {
    /// Applies to this process; the limit of core dumps also applies to its children.
    static func secure() {
        csystem_keep_memory_private()
    }
}
