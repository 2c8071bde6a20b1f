// Raises how many files and sockets the process may have open.
import CSystem

package enum DescriptorLimit {
    /// To the most that the system allows without privileges. Answers the limit that now holds; 0 if it is unknown.
    @discardableResult
    package static func raise() -> Int {
        max(0, Int(csystem_raise_descriptor_limit()))
    }
}
