// Raises the limit of open files and sockets of the process.
import CSystem

package enum DescriptorLimit {
    /// Raises the limit to the maximum without privileges. Returns the new limit; 0 if it is unknown.
    @discardableResult
    package static func raise() -> Int {
        max(0, Int(csystem_raise_descriptor_limit()))
    }
}
